import HTTP
import XCTest

@testable import API

/// Recording, showing, changing and deleting transactions.
final class TransactionTests: APITestCase {
    private let income = #"{"transactionType": "income", "amount": "10.00"}"#

    func testAnswersWithTheNewTransactionAndWhereItIs() async throws {
        let goal = try await createGoal()

        let response = try await post(
            "\(goal)/transactions",
            #"""
            {"id": "00000000-0000-4000-8000-00000000ABCD", "transactionType": "expense",
             "amount": 35.5, "date": "2027-01-12", "category": " brake  pads ", "note": "Old bike"}
            """#
        )

        let path = "\(goal)/transactions/00000000-0000-4000-8000-00000000abcd"
        XCTAssertEqual(response.headers[.location], path)
        XCTAssertEqual(response.headers[.eTag], "\"1\"")
        XCTAssertEqual(response.status, .created)
        XCTAssertEqual(
            response.text,
            #"{"id":"00000000-0000-4000-8000-00000000abcd","goalId":"\#(goal.dropFirst(7))","#
                + #""transactionType":"expense","amount":"35.50","date":"2027-01-12","#
                + #""category":"brake pads","note":"Old bike","revision":1,"#
                + #""createdAt":"2027-01-15T09:30:00.000Z","updatedAt":"2027-01-15T09:30:00.000Z"}"#
        )
        let shown = try await get(path)
        XCTAssertEqual(shown.body, response.body)
    }

    func testIsDatedTodayUnlessItSays() async throws {
        let goal = try await createGoal()

        let response = try await post("\(goal)/transactions", income)

        let json = try response.json
        XCTAssertEqual(json["date"], .string("2027-01-15"))
        XCTAssertEqual(json["category"], .null)
        XCTAssertEqual(json["note"], .string(""))
    }

    func testMovesWhatIsSaved() async throws {
        let goal = try await createGoal(
            #"{"title": "Bike", "targetAmount": 100, "startingAmount": 5}"#
        )
        _ = try await record(income, in: goal)
        let expense = try await record(
            #"{"transactionType": "expense", "amount": 40}"#,
            in: goal
        )

        var json = try await get(goal).json
        XCTAssertEqual(json["savedAmount"], .string("-25.00"))
        XCTAssertEqual(json["remainingAmount"], .string("125.00"))
        XCTAssertEqual(json["transactionCount"], .number(2))
        XCTAssertEqual(json["revision"], .number(3))

        try await patch(expense, #"{"transactionType": "income", "amount": "0.01"}"#)
        json = try await get(goal).json
        XCTAssertEqual(json["savedAmount"], .string("15.01"))
        XCTAssertEqual(json["revision"], .number(4))

        try await delete(expense)
        json = try await get(goal).json
        XCTAssertEqual(json["savedAmount"], .string("15.00"))
        XCTAssertEqual(json["transactionCount"], .number(1))
        XCTAssertEqual(json["revision"], .number(5))
    }

    func testChangesWhatIsNamedAndNothingElse() async throws {
        let goal = try await createGoal()
        let path = try await record(
            #"{"transactionType": "income", "amount": 1, "category": "pay", "note": "a"}"#,
            in: goal
        )
        clock.advance(byMilliseconds: 1)

        let response = try await patch(
            path,
            #"{"date": "2026-12-31", "category": null, "note": null}"#
        )

        try XCTAssertResponse(
            response,
            .ok,
            #"""
            {
                "id": "\#(path.suffix(36))",
                "goalId": "\#(goal.suffix(36))",
                "transactionType": "income",
                "amount": "1.00",
                "date": "2026-12-31",
                "category": null,
                "note": "",
                "revision": 2,
                "createdAt": "2027-01-15T09:30:00.000Z",
                "updatedAt": "2027-01-15T09:30:00.001Z"
            }
            """#
        )
        XCTAssertEqual(response.headers[.eTag], "\"2\"")
    }

    func testNamesEveryMistakeOfAPatchAtOnce() async throws {
        let path = try await record(income, in: createGoal())

        try XCTAssertProblem(
            await patch(
                path,
                #"{"id": "x", "amount": null, "date": null, "category": 5, "revision": 2, "x": 1}"#
            ),
            .validationFailed,
            mistakes: [
                "/amount": #"must be a decimal number such as "1250.00" with at most 2 decimals "#
                    + "(USD), above 0, at most 9999999999999.99",
                "/date": #"must be a day such as "2027-01-31", from 1900-01-01 to 2199-12-31"#,
                "/category": "must be text of 1 to 100 characters, without control characters, "
                    + "or null",
                "/id": "is read-only",
                "/revision": "is read-only",
                "/x": "is not a member that this request may have",
            ]
        )
    }

    func testTheSameIDWithTheSameContentIsRecordedOnce() async throws {
        let goal = try await createGoal()
        let body =
            #"{"id": "00000000-0000-4000-8000-000000000001", "transactionType": "income", "amount": 1}"#
        let path = try await record(body, in: goal)
        clock.advance(byMilliseconds: 86_400_000)

        let again = try await post("\(goal)/transactions", body)
        XCTAssertEqual(again.status, .ok)
        XCTAssertEqual(again.headers[.location], path)
        XCTAssertEqual(try again.json["date"], .string("2027-01-15"))
        let shown = try await get(goal)
        XCTAssertEqual(try shown.json["savedAmount"], .string("1.00"))

        let other = body.replacing(#""amount": 1"#, with: #""amount": 2"#)
        try XCTAssertProblem(await post("\(goal)/transactions", other), .identifierTaken)
    }

    func testIsNotThereForAnotherGoal() async throws {
        let transaction = try await record(income, in: createGoal())
        let other = try await createGoal(#"{"title": "Boat"}"#)
        let path = "\(other)/transactions/\(transaction.suffix(36))"

        let answers = [
            try await get(path), try await patch(path, "{}"),
            try await patch(path, #"{"amount": -1}"#), try await delete(path),
        ]
        for answer in answers {
            try XCTAssertProblem(
                answer,
                .notFound,
                detail: "There is no transaction with this id in this goal."
            )
        }
        let untouched = try await get(transaction)
        XCTAssertEqual(untouched.status, .ok)
    }

    func testADeletedOneIsGone() async throws {
        let goal = try await createGoal()
        let path = try await record(
            #"{"id": "00000000-0000-4000-8000-000000000001", "transactionType": "income", "amount": 1}"#,
            in: goal
        )

        let deleted = try await delete(path)
        XCTAssertEqual(deleted.status, .noContent)

        let answers = [
            try await get(path), try await patch(path, "{}"), try await delete(path),
            try await post(
                "\(goal)/transactions",
                #"{"id": "00000000-0000-4000-8000-000000000001", "transactionType": "income", "amount": 1}"#
            ),
        ]
        for answer in answers {
            try XCTAssertProblem(
                answer,
                .gone,
                detail: "The transaction with this id was deleted."
            )
        }
    }

    func testAnArchivedGoalTakesNoNewOnes() async throws {
        let goal = try await createGoal()
        let path = try await record(income, in: goal)
        try await patch(goal, #"{"status": "archived"}"#)

        try XCTAssertProblem(
            await post("\(goal)/transactions", income),
            .goalArchived,
            detail:
                #"An archived goal takes no new transactions. Set its status to "active" first."#
        )
        let corrected = try await patch(path, #"{"amount": 5}"#)
        XCTAssertEqual(corrected.status, .ok)
    }

    func testSavedAmountsStayWithinTheirBounds() async throws {
        let goal = try await createGoal()
        let most = #"{"transactionType": "income", "amount": "9999999999999.99"}"#
        for _ in 0..<100 { _ = try await record(most, in: goal) }

        let response = try await post("\(goal)/transactions", most)

        let detail =
            "The goal's saved amount must stay from -1000000000000000.00 to 1000000000000000.00 USD."
        let mistake = "takes the saved amount out of its bounds"
        try XCTAssertProblem(
            response,
            .savedAmountOutOfBounds,
            detail: detail,
            mistakes: ["/amount": mistake]
        )
        let other = try await patch(goal, #"{"startingAmount": "9999999999999.99"}"#)
        try XCTAssertProblem(
            other,
            .savedAmountOutOfBounds,
            detail: detail,
            mistakes: ["/startingAmount": mistake]
        )
        let shown = try await get(goal)
        XCTAssertEqual(try shown.json["savedAmount"], .string("999999999999999.00"))
    }

    func testTwoHundredAtATimeAreAllCounted() async throws {
        let goal = try await createGoal()
        let api = api

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let response = try await api.post(
                        "\(goal)/transactions",
                        #"{"transactionType": "income", "amount": "0.01"}"#
                    )
                    XCTAssertEqual(response.status, .created)
                }
            }
            try await group.waitForAll()
        }

        let json = try await get(goal).json
        XCTAssertEqual(json["savedAmount"], .string("2.00"))
        XCTAssertEqual(json["transactionCount"], .number(200))
        XCTAssertEqual(json["revision"], .number(201))
        let list = try await get("\(goal)/transactions?limit=200")
        XCTAssertEqual(try list.json["items"]?.items?.count, 200)
        XCTAssertEqual(try list.json["nextCursor"], .null)
    }
}
