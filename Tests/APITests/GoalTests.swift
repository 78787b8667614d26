import HTTP
import XCTest

@testable import API

/// Showing, changing and deleting goals.
final class GoalTests: APITestCase {
    func testReadsIDsInEitherCase() async throws {
        let goal = try await createGoal(
            #"{"id": "0123abcd-0000-4000-8000-00000000abcd", "title": "Bike"}"#
        )

        let response = try await get("/goals/0123ABCD-0000-4000-8000-00000000ABCD")

        let expected = try await get(goal)
        XCTAssertEqual(response, expected)
        XCTAssertEqual(response.status, .ok)
    }

    func testWhatIsNoIDIsTheIDOfNothing() async throws {
        let ids = [
            "1", "0123abcd-0000-4000-8000-00000000abc", "0123abcd-0000-4000-8000-00000000abcdd",
            "0123abcd00004000800000000000abcd", "%7B0123abcd-0000-4000-8000-00000000abcd%7D",
            "0123abcd-0000-4000-8000-00000000abcg", "%20", "..",
        ]
        for id in ids {
            for path in ["/goals/\(id)", "/goals/\(id)/statistics", "/goals/\(id)/transactions"] {
                let response = try await get(path)
                XCTAssertEqual(response.status, .notFound, path)
            }
            let patched = try await patch("/goals/\(id)", "{}")
            XCTAssertEqual(patched.status, .notFound)
            let deleted = try await delete("/goals/\(id)")
            XCTAssertEqual(deleted.status, .notFound)
        }
        try XCTAssertProblem(
            await get("/goals/1"),
            .notFound,
            detail: "There is no goal with this id."
        )
    }

    func testChangesWhatIsNamedAndNothingElse() async throws {
        let goal = try await createGoal(
            #"{"title": "Bike", "note": "Red", "targetAmount": 100, "startingAmount": 10}"#
        )
        clock.advance(byMilliseconds: 60_000)

        let response = try await patch(
            goal,
            #"{"title": "Boat", "startingAmount": "20.5", "plannedCompletionDate": "2028-02-29"}"#
        )

        try XCTAssertResponse(
            response,
            .ok,
            #"""
            {
                "id": "\#(goal.dropFirst("/goals/".count))",
                "title": "Boat",
                "note": "Red",
                "currency": "USD",
                "targetAmount": "100.00",
                "startingAmount": "20.50",
                "plannedCompletionDate": "2028-02-29",
                "status": "active",
                "completedAt": null,
                "savedAmount": "20.50",
                "remainingAmount": "79.50",
                "transactionCount": 0,
                "revision": 2,
                "createdAt": "2027-01-15T09:30:00.000Z",
                "updatedAt": "2027-01-15T09:31:00.000Z"
            }
            """#
        )
        XCTAssertEqual(response.headers[.eTag], "\"2\"")
        let shown = try await get(goal)
        XCTAssertEqual(shown.body, response.body)
    }

    func testNullClearsWhatCanBeCleared() async throws {
        let goal = try await createGoal(
            #"""
            {"title": "Bike", "note": "Red", "targetAmount": 100, "startingAmount": 10,
             "plannedCompletionDate": "2028-02-29"}
            """#
        )

        let response = try await patch(
            goal,
            #"""
            {"note": null, "targetAmount": null, "startingAmount": null,
             "plannedCompletionDate": null}
            """#
        )

        let json = try response.json
        XCTAssertEqual(json["note"], .string(""))
        XCTAssertEqual(json["targetAmount"], .null)
        XCTAssertEqual(json["startingAmount"], .string("0.00"))
        XCTAssertEqual(json["plannedCompletionDate"], .null)
        XCTAssertEqual(json["remainingAmount"], .null)
    }

    func testAPatchThatChangesNothingLeavesTheRevision() async throws {
        let goal = try await createGoal()
        let before = try await get(goal)
        clock.advance(byMilliseconds: 60_000)

        for body in ["{}", #"{"title": " Bike "}"#, #"{"note": null}"#] {
            let response = try await patch(goal, body)
            XCTAssertEqual(response.status, .ok)
            XCTAssertEqual(response.body, before.body)
        }
    }

    func testNamesEveryMistakeOfAPatchAtOnce() async throws {
        let goal = try await createGoal()

        try XCTAssertProblem(
            await patch(
                goal,
                #"""
                {"id": "x", "title": null, "currency": "EUR", "status": "done", "savedAmount": 1,
                 "targetAmount": "1.001", "colour": "red"}
                """#
            ),
            .validationFailed,
            mistakes: [
                "/title": "must be text of 1 to 200 characters, without control characters",
                "/targetAmount": #"must be a decimal number such as "1250.00" with at most 2 "#
                    + "decimals (USD), above 0, at most 9999999999999.99, or null",
                "/status": #"must be "active", "paused", "completed" or "archived""#,
                "/colour": "is not a member that this request may have",
                "/currency": "is set once, when the goal is created",
                "/id": "is read-only",
                "/savedAmount": "is read-only",
            ]
        )
    }

    func testAmountsOfAPatchAreInTheGoalsCurrency() async throws {
        let yen = try await createGoal(#"{"title": "Bike", "currency": "JPY"}"#)

        let wrong = try await patch(yen, #"{"targetAmount": "5.0"}"#)
        XCTAssertEqual(try wrong.pointers, ["/targetAmount"])
        let right = try await patch(yen, #"{"targetAmount": "5"}"#)
        XCTAssertEqual(try right.json["targetAmount"], .string("5"))
    }

    func testMovesStatusAsAllowed() async throws {
        let goal = try await createGoal()

        let completed = try await patch(goal, #"{"status": "completed"}"#)
        XCTAssertEqual(try completed.json["completedAt"], .string("2027-01-15T09:30:00.000Z"))
        try XCTAssertProblem(
            await patch(goal, #"{"status": "paused"}"#),
            .statusMoveNotAllowed,
            detail: #"A goal that is "completed" cannot become "paused". From there it can "#
                + #"become: "active", "archived"."#
        )
        let archived = try await patch(goal, #"{"status": "archived"}"#)
        XCTAssertEqual(try archived.json["completedAt"], .null)
        let active = try await patch(goal, #"{"status": "active"}"#)
        XCTAssertEqual(try active.json["status"], .string("active"))
    }

    func testADeletedGoalIsGoneWithAllBelowIt() async throws {
        let goal = try await createGoal()
        let income = #"{"transactionType": "income", "amount": 1}"#
        let transaction = try await record(income, in: goal)

        let response = try await delete(goal)
        XCTAssertEqual(response.status, .noContent)
        XCTAssertEqual(response.body, [])

        let answers = [
            try await get(goal), try await get("\(goal)/statistics"),
            try await get("\(goal)/transactions"), try await get(transaction),
            try await get("\(goal)/transactions/00000000-0000-4000-8000-000000000001"),
            try await patch(goal, "{}"), try await patch(goal, #"{"title": ""}"#),
            try await patch(transaction, "{}"), try await delete(goal),
            try await delete(transaction), try await post("\(goal)/transactions", income),
            try await post("\(goal)/transactions", "{}"),
        ]
        for answer in answers {
            try XCTAssertProblem(answer, .gone)
        }
        let list = try await get("/goals")
        XCTAssertEqual(list.text, #"{"items":[],"nextCursor":null}"#)
    }

    func testABodyOfAReadOrADeletionIsPassedOver() async throws {
        let goal = try await createGoal()
        let body = Array("{".utf8)

        let shown = try await api.send(.get, goal, body: body)
        XCTAssertEqual(shown.status, .ok)
        let deleted = try await api.send(.delete, goal, body: body)
        XCTAssertEqual(deleted.status, .noContent)
    }
}
