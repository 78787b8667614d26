import Foundation
import Synchronization
import XCTest

@testable import OfflineClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the client does with answers that a good server seldom gives.
final class RetryTests: XCTestCase {
    private let nothing = #"{"changes":[],"next":"a","hasMore":false}"#

    func testWaitsAsLongAsTheServerAsksAndLongerEachTime() async throws {
        let server = ScriptedServer([
            .answer(503, ["Retry-After": "7"], ""),
            .answer(429, ["Retry-After": "3"], Self.problem(429, "rate-limited")),
            .lost,
            .answer(200, [:], #"{"changes":[],"ne"#),
            .answer(200, [:], nothing),
        ])
        let waits = Waits()
        let client = try client(of: server, waits: waits)

        try await client.sync()

        XCTAssertEqual(waits.all, [7.5, 4, 2, 4])
    }

    func testWaitsNoLongerThanTheLongestTime() {
        var retries = RetryPolicy()
        retries.chance = { 1 }
        XCTAssertEqual(retries.pause(afterFailures: 1_000_000, retryAfter: nil), 60)
        retries.chance = { 0 }
        XCTAssertEqual(retries.pause(afterFailures: 3, retryAfter: 9), 9)
    }

    func testGivesUpAndLosesNothing() async throws {
        let server = ScriptedServer(Array(repeating: .lost, count: 8))
        let waits = Waits()
        let client = try client(of: server, waits: waits)
        try await client.createGoal(title: "Bike", currency: "EUR")

        do {
            try await client.sync()
            XCTFail("Nothing was ever answered")
        } catch is Unreachable {
            XCTAssertEqual(waits.all.count, 7)
        }

        let isPending = await client.goals.map(\.isPending)
        XCTAssertEqual(isPending, [true])
    }

    func testSendsTheSameAgainUnderTheSameKeyAlsoAfterANewStart() async throws {
        let file = try temporaryFile()
        let server = ScriptedServer([.answer(200, [:], nothing)])
        var client = try client(of: server, file: file, attempts: 1)
        let goal = try await client.createGoal(title: "Bike", currency: "EUR")
        try await assertUnreachable(client)
        // What is done now has to wait for the next piece.
        try await client.edit(goal: goal) { $0.title = "Boat" }
        client = try self.client(of: server, file: file, attempts: 1)
        try await assertUnreachable(client)

        let batches = server.requests.filter { $0.url?.path() == "/batch" }
        XCTAssertEqual(batches.count, 2)
        XCTAssertEqual(batches.first?.httpBody, batches.last?.httpBody)
        let keys = batches.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }
        XCTAssertNotNil(keys[0])
        XCTAssertEqual(keys[0], keys[1])
        let body = try XCTUnwrap(batches.first?.httpBody)
        XCTAssertTrue(String(decoding: body, as: UTF8.self).contains("Bike"))
    }

    func testReadsAnewWhenItWasAwayForTooLong() async throws {
        let (old, new) = (UUID.version7(), UUID.version7())
        for code in ["resync-required", "malformed-cursor"] {
            let server = ScriptedServer([
                .answer(200, [:], Self.page(goal: old, next: "a")),
                .answer(410, [:], Self.problem(410, code)),
                .answer(200, [:], Self.page(goal: new, next: "b")),
                .lost,
            ])
            let client = try client(of: server, attempts: 1)
            try await client.sync()
            let mine = try await client.createGoal(title: "Bike", currency: "EUR")

            try await assertUnreachable(client)

            let goals = await client.goals.map(\.goal.id)
            XCTAssertEqual(Set(goals), [new, mine], code)
            let since = server.requests.map { $0.url?.query() }
            XCTAssertEqual(since, ["limit=200", "limit=200&since=a", "limit=200", nil], code)
        }
    }

    func testReadsAnewWhenChangesAreRefusedForNoReasonThatItCanSee() async throws {
        let goal = UUID.version7()
        let refused = Self.problem(
            412,
            "precondition-failed",
            errors: #"[{"pointer": "/commands/0", "detail": ""}]"#
        )
        let again = (1...5).flatMap { _ in
            [ScriptedServer.Answer.answer(200, [:], nothing), .answer(412, [:], refused)]
        }
        let server = ScriptedServer([.answer(200, [:], Self.page(goal: goal, next: "a"))] + again)
        let client = try client(of: server, attempts: 1)
        try await client.sync()
        try await client.edit(goal: goal) { $0.title = "Mine" }

        try await assertUnreachable(client)

        XCTAssertEqual(server.requests.count, 12)
        XCTAssertEqual(server.requests.last?.url?.query(), "limit=200")
        let queue = await client.queue.count
        XCTAssertEqual(queue, 1)
    }

    func testSendsLessAtOnceWhenItWasTooMuch() async throws {
        let tooLarge = Self.problem(
            422,
            "batch-too-large",
            errors: #"[{"pointer": "/commands/2", "detail": ""}]"#
        )
        let server = ScriptedServer([
            .answer(200, [:], nothing),
            .answer(413, [:], Self.problem(413, "content-too-large")),
            .answer(200, [:], nothing),
            .answer(422, [:], tooLarge),
            .answer(200, [:], nothing),
        ])
        let client = try client(of: server, attempts: 1)
        for number in 1...8 {
            try await client.createGoal(title: "\(number)", currency: "EUR")
        }

        try await assertUnreachable(client)

        let counts = try server.requests.compactMap(\.httpBody).map { body in
            let batch = try JSONSerialization.jsonObject(with: body) as? [String: [Any]]
            return batch?["commands"]?.count
        }
        XCTAssertEqual(counts, [8, 4, 2])
        let (queue, refusals) = (await client.queue.count, await client.refusals)
        XCTAssertEqual(queue, 8)
        XCTAssertEqual(refusals, [])
    }

    private func client(
        of server: ScriptedServer,
        file: URL? = nil,
        attempts: Int = 8,
        waits: Waits = Waits()
    ) throws -> OfflineClient {
        var retries = RetryPolicy()
        retries.attempts = attempts
        retries.chance = { 1 }
        retries.wait = { waits.add($0) }
        return try OfflineClient(
            file: try file ?? temporaryFile(),
            address: try address(port: 1),
            token: nil,
            retries: retries,
            send: { try server.answer(to: $0) },
            resolve: { _ in .keepMine }
        )
    }

    private func assertUnreachable(_ client: OfflineClient) async throws {
        do {
            try await client.sync()
            XCTFail("The last request is not answered")
        } catch is Unreachable {
            // As it should be.
        }
    }

    private static func problem(_ status: Int, _ code: String, errors: String = "[]") -> String {
        #"{"status":\#(status),"code":"\#(code)","title":"","detail":"","errors":\#(errors)}"#
    }

    private static func page(goal: UUID, next: String) -> String {
        #"""
        {"changes": [{"type": "goal", "id": "\#(goal)", "revision": 1, "deleted": false, "goal": {
            "id": "\#(goal)", "title": "Seen", "note": "", "currency": "EUR", "targetAmount": null,
            "startingAmount": "0.00", "plannedCompletionDate": null, "status": "active", "revision": 1
        }}, {"type": "badge", "id": "1", "deleted": false}], "next": "\#(next)", "hasMore": false}
        """#
    }
}

/// Answers as it was told to, one after the other; afterwards, not at all.
private final class ScriptedServer: Sendable {
    enum Answer: Sendable {
        case answer(Int, [String: String], String)
        case lost
    }

    private struct Log {
        var answers: [Answer]
        var requests: [URLRequest] = []
    }

    private let log: Mutex<Log>

    init(_ answers: [Answer]) {
        log = Mutex(Log(answers: answers.reversed()))
    }

    var requests: [URLRequest] { log.withLock { $0.requests } }

    func answer(to request: URLRequest) throws -> (Data, URLResponse) {
        let answer = log.withLock { log in
            log.requests.append(request)
            return log.answers.popLast()
        }
        guard
            case .answer(let status, let fields, let body) = answer, let url = request.url,
            let response = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: nil,
                headerFields: fields
            )
        else { throw URLError(.networkConnectionLost) }
        return (Data(body.utf8), response)
    }
}

/// How long somebody was told to wait.
private final class Waits: Sendable {
    private let seconds = Mutex<[TimeInterval]>([])

    var all: [TimeInterval] { seconds.withLock { $0 } }

    func add(_ wait: TimeInterval) {
        seconds.withLock { $0.append(wait) }
    }
}
