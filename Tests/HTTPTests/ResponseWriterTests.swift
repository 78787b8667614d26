import HTTP
import XCTest

final class ResponseWriterTests: XCTestCase {
    private let date = HTTPDate(secondsSinceEpoch: 784_111_777)

    func testWritesAWholeResponse() {
        let response = Response(
            .created,
            headers: ["Content-Type": "application/json", "Location": "/goals/1"],
            body: Array("{}".utf8)
        )

        XCTAssertEqual(
            written(response),
            """
            HTTP/1.1 201 Created\r
            Content-Type: application/json\r
            Location: /goals/1\r
            Content-Length: 2\r
            Date: Sun, 06 Nov 1994 08:49:37 GMT\r
            X-Request-Id: 0000000000000007\r
            \r
            {}
            """
        )
    }

    func testSaysOnlyWhatTheVersionDoesNotImply() {
        let connections: [(HTTPVersion, keepsAlive: Bool, String?)] = [
            (.http11, true, nil),
            (.http11, false, "close"),
            (.http10, true, "keep-alive"),
            (.http10, false, nil),
        ]
        for (version, keepsAlive, connection) in connections {
            let text = written(Response(.ok), version: version, keepsAlive: keepsAlive)
            XCTAssertEqual(
                text,
                """
                HTTP/1.1 200 OK\r
                Content-Length: 0\r
                \(connection.map { "Connection: \($0)\r\n" } ?? "")Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                X-Request-Id: 0000000000000007\r
                \r

                """
            )
        }
    }

    func testKeepsTheLengthButNoBodyForHEAD() {
        let body = [UInt8](repeating: 0x61, count: 12_345)
        let head = written(Response(.ok, body: body), method: .head)

        XCTAssertTrue(head.contains("\r\nContent-Length: 12345\r\n"), head)
        XCTAssertTrue(head.hasSuffix("\r\n\r\n"), head)
        XCTAssertEqual(
            written(Response(.ok, body: body)),
            head + String(repeating: "a", count: 12_345)
        )
    }

    func testGivesSomeStatusesNeitherLengthNorBody() {
        for status in [Status.noContent, .notModified] {
            XCTAssertEqual(
                written(Response(status, headers: ["ETag": "\"1\""], body: Array("lost".utf8))),
                """
                HTTP/1.1 \(status)\r
                ETag: "1"\r
                Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                X-Request-Id: 0000000000000007\r
                \r

                """
            )
        }
    }

    func testWritesItsOwnFieldsOnce() {
        let headers: HeaderFields = [
            "content-length": "999", "Transfer-Encoding": "chunked", "DATE": "today",
            "connection": "upgrade", "x-request-ID": "other", "Age": "1",
        ]

        XCTAssertEqual(
            written(Response(.ok, headers: headers)),
            """
            HTTP/1.1 200 OK\r
            Age: 1\r
            Content-Length: 0\r
            Date: Sun, 06 Nov 1994 08:49:37 GMT\r
            X-Request-Id: 0000000000000007\r
            \r

            """
        )
    }

    func testLeavesOutAFieldThatWasRemoved() {
        var headers: HeaderFields = ["A": "1", "B": "2", "C": "3"]
        headers.remove("B")

        XCTAssertTrue(
            written(Response(.ok, headers: headers)).hasPrefix(
                "HTTP/1.1 200 OK\r\nA: 1\r\nC: 3\r\nContent-Length: 0\r\n"
            )
        )
    }

    func testAppendsToWhatIsThere() {
        var output = Array("before".utf8)
        ResponseWriter.writeContinue(into: &output)

        XCTAssertEqual(
            String(decoding: output, as: UTF8.self),
            "beforeHTTP/1.1 100 Continue\r\n\r\n"
        )
        let response = Response(.ok)
        XCTAssertEqual(
            written(response, after: output),
            String(decoding: output, as: UTF8.self) + written(response)
        )
    }

    func testAnswersARequestOnItsOwnTerms() {
        let request = Request(.head, "/", headers: ["X-Request-Id": "mine"])

        XCTAssertEqual(
            ResponseWriter.Context(request),
            .init(method: .head, version: .http11, requestID: request.id, keepsAlive: true)
        )
    }

    private func written(
        _ response: Response,
        method: HTTP.Method = .get,
        version: HTTPVersion = .http11,
        keepsAlive: Bool = true,
        after start: [UInt8] = []
    ) -> String {
        var output = start
        ResponseWriter.write(
            response,
            to: .init(
                method: method,
                version: version,
                requestID: RequestID(made: 7),
                keepsAlive: keepsAlive
            ),
            date: date,
            into: &output
        )
        return String(decoding: output, as: UTF8.self)
    }
}
