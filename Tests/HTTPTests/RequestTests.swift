import HTTP
import XCTest

final class RequestTests: XCTestCase {
    func testIsMadeOfAMethodAndATarget() {
        let request = Request(.get, "/goals?limit=5", headers: ["X-Request-Id": "mine"])

        XCTAssertEqual(request.method, .get)
        XCTAssertEqual(request.path, "/goals")
        XCTAssertEqual(request.query, "limit=5")
        XCTAssertEqual(request.target.form, .origin)
        XCTAssertEqual(request.id.description, "mine")
        XCTAssertEqual(request.body, [])
        XCTAssertEqual(Request(.options, "*").target.form, .asterisk)
        XCTAssertNil(Request(.get, "/goals").query)
    }

    func testNamesTheMediaTypeOfItsBody() {
        let types: [(HeaderFields, String?)] = [
            ([:], nil),
            (["Content-Type": "application/json"], "application/json"),
            (["Content-Type": "Application/JSON; charset=utf-8"], "application/json"),
            (["Content-Type": " text/plain\t;x"], "text/plain"),
            (["Content-Type": ""], ""),
            (["Content-Type": "text/plain, application/json"], "text/plain, application/json"),
            (["Content-Type": "a/b", "content-type": "a/b"], "a/b, a/b"),
        ]
        for (headers, type) in types {
            XCTAssertEqual(Request(.post, "/", headers: headers).contentType, type)
        }
    }
}

final class RequestIDTests: XCTestCase {
    func testIsMadeOfSixteenDigits() {
        XCTAssertEqual(RequestID(made: 0).description, "0000000000000000")
        XCTAssertEqual(RequestID(made: 0x0123_4567_89AB_CDEF).description, "0123456789abcdef")
        XCTAssertEqual(RequestID(made: .max).description, "ffffffffffffffff")
    }

    func testTakesUpTo128VisibleCharacters() {
        let long = String(repeating: "~", count: 128)
        for text in ["!", "a-b", long] {
            XCTAssertEqual(RequestID(given: text)?.description, text)
        }
        for text in ["", "a b", "a\n", "é", "\u{7F}", long + "~"] {
            XCTAssertNil(RequestID(given: text), text)
        }
    }
}

final class StatusTests: XCTestCase {
    func testHasTheReasonOfItsRFC() {
        let descriptions: [(Status, String)] = [
            (.ok, "200 OK"), (.created, "201 Created"), (.noContent, "204 No Content"),
            (.notModified, "304 Not Modified"), (.badRequest, "400 Bad Request"),
            (.unauthorized, "401 Unauthorized"), (.forbidden, "403 Forbidden"),
            (.notFound, "404 Not Found"), (.methodNotAllowed, "405 Method Not Allowed"),
            (.notAcceptable, "406 Not Acceptable"), (.requestTimeout, "408 Request Timeout"),
            (.conflict, "409 Conflict"), (.gone, "410 Gone"),
            (.preconditionFailed, "412 Precondition Failed"),
            (.contentTooLarge, "413 Content Too Large"), (.uriTooLong, "414 URI Too Long"),
            (.unsupportedMediaType, "415 Unsupported Media Type"),
            (.expectationFailed, "417 Expectation Failed"),
            (.unprocessableContent, "422 Unprocessable Content"),
            (.preconditionRequired, "428 Precondition Required"),
            (.tooManyRequests, "429 Too Many Requests"),
            (.requestHeaderFieldsTooLarge, "431 Request Header Fields Too Large"),
            (.internalServerError, "500 Internal Server Error"),
            (.notImplemented, "501 Not Implemented"),
            (.serviceUnavailable, "503 Service Unavailable"),
            (.httpVersionNotSupported, "505 HTTP Version Not Supported"),
            (.insufficientStorage, "507 Insufficient Storage"),
        ]
        for (status, description) in descriptions {
            XCTAssertEqual(status.description, description)
        }
        XCTAssertEqual(Status(code: 299).reason, "")
    }
}
