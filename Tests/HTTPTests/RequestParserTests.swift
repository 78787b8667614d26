import HTTP
import XCTest

final class RequestParserTests: XCTestCase {
    func testReadsAllPartsOfARequest() throws {
        let request = try request(
            "POST /goals?limit=5 HTTP/1.1\r\n"
                + "Host: example.com\r\n"
                + "X-Note: \t two  words \t\r\n"
                + "x-empty:\r\n"
                + "Content-Length: 2\r\n\r\n"
                + "{}"
        )

        XCTAssertEqual(request.method, .post)
        XCTAssertEqual(request.path, "/goals")
        XCTAssertEqual(request.query, "limit=5")
        XCTAssertEqual(request.target.form, .origin)
        XCTAssertNil(request.target.authority)
        XCTAssertEqual(request.version, .http11)
        XCTAssertEqual(
            request.headers,
            ["Host": "example.com", "X-Note": "two  words", "X-Empty": "", "Content-Length": "2"]
        )
        XCTAssertEqual(request.body, bytes("{}"))
        XCTAssertEqual(request.id, RequestID(made: 1))
        XCTAssertTrue(request.keepsAlive)
    }

    func testReadsEveryMethodAndNoOther() throws {
        for method in HTTP.Method.allCases {
            let text = "\(method.rawValue) / HTTP/1.1\r\nHost: a\r\n\r\n"
            XCTAssertEqual(try request(text).method, method)
        }
        for method in ["get", "GETS", "BREW", "CONNECT", "OPTIONSS", "PATCHPATCH", "!"] {
            let text = "\(method) /a:1 HTTP/1.1\r\nHost: a\r\n\r\n"
            XCTAssertEqual(Reading(text).refusal, .methodNotImplemented, method)
        }
    }

    func testReadsTargetsInEachForm() throws {
        let targets: [(String, path: String, query: String?, authority: String?)] = [
            ("/", "/", nil, nil),
            ("/a/b", "/a/b", nil, nil),
            ("//a", "//a", nil, nil),
            ("/a?", "/a", "", nil),
            ("/a?b?c/d", "/a", "b?c/d", nil),
            ("/%68%C3%A9?%00", "/%68%C3%A9", "%00", nil),
            ("/~!$&'()*+,;=:@-._", "/~!$&'()*+,;=:@-._", nil, nil),
            ("http://example.com", "/", nil, "example.com"),
            ("http://example.com/", "/", nil, "example.com"),
            ("http://example.com?a=b", "/", "a=b", "example.com"),
            ("HTTPS://Example.com:8080/a?b", "/a", "b", "Example.com:8080"),
            ("http://[::1]:80/a", "/a", nil, "[::1]:80"),
        ]
        for (target, path, query, authority) in targets {
            let request = try request("GET \(target) HTTP/1.1\r\nHost: other\r\n\r\n")
            XCTAssertEqual(request.target.form, .origin, target)
            XCTAssertEqual(request.path, path, target)
            XCTAssertEqual(request.query, query, target)
            XCTAssertEqual(request.target.authority, authority, target)
        }
    }

    func testReadsTheServerAsAWholeForOptionsAlone() throws {
        for target in ["*", "http://example.com"] {
            let request = try request("OPTIONS \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            XCTAssertEqual(request.target.form, .asterisk, target)
            XCTAssertEqual(request.path, "*", target)
        }
        for target in ["/", "/*", "http://example.com/", "http://example.com?"] {
            let request = try request("OPTIONS \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            XCTAssertEqual(request.target.form, .origin, target)
        }
    }

    func testReadsRequestsSentTogetherOneByOne() {
        let reading = Reading(
            "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
                + "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                + "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nd\r\n0\r\n\r\n"
                + "GET /e HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n"
                + "GET /f HTTP/1.1\r\nHos"
        )

        XCTAssertNil(reading.refusal)
        XCTAssertEqual(reading.requests.map(\.path), ["/a", "/b", "/c", "/e"])
        XCTAssertEqual(reading.requests.map(\.body), [[], bytes("abc"), bytes("d"), []])
        XCTAssertEqual(
            reading.requests.map(\.id.description),
            ["0000000000000001", "0000000000000002", "0000000000000003", "mine"]
        )
    }

    func testSkipsAFewEmptyLinesBeforeARequest() {
        let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        XCTAssertEqual(Reading("\r\n\r\n\(get)\r\n\(get)\r\n").requests.count, 2)

        let fiveEachTime = Reading(String(repeating: "\r\n", count: 5) + get)
        XCTAssertEqual(
            fiveEachTime.refusal,
            .malformed("There are stray line ends before the request.")
        )
    }

    func testTellsWhetherTheConnectionStays() throws {
        let cases: [(version: String, connection: [String], keepsAlive: Bool)] = [
            ("1.1", [], true),
            ("1.1", ["close"], false),
            ("1.1", [" x-y , CLOSE "], false),
            ("1.1", ["x", "close"], false),
            ("1.1", ["keep-alive, close"], false),
            ("1.1", ["closed", "close x"], true),
            ("1.1", ["upgrade"], true),
            ("1.2", [], true),
            ("1.0", [], false),
            ("1.0", ["Keep-Alive"], true),
            ("1.0", ["keep-alive", "close"], false),
        ]
        for (version, connection, keepsAlive) in cases {
            let fields = connection.map { "Connection: \($0)\r\n" }.joined()
            let request = try request("GET / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n")
            XCTAssertEqual(request.keepsAlive, keepsAlive, "\(version) \(connection)")
            XCTAssertEqual(request.version, version == "1.0" ? .http10 : .http11)
        }
    }

    func testNeedsNoHostInHTTP10() throws {
        XCTAssertEqual(try request("GET / HTTP/1.0\r\n\r\n").headers, [:])
    }

    func testTakesEveryValidHost() throws {
        let hosts = [
            "localhost", "localhost:8080", "127.0.0.1:80", "a:", "a.b-c_d~e", "%41", "a!$&'()*+;=",
            "[::]", "[::1]:8080", "[1:2:3:4:5:6:7:8]", "[1::8]", "[1:2:3:4:5:6:7::]",
            "[::ffff:192.0.2.1]", "[1:2:3:4:5:6:192.0.2.1]", "a:65535",
        ]
        for host in hosts {
            let text = "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n"
            XCTAssertEqual(try request(text).headers[.host], host)
        }
    }

    func testKeepsEveryByteThatAValueMayHold() throws {
        let all = (UInt8.min...UInt8.max).filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        var parser = RequestParser()
        parser.append(bytes("GET / HTTP/1.1\r\nHost: a\r\nX-All: <"))
        parser.append(all)
        parser.append(bytes(">\r\n\r\n"))

        guard case .request(let request)? = try parser.next() else {
            return XCTFail("There is no whole request")
        }
        XCTAssertEqual(
            request.headers.firstValue(of: "x-all").map(Array.init),
            bytes("<") + all + bytes(">")
        )
    }

    func testTakesTheIDOfTheClientWhereItIsSound() throws {
        let long = String(repeating: "x", count: 128)
        for id in ["a", "7f3c/~!", long] {
            let text = "GET / HTTP/1.1\r\nHost: a\r\nx-request-id: \(id)\r\n\r\n"
            XCTAssertEqual(try request(text).id.description, id)
        }
        for id in ["", "two words", "\u{E9}", long + "x"] {
            let text = "GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(id)\r\n\r\n"
            XCTAssertEqual(try request(text).id, RequestID(made: 1))
        }
    }

    func testReadsBodiesUpToTheLimit() throws {
        var limits = RequestParser.Limits()
        limits.bodyBytes = 10
        let head = "POST / HTTP/1.1\r\nHost: a\r\n"
        let ten = bytes("0123456789")

        XCTAssertEqual(
            try request(head + "Content-Length: 0010\r\n\r\n0123456789", limits: limits).body,
            ten
        )
        XCTAssertEqual(
            try request(
                head + "Transfer-Encoding: Chunked\r\n\r\n4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n",
                limits: limits
            ).body,
            ten
        )
    }
}

// MARK: - Continue

extension RequestParserTests {
    private static let expecting =
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"

    func testSaysOnceThatTheClientWaitsToContinue() throws {
        var parser = RequestParser()
        parser.append(bytes(Self.expecting))

        guard case .continueExpected? = try parser.next() else {
            return XCTFail("The client waits in vain")
        }
        XCTAssertNil(try parser.next())
        parser.append(bytes("{"))
        XCTAssertNil(try parser.next())
        parser.append(bytes("}"))
        guard case .request(let request)? = try parser.next() else {
            return XCTFail("The request is lost")
        }
        XCTAssertEqual(request.body, bytes("{}"))
    }

    func testReadsExpectationsAsAList() throws {
        let cases = [
            ("100-continue, 100-Continue", waits: true), (", 100-continue\t,", waits: true),
            ("\r\nExpect: 100-continue", waits: true), ("", waits: false), (" , ,", waits: false),
        ]
        for (value, waits) in cases {
            var parser = RequestParser()
            parser.append(
                bytes(
                    "POST / HTTP/1.1\r\nHost: a\r\nExpect: \(value)\r\nContent-Length: 2\r\n\r\n"
                )
            )
            let isAsked = if case .continueExpected? = try parser.next() { true } else { false }
            XCTAssertEqual(isAsked, waits, value)
        }
    }

    func testSaysNothingToAClientThatDoesNotWait() throws {
        let eager = [
            Self.expecting + "{",
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
        ]
        for text in eager {
            var parser = RequestParser()
            parser.append(bytes(text))
            if case .continueExpected? = try parser.next() { XCTFail(text) }
        }
    }

    func testInvitesNoBodyThatIsTooLarge() {
        let text =
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1048577\r\n\r\n"
        var parser = RequestParser()
        parser.append(bytes(text))

        XCTAssertThrowsError(try parser.next()) { error in
            XCTAssertEqual(error as? Refusal, .contentTooLarge)
        }
    }
}

// MARK: - Between requests

extension RequestParserTests {
    func testTellsHowFarARequestHasCome() throws {
        var parser = RequestParser()
        XCTAssertEqual(parser.stage, .idle)

        let steps: [(String, RequestParser.Stage, buffered: Int)] = [
            ("\r\n", .idle, 0),
            ("P", .head, 1),
            ("OST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r", .head, 46),
            ("\n", .body, 0),
            ("ab", .body, 2),
        ]
        for (text, stage, buffered) in steps {
            parser.append(bytes(text))
            XCTAssertNil(try parser.next())
            XCTAssertEqual(parser.stage, stage, text)
            XCTAssertEqual(parser.bufferedBytes, buffered, text)
        }

        parser.append(bytes("cdG"))
        XCTAssertNotNil(try parser.next())
        XCTAssertNil(try parser.next())
        XCTAssertEqual(parser.stage, .head)
        XCTAssertEqual(parser.bufferedBytes, 1)
    }

    func testKeepsWhatIsNotReadWhenItGivesMemoryBack() throws {
        var parser = RequestParser()
        parser.releaseMemory()
        parser.append(bytes("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHo"))
        XCTAssertNotNil(try parser.next())

        parser.releaseMemory()

        XCTAssertEqual(parser.bufferedBytes, 19)
        parser.append(bytes("st: a\r\n\r\n"))
        guard case .request(let request) = try parser.next() else {
            return XCTFail("The request is lost")
        }
        XCTAssertEqual(request.path, "/b")
    }

    func testRefusesForGoodAndHoldsNothingMore() {
        var parser = RequestParser()
        parser.append(bytes("GET HTTP/1.1\r\n\r\n"))

        for _ in 1...2 {
            XCTAssertThrowsError(try parser.next())
            parser.append(bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
            XCTAssertEqual(parser.bufferedBytes, 0)
        }
    }

    func testKnowsOfARefusedRequestWhatItHasRead() throws {
        let cases: [(String, HTTP.Method?, HTTPVersion, RequestID)] = [
            ("\u{16}\u{3}\u{1}", nil, .http11, RequestID(made: 7)),
            ("HEAD / HTTP/3.0\r\n", .head, .http11, RequestID(made: 7)),
            (
                "GET / HTTP/1.0\r\nX-Request-Id: mine\r\nHost: a b\r\n\r\n",
                .get, .http10, try XCTUnwrap(RequestID(given: "mine"))
            ),
        ]
        for (text, method, version, id) in cases {
            var parser = RequestParser(firstRequestID: 7)
            parser.append(bytes(text))
            XCTAssertThrowsError(try parser.next())
            XCTAssertEqual(
                parser.refusedContext,
                .init(method: method, version: version, requestID: id, keepsAlive: false)
            )
        }
    }
}
