import HTTP
import Store
import XCTest

@testable import API

/// What the cache does for requests, beyond what its own tests show.
final class CachedResponseTests: APITestCase {
    func testAHitNeedsNoStore() async throws {
        let goal = try await createGoal(#"{"title": "Bike", "targetAmount": 5}"#)
        let paths = [goal, "\(goal)/statistics", "\(goal)/statistics?onlyExpenses=true"]
        var first: [Response] = []
        for path in paths { first.append(try await get(path)) }

        store.close()

        for (path, expected) in zip(paths, first) {
            let again = try await get(path)
            XCTAssertEqual(again, expected)
            let tag = try XCTUnwrap(expected.headers[.eTag])
            let unchanged = try await get(path, headers: [.ifNoneMatch: tag])
            XCTAssertEqual(unchanged.status, .notModified)
        }
    }

    func testEveryChangeIsSeenByTheNextRequest() async throws {
        let goal = try await createGoal()
        let income = try await record(#"{"transactionType": "income", "amount": 1}"#, in: goal)
        let changes: [(HTTP.Method, String, String, saved: String)] = [
            (.patch, goal, #"{"startingAmount": 10}"#, "11.00"),
            (.post, "\(goal)/transactions", #"{"transactionType":"expense","amount":2}"#, "9.00"),
            (.patch, income, #"{"amount": 5}"#, "13.00"),
            (.delete, income, "", "8.00"),
        ]
        for (method, path, body, saved) in changes {
            _ = try await get(goal)
            _ = try await get("\(goal)/statistics")

            let response = try await api.send(
                method,
                path,
                body: Array(body.utf8),
                headers: [.contentType: "application/json"]
            )

            XCTAssertTrue((200...299).contains(response.status.code), response.text)
            for path in [goal, "\(goal)/statistics"] {
                let json = try await get(path).json
                XCTAssertEqual(json["savedAmount"], .string(saved), "\(path) after \(method)")
            }
        }
    }

    func testReadersNeverSeeLessThanWhatWasAnswered() async throws {
        let goal = try await createGoal()
        let api = api

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        let written = try await api.patch(
                            goal,
                            #"{"note": "\#(UInt64.random(in: 0 ... .max))"}"#
                        )
                        let revision = try XCTUnwrap(written.json["revision"]?.number)
                        for path in [goal, "\(goal)/statistics"] {
                            let read = try await api.get(path)
                            let seen = try XCTUnwrap(read.json["revision"]?.number)
                            XCTAssertGreaterThanOrEqual(seen, revision)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }

        let last = try await get(goal)
        XCTAssertEqual(try last.json["revision"], .number(101))
    }
}
