import XCTest

final class StrictAnswerTests: XCTestCase {
    private let date = "Date: Fri, 15 Jan 2027 08:00:00 GMT\r\n"

    func testReadsAnAnswerAndLeavesWhatFollows() throws {
        let bytes = "HTTP/1.1 200 OK\r\n\(date)X-A:  b c \t\r\nContent-Length: 3\r\n\r\nabcHTTP"

        let (answer, length) = try XCTUnwrap(read(bytes))

        XCTAssertEqual(length, bytes.utf8.count - 4)
        XCTAssertEqual(answer.status, 200)
        XCTAssertEqual(answer.body, Array("abc".utf8))
        XCTAssertEqual(
            answer.fields,
            [
                .init(name: "date", value: "Fri, 15 Jan 2027 08:00:00 GMT"),
                .init(name: "x-a", value: "b c"), .init(name: "content-length", value: "3"),
            ]
        )
    }

    func testWaitsForTheEnd() throws {
        let bytes = "HTTP/1.1 200 OK\r\n\(date)Content-Length: 3\r\n\r\nabc".utf8

        for count in 0..<bytes.count {
            XCTAssertNil(try read(String(decoding: bytes.prefix(count), as: UTF8.self)), "\(count)")
        }
    }

    func testExpectsNoBodyWhereThereIsNone() throws {
        let cases: [(String, isHead: Bool)] = [
            ("HTTP/1.1 204 No Content\r\n\(date)\r\n", false),
            ("HTTP/1.1 304 Not Modified\r\n\(date)\r\n", false),
            ("HTTP/1.1 304 Not Modified\r\n\(date)Content-Length: 9\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\n\(date)Content-Length: 9\r\n\r\n", true),
            ("HTTP/1.1 100 Continue\r\n\r\n", false),
        ]
        for (bytes, isHead) in cases {
            let (answer, length) = try XCTUnwrap(read(bytes + "rest", toHead: isHead), bytes)
            XCTAssertEqual(answer.body, [], bytes)
            XCTAssertEqual(length, bytes.utf8.count, bytes)
        }
    }

    func testReadsNothingThatIsNoAnswer() {
        let length = "Content-Length: 0\r\n"
        let cases: [(String, mistake: String)] = [
            ("HTTP/1.0 200 OK\r\n", #"No status line: "HTTP/1.0 200 OK""#),
            ("HTTP/1.1 200\r\n", #"No status line: "HTTP/1.1 200""#),
            ("HTTP/1.1 600 OK\r\n", #"No status line: "HTTP/1.1 600 OK""#),
            ("HTTP/1.1 200 O\u{1}K\r\n", #"No status line: "HTTP/1.1 200 O\u{01}K""#),
            ("\r\nHTTP/1.1 200 OK\r\n", #"No status line: """#),
            ("HTTP/1.1 200 OK\nX: y\r\n", #"No status line: "HTTP/1.1 200 OK\nX: y""#),
            ("HTTP/1.1 200 OK\r\nX : y\r\n", #"No field line: "X : y""#),
            ("HTTP/1.1 200 OK\r\nX: y\r\n z\r\n", #"No field line: " z""#),
            ("HTTP/1.1 200 OK\r\nX: y\nZ: z\r\n", #"No field line: "X: y\nZ: z""#),
            ("HTTP/1.1 200 OK\r\nX: y\rz\r\n", #"No field line: "X: y\rz""#),
            ("HTTP/1.1 200 OK\r\nX: \u{7f}\r\n", #"No field line: "X: \u{7F}""#),
            ("HTTP/1.1 200 OK\r\n\(date)", "200 has no length"),
            ("HTTP/1.1 200 OK\r\n\(length)", "200 has no Date"),
            (
                "HTTP/1.1 200 OK\r\nDate: 2027-01-15\r\n\(length)",
                "The Date is no IMF-fixdate: 2027-01-15"
            ),
            (
                "HTTP/1.1 200 OK\r\n\(date)\(length)\(length)",
                "There is more than one content-length field"
            ),
            ("HTTP/1.1 200 OK\r\n\(date)\(date)\(length)", "There is more than one date field"),
            ("HTTP/1.1 200 OK\r\n\(date)Content-Length: +1\r\n", "The length is no number: +1"),
            (
                "HTTP/1.1 200 OK\r\n\(date)\(length)Transfer-Encoding: chunked\r\n",
                "There is a transfer coding: chunked"
            ),
            ("HTTP/1.1 204 No Content\r\n\(date)\(length)", "204 has a length"),
            ("HTTP/1.1 100 Continue\r\n\(length)", "100 has a length"),
            ("HTTP/1.1 101 Switching Protocols\r\n", "Nobody asked to switch"),
        ]
        for (head, mistake) in cases {
            XCTAssertThrowsError(try read(head + "\r\n"), head) { error in
                XCTAssertEqual("\(error)", mistake)
            }
        }
    }

    func testWantsErrorsToBeProblems() throws {
        let problem = "Content-Type: application/problem+json\r\n"
        let cases: [(String, body: String, mistakes: [String])] = [
            ("404 Not Found\r\n\(problem)", #"{"status": 404}"#, []),
            (
                "404 Not Found\r\n\(problem)", #"{"status": 400}"#,
                ["A problem does not have the status of its answer, 404"]
            ),
            ("404 Not Found\r\n\(problem)", "[]", [#"A problem is no JSON object: "[]""#]),
            (
                "404 Not Found\r\nContent-Type: text/html\r\n", "<p>",
                ["An error is no application/problem+json"]
            ),
            ("405 Not\r\n\(problem)", #"{"status": 405}"#, ["405 has no Allow"]),
            ("401 Not\r\n\(problem)", #"{"status": 401}"#, ["401 has no WWW-Authenticate"]),
            ("200 OK\r\n", "text", ["A body has no Content-Type"]),
        ]
        for (head, body, mistakes) in cases {
            let bytes = "HTTP/1.1 \(head)\(date)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            let answer = try XCTUnwrap(read(bytes)).answer
            XCTAssertEqual(answer.mistakes(toHead: false), mistakes, head)
        }
    }

    // MARK: -

    private func read(
        _ text: String,
        toHead isHead: Bool = false
    ) throws -> (answer: StrictAnswer, length: Int)? {
        try StrictAnswer.read(from: Array(text.utf8), isAll: false, toHead: isHead)
    }
}
