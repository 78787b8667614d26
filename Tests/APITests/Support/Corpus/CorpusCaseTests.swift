import Foundation
import XCTest

final class CorpusCaseTests: XCTestCase {
    // MARK: - Reading

    func testRefusesWordsThatItDoesNotKnow() {
        let cases = [
            (case: #", "paralell": 2"#, expectation: "", mistake: "paralell"),
            (case: "", expectation: #", "bodynot": "x""#, mistake: "bodynot"),
        ]
        for (more, moreExpected, mistake) in cases {
            XCTAssertThrowsError(try example(more: more, expecting: moreExpected)) { error in
                XCTAssertTrue("\(error)".contains("Unknown words: \(mistake)"), "\(error)")
            }
        }
        XCTAssertThrowsError(try example(more: #", "requires": "tls""#))
        XCTAssertThrowsError(try example(saying: #"{"do": "dance"}"#))
        XCTAssertThrowsError(try example(saying: #"{"do": "pause"}"#))
    }

    // MARK: - Texts

    func testPutsValuesInPlace() throws {
        let text = CorpusText(
            values: ["HOST": "a:1"],
            blocks: [
                "inner": .text("\u{ff}{{HOST}}"), "outer": .text("<{{inner}}{{inner}}>"),
                "many": .repeated("{{", times: 8),
            ]
        )

        let cases: [(String, [UInt8])] = [
            ("Host: {{HOST}}\r\n", Array("Host: a:1\r\n".utf8)),
            ("{{outer}}", [60, 255] + Array("a:1".utf8) + [255] + Array("a:1>".utf8)),
            ("{{LEN outer}} {{HEX outer}}", Array("10 a".utf8)),
            ("{{many}}", Array("{{{{{{{{{{{{{{{{".utf8)),
            ("{{HO", Array("{{HO".utf8)),
            ("\u{0}}}", [0, 125, 125]),
        ]
        for (template, bytes) in cases {
            XCTAssertEqual(try text.bytes(of: template), bytes, template)
        }
        for template in ["{{host}}", "{{LEN HOST}}", "{{DEC outer}}", "\u{100}"] {
            XCTAssertThrowsError(try text.bytes(of: template), template)
        }
    }

    // MARK: - Judging

    func testSeesWhatIsWrongWithAnAnswer() throws {
        let json = answer(200, [("content-type", "application/json")], "{}")
        let list = answer(200, [("content-type", "application/json")], #"{"items": []}"#)
        let problem = answer(
            404,
            [("content-type", "application/problem+json")],
            #"{"status": 404}"#
        )
        let cases: [(expecting: String, StrictAnswer, mistakes: Int)] = [
            (#", "headers": {"content-type": "json$"}"#, json, 0),
            (#", "headers": {"content-type": "^json"}"#, json, 1),
            (#", "headers": {"allow": "GET"}"#, json, 1),
            (#", "headers_absent": ["x-a"]"#, json, 0),
            (#", "headers_absent": ["content-type"]"#, json, 1),
            (#", "body": "json""#, json, 0),
            (#", "body": "json""#, answer(200, [("content-type", "a/b")], "{"), 1),
            (#", "body": "json-list""#, list, 0),
            (#", "body": "json-list""#, json, 1),
            (#", "body": "problem""#, problem, 0),
            (#", "body": "problem""#, json, 1),
            (#", "body": "empty""#, answer(204, [], ""), 0),
            (#", "body": "empty""#, json, 1),
            (#", "body": "nonempty""#, json, 0),
            (#", "body": "nonempty""#, answer(200, [], ""), 1),
            (#", "body_not": "root:""#, json, 0),
            (#", "body_not": "[{]""#, json, 1),
        ]
        for (more, answer, count) in cases {
            let expectation = try example(expecting: more).expectation
            let mistakes = try expectation.mistakes(in: .init(final: [answer]), headPositions: [])
            XCTAssertEqual(mistakes.count, count, "\(more): \(mistakes)")
        }
    }

    func testTakesStatusesByPosition() throws {
        let expectation = try example(expecting: #", "statuses": [[404], [200]]"#).expectation
        let head = [1: answer(404, [], ""), 2: answer(200, [], ""), 3: answer(500, [], "")]

        for (order, count) in [([1, 2], 0), ([2, 1], 2), ([1, 2, 3], 1)] {
            let answers = CorpusCase.Answers(final: order.compactMap { head[$0] })
            let mistakes = try expectation.mistakes(in: answers, headPositions: [0, 1, 2])
            XCTAssertEqual(mistakes.count, count, "\(order): \(mistakes)")
        }
    }

    func testSeesAnswersOf1xxThatMustNotBe() throws {
        let expectation = try example(expecting: #", "interim": "forbidden""#).expectation
        let answers = CorpusCase.Answers(
            final: [answer(200, [], "")],
            interim: [answer(100, [], "")]
        )

        XCTAssertEqual(
            try expectation.mistakes(in: answers, headPositions: []),
            ["There is a 100, which must not be"]
        )
    }

    // MARK: -

    private func answer(
        _ status: Int,
        _ fields: [(String, String)],
        _ body: String
    ) -> StrictAnswer {
        StrictAnswer(
            status: status,
            fields: fields.map { .init(name: $0.0, value: $0.1) },
            body: Array(body.utf8)
        )
    }

    private func example(
        saying step: String = #""x""#,
        more: String = "",
        expecting moreExpected: String = ""
    ) throws -> CorpusCase {
        let json = #"""
            [{"id": "test", "area": "test", "rfc": "-", "why": "-", "send": [\#(step)]\#(more),
            "expect": {"status": [200, 204, 404], "responses": 1,
            "connection": "any"\#(moreExpected)}}]
            """#
        return try CorpusCase.all(inJSON: Data(json.utf8))[0]
    }
}
