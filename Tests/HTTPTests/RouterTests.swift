import HTTP
import XCTest

final class RouterTests: XCTestCase {
    private let router = Router([
        Route(.get, "/", "root"),
        Route(.get, "/livez", "live"),
        Route(.get, "/goals", "list"),
        Route(.post, "/goals", "create"),
        Route(.get, "/goals/archive", "archive"),
        Route(.get, "/goals/:goal", "show"),
        Route(.patch, "/goals/:goal", "change"),
        Route(.post, "/goals/:goal/transactions", "record"),
        Route(.delete, "/goals/:goal/transactions/:transaction", "erase"),
        Route(.head, "/heads", "own head"),
        Route(.get, "/heads", "get"),
        Route(.options, "/heads", "own options"),
    ])

    func testFindsTheHandlerForAMethodAndAPath() {
        let found: [(HTTP.Method, String, String)] = [
            (.get, "/", "root"), (.get, "/livez", "live"), (.get, "/goals", "list"),
            (.post, "/goals", "create"), (.get, "/goals/archive", "archive"),
            (.get, "/goals/1", "show"), (.patch, "/goals/1", "change"),
            (.get, "/goals/archived", "show"), (.get, "/goals/..", "show"),
            (.post, "/goals/1/transactions", "record"),
            (.delete, "/goals/1/transactions/2", "erase"),
            (.head, "/goals", "list"), (.head, "/heads", "own head"), (.get, "/heads", "get"),
            (.options, "/heads", "own options"),
        ]
        for (method, path, handler) in found {
            guard case .found(handler, _) = router.match(method, path) else {
                return XCTFail("\(method) \(path): \(router.match(method, path))")
            }
        }
    }

    func testFindsNothingWhereNoPatternFits() {
        let paths = [
            "", "*", "goals", "/nope", "/goal", "/goalss", "/goals/", "//", "//goals", "/goals//",
            "/goals/1/", "/goals/1/nope", "/goals/1/transactions/", "/goals//transactions",
            "/goals/1/transactions/2/3", "/Goals", "/livez/..", "/./livez", "/livez.",
            "/livez%2F", "/%2Flivez", "/livez%00", "/livez%CC%81", "/%25liveZ", "/%256civez",
            "/livez;a", "/..\\livez", "/%", "/livez%", "/livez%2",
        ]
        for path in paths {
            for method in HTTP.Method.allCases {
                guard case .notFound = router.match(method, path) else {
                    return XCTFail("\(method) \(path)")
                }
            }
            XCTAssertEqual(router.methods(at: path), [], path)
        }
    }

    func testTakesAnEscapedCharacterForTheCharacter() {
        for path in ["/%6Civez", "/%6civez", "/livez", "/%6C%69%76%65%7A"] {
            guard case .found("live", _) = router.match(.get, path) else {
                return XCTFail(path)
            }
        }
    }

    func testDecodesWhatAPathHasForANameOnce() {
        let values: [(String, String)] = [
            ("1", "1"), ("%61b", "ab"), ("%2561", "%61"), ("a+b", "a+b"), ("%C3%A9", "é"),
            ("a%20b", "a b"), ("..", ".."), ("%3A", ":"), (":goal", ":goal"),
        ]
        for (raw, decoded) in values {
            let path = "/goals/\(raw)/transactions/t-\(raw)"
            guard case .found(_, let parameters) = router.match(.delete, path) else {
                return XCTFail(raw)
            }
            XCTAssertEqual(parameters["goal"], decoded)
            XCTAssertEqual(parameters["transaction"], "t-" + decoded)
            XCTAssertNil(parameters["nobody"])
        }
    }

    func testTellsEightSegmentsApartAndNoMore() {
        let router = Router([Route(.get, "/a/:b/c/d/e/f/g/:h", "long")])

        guard case .found("long", let parameters) = router.match(.get, "/a/1/c/d/e/f/g/2") else {
            return XCTFail("A pattern may have eight segments")
        }
        XCTAssertEqual(parameters["b"], "1")
        XCTAssertEqual(parameters["h"], "2")
        for end in ["/", "/3", "/3/4", String(repeating: "/a", count: 1_000)] {
            XCTAssertEqual(router.methods(at: "/a/1/c/d/e/f/g/2" + end), [], end)
        }
        XCTAssertEqual(router.methods(at: "/a/1/c/d/e/f/g"), [])
    }

    func testFindsNothingWhereANameGetsWhatIsNoText() {
        for raw in ["%00", "a%00b", "%2F", "a%2fb", "%FF", "%C3", "%ED%A0%80", "%", "%1", "%zz"] {
            guard case .notFound = router.match(.get, "/goals/\(raw)") else {
                return XCTFail(raw)
            }
        }
    }

    func testTellsTheMethodsOfAPath() {
        let allowed: [(HTTP.Method, String, [HTTP.Method])] = [
            (.post, "/livez", [.get, .head, .options]),
            (.put, "/goals", [.get, .head, .post, .options]),
            (.options, "/goals", [.get, .head, .post, .options]),
            (.post, "/goals/archive", [.get, .head, .options]),
            (.delete, "/goals/1", [.get, .head, .patch, .options]),
            (.get, "/goals/1/transactions", [.post, .options]),
            (.head, "/goals/1/transactions", [.post, .options]),
            (.post, "/heads", [.head, .get, .options]),
            (.trace, "/", [.get, .head, .options]),
        ]
        for (method, path, methods) in allowed {
            guard case .methodNotAllowed(methods) = router.match(method, path) else {
                return XCTFail("\(method) \(path): \(router.match(method, path))")
            }
            XCTAssertEqual(router.methods(at: path), methods)
        }
    }

    func testMatchesTheTargetOfARequest() {
        guard case .found("show", let parameters) = router.match(Request(.get, "/goals/1?a=/b"))
        else { return XCTFail("The query is in the way") }
        XCTAssertEqual(parameters["goal"], "1")

        guard case .notFound = router.match(Request(.options, "*")) else {
            return XCTFail("The server as a whole is no path")
        }
    }

    func testMatchesAnAbsoluteTargetByItsPath() throws {
        let targets: [(String, String)] = [
            ("http://a/goals", "list"), ("http://a", "root"), ("http://a?b", "root"),
        ]
        for (target, handler) in targets {
            let request = try request("GET \(target) HTTP/1.1\r\nHost: b\r\n\r\n")
            guard case .found(handler, _) = router.match(request) else { return XCTFail(target) }
        }
        let whole = try request("OPTIONS http://a HTTP/1.1\r\nHost: b\r\n\r\n")
        guard case .notFound = router.match(whole) else {
            return XCTFail("The server as a whole is no path")
        }
    }

    func testListsItsTable() {
        XCTAssertEqual(router.routes.count, 12)
        XCTAssertEqual(router.routes[8].method, .delete)
        XCTAssertEqual(router.routes[8].pattern.text, "/goals/:goal/transactions/:transaction")
        XCTAssertEqual(router.routes[8].pattern.parameterNames, ["goal", "transaction"])
    }
}
