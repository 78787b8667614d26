import HTTP
import Store
import XCTest

@testable import API

/// What all endpoints have in common: methods, types of bodies, health, and refusals.
final class ProtocolTests: APITestCase {
    private let absent = "/goals/00000000-0000-4000-8000-000000000001"

    // MARK: - Methods and paths

    func testSaysWhichMethodsAPathTakes() async throws {
        let cases: [(HTTP.Method, String, allowed: Set<String>)] = [
            (.delete, "/goals", ["GET", "HEAD", "OPTIONS", "POST"]),
            (.put, "/goals/1", ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH"]),
            (.patch, "/goals/1/statistics", ["GET", "HEAD", "OPTIONS"]),
            (.post, "/livez", ["GET", "HEAD", "OPTIONS"]),
        ]
        for (method, path, allowed) in cases {
            let response = try await api.send(method, path)
            let list = try XCTUnwrap(response.headers[.allow])
            XCTAssertEqual(Set(list.split(separator: ", ").map(String.init)), allowed, path)
            try XCTAssertProblem(
                response,
                .methodNotAllowed,
                detail: "This path does not take \(method.rawValue), but \(list)."
            )
        }
    }

    func testOptionsAnswersWithTheMethods() async throws {
        let cases: [(String, allowed: Set<String>)] = [
            ("/goals", ["GET", "HEAD", "OPTIONS", "POST"]),
            (absent, ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH"]),
            ("/readyz", ["GET", "HEAD", "OPTIONS"]),
            ("*", ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST"]),
        ]
        for (path, allowed) in cases {
            let response = try await api.send(.options, path)
            XCTAssertEqual(response.status, .noContent, path)
            let list = try XCTUnwrap(response.headers[.allow], path)
            XCTAssertEqual(Set(list.split(separator: ", ").map(String.init)), allowed, path)
        }
        try XCTAssertProblem(await api.send(.options, "/nothing"), .notFound)
    }

    func testThereIsNothingAtOtherPaths() async throws {
        let paths = [
            "/", "/goal", "/goals/", "//goals", "/Goals", "\(absent)/", "\(absent)/x",
            "/openapi.yml", "/goals%2F1", "/problems",
        ]
        for path in paths {
            try XCTAssertProblem(
                await get(path),
                .notFound,
                detail: "There is nothing at this path."
            )
        }
    }

    func testHeadIsAnsweredLikeGetWithoutABody() async throws {
        let goal = try await createGoal()
        for path in ["/goals", goal, "\(goal)/statistics", "\(goal)/transactions", "/livez"] {
            let head = try await api.send(.head, path)
            let full = try await get(path)
            XCTAssertEqual(head.status, .ok, path)
            XCTAssertEqual(head.body, [])
            XCTAssertEqual(head.headers[.eTag], full.headers[.eTag])
            XCTAssertEqual(head.headers[.contentType], full.headers[.contentType])
        }
    }

    // MARK: - Types of bodies

    func testTakesJSONInUTF8() async throws {
        let types = [
            "application/json", "Application/JSON", "application/json; charset=utf-8",
            "application/json ;charset=\"UTF-8\"", "application/json;profile=x",
        ]
        for type in types {
            let response = try await api.post(
                "/goals",
                #"{"title": "Bike"}"#,
                headers: [.contentType: type, .contentEncoding: "identity"]
            )
            XCTAssertEqual(response.status, .created, "\(type): \(response.text)")
        }
    }

    func testRefusesOtherTypesOfBodies() async throws {
        let cases: [HeaderFields] = [
            [:],
            [.contentType: ""],
            [.contentType: "text/plain"],
            [.contentType: "application/x-www-form-urlencoded"],
            [.contentType: "application/merge-patch+json"],
            [.contentType: "application/jsonx"],
            [.contentType: "application/json, text/plain"],
            [.contentType: "application/json; charset=iso-8859-1"],
            [.contentType: "application/json; charset=utf-16"],
            [.contentType: "application/json", .contentEncoding: "gzip"],
        ]
        for headers in cases {
            let response = try await api.post("/goals", #"{"title": "Bike"}"#, headers: headers)
            try XCTAssertProblem(response, .unsupportedMediaType)
            XCTAssertEqual(response.headers[.accept], "application/json")
        }
    }

    func testTakesPatchesUnderBothTheirNames() async throws {
        let goal = try await createGoal()
        for type in ["application/json", "application/merge-patch+json"] {
            let response = try await api.send(
                .patch,
                goal,
                body: Array("{}".utf8),
                headers: [.contentType: type]
            )
            XCTAssertEqual(response.status, .ok)
        }
        let response = try await api.send(
            .patch,
            goal,
            body: Array("[]".utf8),
            headers: [.contentType: "application/json-patch+json"]
        )
        try XCTAssertProblem(
            response,
            .unsupportedMediaType,
            detail: "The Content-Type must be one of: application/merge-patch+json, "
                + "application/json."
        )
        XCTAssertEqual(
            response.headers[.accept],
            "application/merge-patch+json, application/json"
        )
    }

    // MARK: - Queries

    func testRefusesParametersThatAResourceDoesNotKnow() async throws {
        let goal = try await createGoal()
        for path in [goal, "\(goal)/transactions/\(goal.suffix(36))", "/openapi.yaml"] {
            try XCTAssertProblem(
                await get("\(path)?a=1&b"),
                .malformedQuery,
                mistakes: [
                    "a": "is not a parameter of this resource",
                    "b": "is not a parameter of this resource",
                ]
            )
        }
        let empty = try await get("\(goal)?")
        XCTAssertEqual(empty.status, .ok)
    }

    func testRefusesQueriesThatCannotBeDecoded() async throws {
        for query in ["search=%ff", "search=%C3", "%C3=1", "a=1&b=%ED%A0%80"] {
            try XCTAssertProblem(
                await get("/goals?\(query)"),
                .malformedQuery,
                detail: "The query cannot be decoded: a percent sign must be followed by two "
                    + "hexadecimal digits, and what they encode must be UTF-8 text without NUL or "
                    + "more than 200 accents in a row."
            )
        }
    }

    // MARK: - Health and the contract

    func testIsHealthyWhateverTheQuery() async throws {
        for path in ["/livez", "/readyz", "/healthz", "/livez?now=%FF", "/readyz?a&a"] {
            let response = try await get(path)
            XCTAssertEqual(response.status, .ok)
            XCTAssertEqual(response.text, #"{"status":"ok"}"#)
            XCTAssertEqual(response.headers[.contentType], "application/json")
            XCTAssertEqual(response.headers[.cacheControl], "no-store")
        }
    }

    func testShowsFiguresToThoseWhoAsk() async throws {
        for path in ["/readyz?verbose", "/healthz?a=1&verbose=no"] {
            let response = try await get(path)
            XCTAssertEqual(response.text, #"{"status":"ok","figures":{"openConnections":3}}"#)
        }
    }

    func testServesItsContract() async throws {
        let response = try await get("/openapi.yaml")

        XCTAssertEqual(response.text, OpenAPIDocument.text)
        XCTAssertEqual(response.headers[.contentType], "application/yaml")
    }

    func testItsRoutesAreThoseOfTheContract() throws {
        let routes = Router.api.routes.map { route in
            let path = route.pattern.text.split(separator: "/").map { segment in
                segment.first == ":" ? "{\(segment.dropFirst())}" : String(segment)
            }
            return "\(route.method.rawValue) /\(path.joined(separator: "/"))"
        }
        let operations = try Contract.shared.get().operations.map { "\($0.method) \($0.path)" }

        XCTAssertEqual(routes.sorted(), operations.sorted())
    }

    // MARK: - Problems from elsewhere

    func testPutsRefusalsIntoWords() throws {
        let refusals: [(Refusal, Problem.Code)] = [
            (.malformed("The request line is not one."), .malformedRequest),
            (.headTooLarge, .headTooLarge),
            (.targetTooLong, .targetTooLong),
            (.contentTooLarge, .contentTooLarge),
            (.expectationFailed, .expectationFailed),
            (.methodNotImplemented, .notImplemented),
            (.transferCodingUnsupported, .notImplemented),
            (.versionUnsupported, .versionNotSupported),
            (.timedOut, .requestTimeout),
        ]
        for (refusal, code) in refusals {
            let response = Problem(refusal).response(to: try XCTUnwrap(RequestID(given: "test")))
            XCTAssertEqual(response.status, refusal.status)
            try XCTAssertProblem(response, code, detail: refusal.detail)
        }
    }

    func testSaysWhenToTryAgain() throws {
        let cases: [(StoreError, Problem.Code, retryAfter: String?)] = [
            (.queueFull, .overloaded, "1"),
            (.storage(.other("disk I/O error")), .storageUnavailable, "5"),
            (.storage(.diskFull), .storageFull, nil),
        ]
        for (error, code, retryAfter) in cases {
            let response = Problem(error).response(to: try XCTUnwrap(RequestID(given: "test")))
            try XCTAssertProblem(response, code)
            XCTAssertEqual(response.headers[.retryAfter], retryAfter)
            XCTAssertFalse(response.text.contains("I/O"), "What happened inside stays in the log")
        }
    }

    func testEveryCodeHasAWordAndATitleOfItsOwn() {
        let codes = Problem.Code.allCases
        for code in codes {
            XCTAssertTrue(code.rawValue.allSatisfy { $0.isLowercase || $0 == "-" }, code.rawValue)
            XCTAssertGreaterThanOrEqual(code.status.code, 400)
        }
        XCTAssertEqual(Set(codes.map(\.title)).count, codes.count)
    }
}
