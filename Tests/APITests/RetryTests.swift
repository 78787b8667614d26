import Goals
import HTTP
import XCTest

@testable import API

/// The same request again, under its `Idempotency-Key`.
final class RetryTests: APITestCase {
    func testGivesTheFirstAnswerAgain() async throws {
        let goal = try await createGoal()
        let first = try await post("/goals", #"{"title": "Boat"}"#, key: "a-1")
        let again = try await post("/goals", #"{"title": "Boat"}"#, key: "\"a-1\"")

        XCTAssertEqual(first.status, .created)
        XCTAssertNil(first.headers[.idempotentReplayed])
        XCTAssertEqual(again.status, .created)
        XCTAssertEqual(again.body, first.body)
        XCTAssertEqual(again.headers[.idempotentReplayed], "true")
        for name: FieldName in [.eTag, .location, .contentType, .cacheControl] {
            XCTAssertEqual(again.headers[name], first.headers[name], "\(name)")
            XCTAssertNotNil(again.headers[name], "\(name)")
        }
        let count = try await get("/goals").json["items"]?.items?.count
        XCTAssertEqual(count, 2)

        // Whatever has become of it, and of what it is about.
        let body = #"{"transactionType": "income", "amount": 5}"#
        let recorded = try await post("\(goal)/transactions", body, key: "a-2")
        try await delete(goal)
        let recordedAgain = try await post("\(goal)/transactions", body, key: "a-2")
        XCTAssertEqual(recordedAgain.body, recorded.body)
        XCTAssertEqual(recordedAgain.status, .created)
    }

    func testRefusesAnotherRequestUnderTheKey() async throws {
        let goal = try await createGoal()
        try await post("/goals", #"{"title": "Boat"}"#, key: "k")

        let others = [
            ("/goals", #"{"title": "Boats"}"#),
            ("\(goal)/transactions", #"{"title": "Boat"}"#),
        ]
        for (path, body) in others {
            try XCTAssertProblem(
                try await post(path, body, key: "k"),
                .idempotencyKeyReused,
                detail: "Another request came with this Idempotency-Key before. Take a new key for "
                    + "each thing that is to be done once."
            )
        }
        let count = try await get("/goals").json["items"]?.items?.count
        XCTAssertEqual(count, 2)
    }

    func testAReplayIsCheckedLikeAnyOtherRequest() async throws {
        let body = #"{"title": "Boat"}"#
        try await post("/goals", body, key: "k")

        let conditional = try await api.post(
            "/goals",
            body,
            headers: [.contentType: "application/json", .idempotencyKey: "k", .ifMatch: "\"9\""]
        )
        let otherType = try await api.post(
            "/goals",
            body,
            headers: [.contentType: "text/plain", .idempotencyKey: "k"]
        )

        try XCTAssertProblem(conditional, .malformedHeader)
        try XCTAssertProblem(otherType, .idempotencyKeyReused)
    }

    func testDoesWhatManyAskForAtOnceOnlyOnce() async throws {
        let goal = try await createGoal()
        let api = api
        let body = #"{"transactionType": "income", "amount": "1.00"}"#
        let answers = try await withThrowingTaskGroup(of: Response.self) { group in
            for _ in 1...50 {
                group.addTask {
                    try await api.post(
                        "\(goal)/transactions",
                        body,
                        headers: [.contentType: "application/json", .idempotencyKey: "same"]
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        XCTAssertEqual(Set(answers.map(\.text)).count, 1)
        XCTAssertEqual(answers.count { $0.headers[.idempotentReplayed] == "true" }, 49)
        let saved = try await get(goal).json["savedAmount"]
        XCTAssertEqual(saved, .string("1.00"))
    }

    func testKeepsNothingOfWhatWasRefused() async throws {
        let refused = try await post("/goals", #"{"title": ""}"#, key: "k")
        let corrected = try await post("/goals", #"{"title": "Boat"}"#, key: "k")

        XCTAssertEqual(refused.status, .unprocessableContent)
        XCTAssertEqual(corrected.status, .created)

        // Nor of what the state of things forbids: that may change.
        let goal = try XCTUnwrap(corrected.headers[.location])
        try await patch(goal, #"{"status": "archived"}"#)
        let body = #"{"transactionType": "income", "amount": 5}"#
        let forbidden = try await post("\(goal)/transactions", body, key: "k2")
        try await patch(goal, #"{"status": "active"}"#)
        let allowed = try await post("\(goal)/transactions", body, key: "k2")
        XCTAssertEqual([forbidden.status, allowed.status], [.conflict, .created])
    }

    func testForgetsAnAnswerAfterADay() async throws {
        let first = try await post("/goals", #"{"title": "Boat"}"#, key: "k")
        clock.moment = clock.moment.adding(milliseconds: 24 * 3_600_000 - 1)
        let again = try await post("/goals", #"{"title": "Boat"}"#, key: "k")
        clock.moment = clock.moment.adding(milliseconds: 1)
        let later = try await post("/goals", #"{"title": "Boat"}"#, key: "k")

        XCTAssertEqual(again.body, first.body)
        XCTAssertNotEqual(later.body, first.body)
        XCTAssertEqual(later.status, .created)
    }

    func testAPatchNeedsNoKey() async throws {
        let goal = try await createGoal()
        for _ in 1...2 {
            let response = try await patch(
                goal,
                #"{"note": "x"}"#,
                headers: [.idempotencyKey: "k"]
            )
            XCTAssertNil(response.headers[.idempotentReplayed])
            XCTAssertEqual(response.headers[.eTag], "\"2\"")
        }
    }

    func testRefusesWhatIsNoKey() async throws {
        let wrong = [
            "", " ", "\"\"", "\"", "a b", "\"a", "a\"b", "\"a\"b\"", "ключ",
            String(repeating: "k", count: 256),
        ]
        for value in wrong {
            try XCTAssertProblem(
                try await post("/goals", #"{"title": "Boat"}"#, key: value),
                .malformedHeader,
                detail:
                    "Idempotency-Key must be 1 to 255 visible characters of ASCII, without quotes "
                    + "or in double quotes."
            )
        }
        let longest = String(repeating: "k", count: 255)
        let response = try await post("/goals", #"{"title": "Boat"}"#, key: longest)
        XCTAssertEqual(response.status, .created)
    }

    @discardableResult
    private func post(_ target: String, _ body: String, key: String) async throws -> Response {
        try await api.post(
            target,
            body,
            headers: [.contentType: "application/json", .idempotencyKey: key]
        )
    }
}
