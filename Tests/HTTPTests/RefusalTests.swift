import HTTP
import XCTest

final class RefusalTests: XCTestCase {
    func testRefusesWhatIsNoRequestLine() {
        let sentences: [(String, String)] = [
            ("GET\r\n", noMethod), ("G@T / HTTP/1.1\r\n", noMethod),
            ("GE\0T / HTTP/1.1\r\n", noMethod), (" GET / HTTP/1.1\r\n", noMethod),
            ("GET\t/\tHTTP/1.1\r\n", noMethod), ("\n", noMethod), ("\u{80}\0\u{FF}", noMethod),
            ("\u{16}\u{3}\u{1}\0\u{5}", noMethod), ("HTTP/1.1 200 OK\r\n", noMethod),
            ("GET  / HTTP/1.1\r\n", "The request line has a blank too many."),
            ("GET /\r\n", noVersion), ("GET /\n", noVersion), ("GET HTTP/1.1\r\n", noVersion),
            ("GET /  HTTP/1.1\r\n", noVersionEnd), ("GET / HTTP/1.1 \r\n", noVersionEnd),
            ("GET / HTTP/1.1\n", noVersionEnd), ("GET / http/1.1\r\n", noVersionEnd),
            ("GET / HTTP/01.1\r\n", noVersionEnd), ("GET / HTTP/1.10\r\n", noVersionEnd),
            ("GET / HTTP/1,1\r\n", noVersionEnd), ("GET / HTTP/1.\u{B2}\r\n", noVersionEnd),
            ("GET / HTTPS/1.1\r\n", noVersionEnd), ("GET / X", noVersionEnd),
            ("GET / HTTP/1.1\r\r\n", noLineFeed), ("GET / HTTP/1.1\rHost: a\r\n", noLineFeed),
            ("\rGET / HTTP/1.1\r\n", "There are stray line ends before the request."),
        ]
        for (text, sentence) in sentences {
            XCTAssertEqual(Reading(text).refusal, .malformed(sentence), text)
        }
    }

    func testRefusesVersionsOfOtherKinds() {
        for version in ["0.9", "2.0", "3.0", "9.9"] {
            let text = "GET / HTTP/\(version)\r\nHost: a\r\n\r\n"
            XCTAssertEqual(Reading(text).refusal, .versionUnsupported, version)
        }
        XCTAssertEqual(
            Reading("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").refusal,
            .versionUnsupported
        )
    }

    func testRefusesWhatIsNoTarget() {
        let encode = "The target has a byte that must be percent-encoded."
        let escape = "A percent sign in the target does not begin an escape."
        let noPath = "The target neither begins with a slash nor is an http address."
        let noHost = "The address in the target has no valid host."
        let sentences: [(String, String)] = [
            ("/a#b", "The target has a fragment, which is not for servers."),
            ("/\u{E9}", encode), ("/a\0", encode), ("/a\tb", encode), ("/\u{7F}", encode),
            ("/\\", encode), ("/\"", encode), ("/<", encode), ("/^", encode), ("/`", encode),
            ("/{", encode), ("/|", encode), ("/a[0]", encode), ("/a?b[0]", encode),
            ("http://a/[", encode), ("http://a?]", encode),
            ("/%", escape), ("/%4", escape), ("/%zz", escape), ("/%4g", escape), ("/?%", escape),
            ("/a%?b=41", escape), ("http://a/%0", escape),
            ("healthz", noPath), ("example.com:80", noPath), ("ftp://a/b", noPath),
            ("?a", noPath), ("**", noPath), ("*/", noPath), ("http:/a", noPath), ("http:", noPath),
            ("[::1]", noPath), ("http://", noHost), ("http:///healthz", noHost),
            ("http://?a", noHost), ("http://user@a/", noHost), ("http://a:b/", noHost),
            ("http://[::1/", noHost), ("http://a[", noHost),
            ("*", "The target * is for OPTIONS alone."),
        ]
        for (target, sentence) in sentences {
            let text = "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
            XCTAssertEqual(Reading(text).refusal, .malformed(sentence), target)
        }
    }

    func testRefusesEveryByteThatATargetCannotHave() {
        let allowed = Set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?".utf8
        )
        for byte in UInt8.min...UInt8.max where byte != 0x20 && byte != UInt8(ascii: "%") {
            let pieces = [bytes("GET /a"), [byte], bytes("b HTTP/1.1\r\nHost: a\r\n\r\n")]
            let refusal = Reading([Array(pieces.joined())[...]]).refusal
            XCTAssertEqual(refusal == nil, allowed.contains(byte), "byte \(byte)")
            XCTAssertEqual(refusal?.status ?? .badRequest, .badRequest, "byte \(byte)")
        }
    }

    func testRefusesWhatIsNoFieldLine() {
        let noName = "A header line does not begin with a name and a colon."
        let blank = "There is white space in or after the name of a header field."
        let folded = "A header line begins with white space."
        let control = "The value of a header field has a control byte."
        let sentences: [(String, String)] = [
            ("X-A : 1\r\n", blank), ("X-A\t: 1\r\n", blank), ("X A: 1\r\n", blank),
            ("X-A\r\n", noName), (": 1\r\n", noName), ("X[0]: 1\r\n", noName),
            ("X-\u{E9}: 1\r\n", noName), ("X-\0: 1\r\n", noName), ("\n", noName),
            ("(: 1\r\n", noName), ("X-A\n: 1\r\n", noName),
            (" X-A: 1\r\n", folded), ("\tX-A: 1\r\n", folded), ("X-A: 1\r\n 2\r\n", folded),
            ("X-A: a\0b\r\n", control), ("X-A: a\u{B}\r\n", control), ("X-A: \u{7F}\r\n", control),
            ("X-A: \u{1B}\r\n", control),
            ("X-A: 1\n", "A line ends in LF without CR."),
            ("X-A: 1\rX-B: 2\r\n", noLineFeed), ("X-A: 1\r\r\n", noLineFeed),
            ("X-A:\r \r\n", noLineFeed), ("\rX", noLineFeed), ("\r\r\n", noLineFeed),
        ]
        for (lines, sentence) in sentences {
            for text in [
                "GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n",
                "GET / HTTP/1.1\r\n\(lines)Host: a\r\n\r\n",
            ] {
                XCTAssertEqual(Reading(text).refusal, .malformed(sentence), text)
            }
        }
    }

    func testRefusesEveryByteThatANameCannotHave() {
        let allowed = Set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~".utf8
        )
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") {
            let pieces = [bytes("GET / HTTP/1.1\r\nHost: a\r\nX"), [byte], bytes("Y: 1\r\n\r\n")]
            let refusal = Reading([Array(pieces.joined())[...]]).refusal
            XCTAssertEqual(refusal == nil, allowed.contains(byte), "byte \(byte)")
        }
    }

    func testRefusesRequestsWithoutExactlyOneHost() {
        let twice = "There is more than one Host field."
        let invalid = "The Host field is not a host with an optional port."
        let sentences: [(String, String)] = [
            ("", "There is no Host field."), ("X-Host: a\r\n", "There is no Host field."),
            ("Host: a\r\nhost: a\r\n", twice), ("Host: a\r\nX: 1\r\nHOST: b\r\n", twice),
        ]
        for (fields, sentence) in sentences {
            let text = "GET / HTTP/1.1\r\n\(fields)\r\n"
            XCTAssertEqual(Reading(text).refusal, .malformed(sentence), text)
        }

        let hosts = [
            "", " ", ":80", "a, b", "a,b", "user@a", "a/b", "a b", "a:b", "a:-1", "a:65536",
            "a:000080", "a:80:90", "a#b", "a?b", "\u{E9}", "%", "%4", "%zz", "a\\b", "http://a",
            "[]", "[::1", "::1", "[::1]a", "[::1]:a", "[:1]", "[1:]", "[1::2::3]", "[:::]",
            "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7:8::]", "[12345::]", "[::g]",
            "[::1.2.3]", "[::1.2.3.4.5]", "[::1.2.3.256]", "[::1.2.3.4:5]", "[::1.2..4]",
            "[1.2.3.4]", "[fe80::1%25eth0]", "[v1.a]", "[", "]", "[:", "[:]",
        ]
        for host in hosts {
            for version in ["1.1", "1.0"] {
                let text = "GET / HTTP/\(version)\r\nHost: \(host)\r\n\r\n"
                XCTAssertEqual(Reading(text).refusal, .malformed(invalid), text)
            }
        }
    }

    func testRefusesLengthsThatAreNoNumberOrNotAlone() {
        let twice = "There is more than one Content-Length field."
        let notANumber = "The Content-Length field is not a decimal number."
        let sentences: [(String, String)] = [
            ("Content-Length: 2\r\nContent-Length: 2\r\n", twice),
            ("Content-Length: 2\r\ncontent-length: 3\r\n", twice),
            ("Content-Length:\r\n", "The Content-Length field is empty."),
            ("Content-Length: 2, 2\r\n", notANumber), ("Content-Length: 2,\r\n", notANumber),
            ("Content-Length: -1\r\n", notANumber), ("Content-Length: +2\r\n", notANumber),
            ("Content-Length: 2.0\r\n", notANumber), ("Content-Length: 2abc\r\n", notANumber),
            ("Content-Length: 0x2\r\n", notANumber), ("Content-Length: 1_0\r\n", notANumber),
            ("Content-Length: 1 0\r\n", notANumber), ("Content-Length: 2;\r\n", notANumber),
            ("Content-Length: \u{D9}\u{A8}\r\n", notANumber),
            ("Content-Length: \u{A0}2\r\n", notANumber), ("Content-Length: \"2\"\r\n", notANumber),
        ]
        for (fields, sentence) in sentences {
            let text = "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n{}"
            XCTAssertEqual(Reading(text).refusal, .malformed(sentence), text)
        }
    }

    func testRefusesTransferCodingsInEveryDisguise() {
        let twice = "There is more than one Transfer-Encoding field."
        let notChunked = "The Transfer-Encoding field does not end in chunked, once."
        let both = "There are both Transfer-Encoding and Content-Length."
        let sentences: [(String, Refusal)] = [
            ("xchunked", .malformed(notChunked)), ("identity", .malformed(notChunked)),
            ("gzip", .malformed(notChunked)), ("", .malformed(notChunked)),
            ("chunked, identity", .malformed(notChunked)),
            ("chunked, chunked", .malformed(notChunked)), ("chunked,", .malformed(notChunked)),
            ("chunked;q=1", .malformed(notChunked)), ("chun ked", .malformed(notChunked)),
            ("\"chunked\"", .malformed(notChunked)), ("\u{A0}chunked", .malformed(notChunked)),
            ("chun\u{E2}\u{84}\u{AA}ed", .malformed(notChunked)),
            ("gzip, chunked, chunked", .malformed(notChunked)),
            ("chunked\r\nTransfer-Encoding: chunked", .malformed(twice)),
            ("gzip\r\nTransfer-Encoding: chunked", .malformed(notChunked)),
            ("chunked\r\nTransfer-Encoding: identity", .malformed(twice)),
            ("chunked\r\nContent-Length: 2", .malformed(both)),
            ("gzip, chunked\r\nContent-Length: 2", .malformed(both)),
            ("gzip, chunked", .transferCodingUnsupported),
            ("identity, Chunked", .transferCodingUnsupported),
            (",chunked", .transferCodingUnsupported),
            ("\u{B}chunked", .malformed("The value of a header field has a control byte.")),
            ("\r\n chunked", .malformed(notChunked)),
        ]
        for (value, refusal) in sentences {
            let text = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(value)\r\n\r\n0\r\n\r\n"
            XCTAssertEqual(Reading(text).refusal, refusal, text)
        }
        XCTAssertEqual(
            Reading("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n").refusal,
            .malformed("HTTP/1.0 has no Transfer-Encoding.")
        )
        XCTAssertEqual(
            Reading(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
            ).refusal,
            .malformed(both)
        )
    }

    func testRefusesExpectationsItCannotMeet() {
        for value in ["200-ok", "x=\"a, b\"", "100-continue, x", "100-continue\r\nExpect: x"] {
            let text = "POST / HTTP/1.1\r\nHost: a\r\nExpect: \(value)\r\nContent-Length: 2\r\n\r\n"
            XCTAssertEqual(Reading(text).refusal, .expectationFailed, text)
        }
        XCTAssertNil(Reading("GET / HTTP/1.0\r\nExpect: 200-ok\r\n\r\n").refusal)
    }

    private let noMethod = "The request does not begin with a method and a blank."
    private let noVersion = "The request line does not end in a version."
    private let noVersionEnd = "The request line does not end in a version, CR and LF."
    private let noLineFeed = "There is a CR without LF after it."
}

// MARK: - Limits

extension RefusalTests {
    func testRefusesLinesThatAreTooLongAsSoonAsTheyAre() {
        let cases: [(String, fits: Int, Refusal)] = [
            ("GET /", 8_191, .targetTooLong),
            ("GET http://a/", 8_183, .targetTooLong),
            ("", 8_192, .targetTooLong),
            ("GET / HTTP/1.1\r\n", 16_384 - 17, .headTooLarge),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: ", 16_384 - 29, .headTooLarge),
        ]
        for (start, fits, refusal) in cases {
            XCTAssertNil(Reading(start + String(repeating: "x", count: fits)).refusal, start)
            XCTAssertEqual(
                Reading(start + String(repeating: "x", count: fits + 1)).refusal,
                refusal,
                start
            )
        }
    }

    func testTakesATargetAndAHeadOfExactlyTheLimit() {
        let target = "/" + String(repeating: "x", count: 8_191)
        XCTAssertEqual(
            Reading("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n").requests.map(\.path),
            [target]
        )

        let start = "GET / HTTP/1.1\r\nHost: a\r\nX: "
        let value = String(repeating: "x", count: 16_384 - start.utf8.count - 4)
        XCTAssertEqual(Reading("\(start)\(value)\r\n\r\nG").requests.count, 1)
        XCTAssertEqual(Reading("\(start)\(value)x\r\n\r\nG").refusal, .headTooLarge)
        XCTAssertEqual(
            Reading("GET / HTTP/1.1\r\n" + String(repeating: "X: 1\r\n", count: 3_000)).refusal,
            .headTooLarge
        )
    }

    func testRefusesABodyByItsAnnouncement() {
        let lengths = [
            "1048577", "107374182400", "9223372036854775807", "9223372036854775808",
            "18446744073709551616", "18446744073709551700", String(repeating: "9", count: 100),
        ]
        for length in lengths {
            let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
            XCTAssertEqual(Reading(text).refusal, .contentTooLarge, length)
        }
        XCTAssertNil(
            Reading("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n").refusal
        )
    }

    func testGivesEachRefusalItsStatusAndASentence() {
        let statuses: [(Refusal, Status)] = [
            (.malformed("This is wrong."), .badRequest),
            (.headTooLarge, .requestHeaderFieldsTooLarge),
            (.targetTooLong, .uriTooLong),
            (.contentTooLarge, .contentTooLarge),
            (.expectationFailed, .expectationFailed),
            (.methodNotImplemented, .notImplemented),
            (.transferCodingUnsupported, .notImplemented),
            (.versionUnsupported, .httpVersionNotSupported),
            (.timedOut, .requestTimeout),
        ]
        for (refusal, status) in statuses {
            XCTAssertEqual(refusal.status, status)
            XCTAssertEqual(refusal.detail.last, ".")
        }
        XCTAssertEqual(Refusal.malformed("This is wrong.").detail, "This is wrong.")
    }
}
