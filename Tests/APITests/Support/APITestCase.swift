import Foundation
import Goals
import HTTP
import Store
import Synchronization
import XCTest

@testable import API

/// A test of endpoints: a fresh application over a fresh store, on the morning of 15 January 2027.
///
/// Requests are values that are handed over in process. With `GOALPOST_TEST_LIVE=1` in the environment
/// they are bytes, which go through a server on a free port; the tests are the same. Every answer is
/// held against the contract besides.
class APITestCase: XCTestCase {
    private(set) var clock = TestClock(.testStart)
    private var running: Running?
    private var reports = Reports()

    private struct Running {
        let store: GoalStore
        let application: Application
        let api: TestAPI
    }

    override func setUpWithError() throws {
        let clock = TestClock(.testStart)
        self.clock = clock
        let reports = Reports()
        self.reports = reports
        let store = try GoalStore(at: .memory, now: { clock.moment })
        let count = Mutex<UInt64>(0)
        let application = Application(
            store: store,
            settings: try settings(),
            now: { clock.moment },
            report: { error, id in reports.append("\(error)", during: id) },
            figures: { [Figure("openConnections", 3)] },
            random: {
                count.withLock {
                    $0 += 1
                    return $0
                }
            }
        )
        let connector: any Connector =
            ProcessInfo.processInfo.environment["GOALPOST_TEST_LIVE"] == "1"
            ? try SocketConnector(application) : DirectConnector(application: application)
        running = Running(
            store: store,
            application: application,
            api: TestAPI(connector: connector)
        )
    }

    override func tearDown() {
        XCTAssertEqual(takeReports(), [], "The server is at fault")
        running?.api.connector.close()
        running?.store.close()
        running = nil
    }

    /// What the owner of the server has decided; some tests decide otherwise.
    func settings() throws -> APISettings {
        APISettings(currency: currency("USD"), timeZone: try XCTUnwrap(Zones().zone(named: "UTC")))
    }

    var api: TestAPI {
        guard let running else { preconditionFailure("There is no API but during a test") }
        return running.api
    }

    var store: GoalStore {
        guard let running else { preconditionFailure("There is no store but during a test") }
        return running.store
    }

    var application: Application {
        guard let running else { preconditionFailure("There is no API but during a test") }
        return running.application
    }

    /// The errors of the server's own that were reported since they were last taken.
    func takeReports() -> [String] {
        reports.take()
    }
}

// MARK: - Requests

/// The API as a client sees it, for tests that ask from several tasks at a time.
struct TestAPI: Sendable {
    fileprivate let connector: any Connector

    @discardableResult
    func send(
        _ method: HTTP.Method,
        _ target: String,
        body: [UInt8] = [],
        headers: HeaderFields = [:]
    ) async throws -> Response {
        var headers = headers
        headers.append("test", for: .xRequestID)
        let request = Request(method, target, headers: headers, body: body)
        let response = try await connector.send(request)
        try assertKeepsContract(response, to: request)
        return response
    }

    @discardableResult
    func get(_ target: String, headers: HeaderFields = [:]) async throws -> Response {
        try await send(.get, target, headers: headers)
    }

    @discardableResult
    func post(
        _ target: String,
        _ body: String,
        headers: HeaderFields = [.contentType: "application/json"]
    ) async throws -> Response {
        try await send(.post, target, body: Array(body.utf8), headers: headers)
    }

    @discardableResult
    func patch(
        _ target: String,
        _ body: String,
        headers: HeaderFields = [:]
    ) async throws -> Response {
        var headers = headers
        headers.append("application/merge-patch+json", for: .contentType)
        return try await send(.patch, target, body: Array(body.utf8), headers: headers)
    }

    @discardableResult
    func delete(_ target: String, headers: HeaderFields = [:]) async throws -> Response {
        try await send(.delete, target, headers: headers)
    }

    private func assertKeepsContract(_ response: Response, to request: Request) throws {
        let contract = try Contract.shared.get()
        let method = request.method == .head ? "GET" : request.method.rawValue
        guard
            request.method != .head,
            let operation = contract.operation(method, request.path)
        else { return }
        let mistakes = try contract.mistakes(in: response, to: operation)
        XCTAssertEqual(mistakes, [], "\(method) \(request.path): \(response.text)")
    }
}

extension APITestCase {
    @discardableResult
    func get(_ target: String, headers: HeaderFields = [:]) async throws -> Response {
        try await api.get(target, headers: headers)
    }

    @discardableResult
    func post(_ target: String, _ body: String) async throws -> Response {
        try await api.post(target, body)
    }

    @discardableResult
    func patch(
        _ target: String,
        _ body: String,
        headers: HeaderFields = [:]
    ) async throws -> Response {
        try await api.patch(target, body, headers: headers)
    }

    @discardableResult
    func delete(_ target: String, headers: HeaderFields = [:]) async throws -> Response {
        try await api.delete(target, headers: headers)
    }

    /// Creates a goal, and returns the path where it is.
    func createGoal(_ body: String = #"{"title": "Bike"}"#) async throws -> String {
        let response = try await post("/goals", body)
        XCTAssertEqual(response.status, .created, response.text)
        return try XCTUnwrap(response.headers[.location])
    }

    /// Records a transaction, and returns the path where it is.
    func record(_ body: String, in goal: String) async throws -> String {
        let response = try await post("\(goal)/transactions", body)
        XCTAssertEqual(response.status, .created, response.text)
        return try XCTUnwrap(response.headers[.location])
    }
}

// MARK: - Values that a test names; a typing mistake in one stops the test.

func currency(_ code: String) -> Currency {
    guard let currency = Currency(code) else { preconditionFailure("No such currency: \(code)") }
    return currency
}

func day(_ text: String) -> CalendarDay {
    guard let day = CalendarDay(text) else { preconditionFailure("No such day: \(text)") }
    return day
}

// MARK: - Responses

extension Response {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body, read by a reader other than the one under test.
    var json: JSONTree {
        get throws { try JSONTree(json: body) }
    }
}

/// Asserts that a response has a status and, key order and blanks aside, a JSON body.
func XCTAssertResponse(
    _ response: Response,
    _ status: Status,
    _ body: String? = nil,
    file: StaticString = #filePath,
    line: UInt = #line
) throws {
    XCTAssertEqual(response.status, status, response.text, file: file, line: line)
    guard let body else { return }
    XCTAssertEqual(try response.json, try JSONTree(json: Array(body.utf8)), file: file, line: line)
}

/// Asserts that a response is a problem of a kind, and names these mistakes and no others.
///
/// What the problem says is not looked at if `detail` is `nil`.
func XCTAssertProblem(
    _ response: Response,
    _ code: Problem.Code,
    detail: String? = nil,
    mistakes: KeyValuePairs<String, String> = [:],
    file: StaticString = #filePath,
    line: UInt = #line
) throws {
    XCTAssertEqual(response.status, code.status, response.text, file: file, line: line)
    XCTAssertEqual(
        response.headers[.contentType],
        "application/problem+json",
        file: file,
        line: line
    )
    var expected: [String: JSONTree] = [
        "type": .string("/problems/\(code.rawValue)"),
        "title": .string(code.title),
        "status": .number(Double(code.status.code)),
        "code": .string(code.rawValue),
        "requestId": .string("test"),
    ]
    let body = try response.json
    expected["detail"] = detail.map(JSONTree.string) ?? body["detail"]
    if !mistakes.isEmpty {
        expected["errors"] = .array(
            mistakes.map { .object(["pointer": .string($0.key), "detail": .string($0.value)]) }
        )
    }
    XCTAssertEqual(body, .object(expected), file: file, line: line)
}
