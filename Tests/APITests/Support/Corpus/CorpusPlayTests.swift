import Foundation
import XCTest

/// The judge of the corpus has to tell a server that behaves from one that does not.
final class CorpusPlayTests: XCTestCase {
    private let date = "Date: Fri, 15 Jan 2027 08:00:00 GMT\r\n"
    private let get = #""GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n""#

    private var right: String { answer("") }
    private var rightAfterwards: String { answer("X-Request-Id: after-test\r\n") }

    private func answer(_ field: String) -> String {
        "HTTP/1.1 200 OK\r\n\(date)\(field)Content-Type: text/plain\r\n"
            + "Content-Length: 2\r\n\r\nok"
    }

    func testIsContentWithWhatIsRight() throws {
        XCTAssertEqual(try mistakes(answering: [right]), [])
        XCTAssertEqual(
            try mistakes(answering: [right, rightAfterwards], connection: "keep-alive"),
            []
        )
        XCTAssertEqual(try mistakes(answering: [right, rightAfterwards], connection: "any"), [])
        XCTAssertEqual(try mistakes(answering: [right], connection: "any"), [])
        XCTAssertEqual(try mistakes(answering: [], status: "[400, 0]"), [])
    }

    func testSeesAWrongStatus() throws {
        XCTAssertEqual(
            try mistakes(answering: [right], status: "[201, 0]"),
            ["Answer 1 is 200, allowed are [201, 0]"]
        )
    }

    func testSeesThatAnAnswerIsMissing() throws {
        XCTAssertEqual(
            try mistakes(answering: []),
            ["0 of 1 answers, then the server hung up"]
        )
        XCTAssertEqual(
            try mistakes(answering: [right], status: "[200, 0]", answers: 2),
            ["1 of 2 answers, then the server hung up"]
        )
        XCTAssertEqual(
            try mistakes(answering: [], ending: .stays, limits: hasty),
            ["0 of 1 answers, then silence"]
        )
    }

    func testSeesThatAnAnswerIsTooMany() throws {
        XCTAssertEqual(
            try mistakes(answering: [right + "x"]),
            [#"After the last answer came "x""#]
        )
        XCTAssertEqual(
            try mistakes(answering: [right + right, rightAfterwards], connection: "keep-alive"),
            ["The answer to a request after the last is another's: 200"]
        )
        XCTAssertEqual(
            try mistakes(answering: [right, rightAfterwards + "x"], connection: "any"),
            [#"After the last answer came "x""#]
        )
    }

    func testSeesThatALengthIsWrong() throws {
        let long = right.replacing("Content-Length: 2", with: "Content-Length: 3")
        let short = right.replacing("Content-Length: 2", with: "Content-Length: 1")

        XCTAssertEqual(
            try mistakes(answering: [long]),
            ["The connection ended after 2 of 3 bytes of a body"]
        )
        XCTAssertEqual(
            try mistakes(answering: [short]),
            [#"After the last answer came "k""#]
        )
    }

    func testSeesAResetWhereTheEndShouldBeInOrder() throws {
        XCTAssertEqual(try mistakes(answering: [right], ending: .resets), [])
        XCTAssertEqual(
            try mistakes(answering: [right], ending: .resets, more: #", "clean": true"#),
            ["The connection ended with RST"]
        )
        XCTAssertEqual(
            try mistakes(answering: [right], ending: .finishes, more: #", "clean": true"#),
            []
        )
    }

    func testSeesThatAConnectionStays() throws {
        XCTAssertEqual(
            try mistakes(answering: [right], ending: .stays, limits: hastyAtTheEnd),
            ["The connection stays open after the last answer"]
        )
        XCTAssertEqual(
            try mistakes(
                answering: [right, rightAfterwards],
                ending: .stays,
                connection: "keep-alive",
                limits: hastyAtTheEnd
            ),
            ["The connection stays open after the last answer"]
        )
    }

    func testSeesThatAConnectionDoesNotStay() throws {
        XCTAssertEqual(
            try mistakes(answering: [right], connection: "keep-alive"),
            ["The server did not stay"]
        )
    }

    func testSeesThatAConnectionStaysAfterAnError() throws {
        let error =
            "HTTP/1.1 404 Not Found\r\n\(date)Content-Type: application/problem+json\r\n"
            + "Content-Length: 14\r\n\r\n{\"status\":404}"

        XCTAssertEqual(
            try mistakes(
                answering: [error],
                ending: .stays,
                status: "[404]",
                connection: "any",
                more: #", "on_error": "close""#,
                limits: hastyAtTheEnd
            ),
            ["The connection stays open after the last answer"]
        )
    }

    func testSeesThatAConnectionIsDead() throws {
        for connection in ["any", "keep-alive"] {
            XCTAssertEqual(
                try mistakes(
                    answering: [right],
                    ending: .stays,
                    connection: connection,
                    limits: CorpusPlay.Limits(answer: 1)
                ),
                ["A request after the last gets no answer"]
            )
        }
    }

    func testSeesThatTheServerDoesNotWait() throws {
        let steps = get + #", {"do": "quiet", "seconds": 5}, "x""#

        XCTAssertEqual(
            try mistakes(answering: [right], saying: steps).first,
            "The server did not wait: \(excerpt(Array(right.utf8)))"
        )
    }

    func testSeesThatContinueDoesNotCome() throws {
        let steps = get + #", {"do": "await-continue"}, "x""#
        let more = #", "interim": "required""#

        XCTAssertEqual(
            try mistakes(answering: [right], saying: steps, more: more),
            ["There is no 100 before the answer"]
        )
        XCTAssertEqual(
            try mistakes(answering: [], ending: .stays, saying: steps, more: more, limits: hasty),
            ["There is neither 100 nor an answer"]
        )
        let interim = "HTTP/1.1 100 Continue\r\n\r\n"
        XCTAssertEqual(
            try mistakes(answering: [interim + right], saying: steps, more: more),
            []
        )
    }

    func testSeesThatAServerListensForEver() throws {
        XCTAssertEqual(
            try mistakes(
                answering: [],
                ending: .stays,
                saying: #""GET", {"do": "drip", "text": "x", "gap": 0.01}"#,
                limits: hasty
            ),
            ["The server still listens after 0.1 s"]
        )
    }

    func testSeesThatACaseTakesTooLong() throws {
        let mistake = try mistakes(answering: [right], more: #", "max_seconds": 0"#).first
        XCTAssertTrue(try XCTUnwrap(mistake).hasSuffix("at most 0.0 s are allowed"))
    }

    func testSeesThatTheServerIsGoneAfterwards() throws {
        let example = try self.example(status: "[200]", connection: "close", saying: get)
        let peer = try ScriptedPeer([.init(answers: [right])])

        let mistakes = CorpusStage(port: peer.port).mistakes(playing: example)

        XCTAssertEqual(mistakes, ["connect: Connection refused"])
    }

    // MARK: -

    /// For a server that does not answer.
    private let hasty = CorpusPlay.Limits(answer: 0.1, slow: 0.1)

    /// For a server that answers, and does not hang up.
    private let hastyAtTheEnd = CorpusPlay.Limits(close: 0.1)

    /// The mistakes of a server that gives these answers to a case.
    private func mistakes(
        answering answers: [String],
        ending: ScriptedPeer.Script.Ending = .finishes,
        status: String = "[200]",
        answers count: Int = 1,
        connection: String = "close",
        saying steps: String? = nil,
        more: String = "",
        limits: CorpusPlay.Limits = .init()
    ) throws -> [String] {
        let example = try self.example(
            status: status,
            answers: count,
            connection: connection,
            saying: steps ?? get,
            more: more
        )
        let peer = try ScriptedPeer([.init(answers: answers, ending: ending)])
        let text = CorpusText(values: [:], blocks: [:])
        return try CorpusPlay(example, text: text, port: peer.port, limits: limits).play().mistakes
    }

    private func example(
        status: String,
        answers: Int = 1,
        connection: String,
        saying steps: String,
        more: String = ""
    ) throws -> CorpusCase {
        let json = #"""
            [{"id": "test", "area": "test", "rfc": "-", "why": "-", "send": [\#(steps)], "expect": {
                "status": \#(status), "responses": \#(answers), "connection": "\#(connection)"\#(more)
            }}]
            """#
        return try CorpusCase.all(inJSON: Data(json.utf8))[0]
    }
}
