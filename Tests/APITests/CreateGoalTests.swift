import HTTP
import XCTest

@testable import API

final class CreateGoalTests: APITestCase {
    func testAnswersWithTheNewGoalAndWhereItIs() async throws {
        let response = try await post("/goals", #"{"title": "  A \t cargo bike "}"#)

        let id = "01a318ae-b5c0-7001-8000-000000000002"
        XCTAssertEqual(response.headers[.location], "/goals/\(id)")
        XCTAssertEqual(response.headers[.eTag], "\"1\"")
        XCTAssertEqual(response.headers[.contentType], "application/json")
        XCTAssertEqual(
            response.text,
            #"{"id":"\#(id)","title":"A cargo bike","note":"","currency":"USD","#
                + #""targetAmount":null,"startingAmount":"0.00","plannedCompletionDate":null,"#
                + #""status":"active","completedAt":null,"savedAmount":"0.00","#
                + #""remainingAmount":null,"transactionCount":0,"revision":1,"#
                + #""createdAt":"2027-01-15T09:30:00.000Z","updatedAt":"2027-01-15T09:30:00.000Z"}"#
        )
        XCTAssertEqual(response.status, .created)
        let shown = try await get("/goals/\(id)")
        XCTAssertEqual(shown.body, response.body)
    }

    func testTakesAllThatAGoalCanBeginWith() async throws {
        let response = try await post(
            "/goals",
            #"""
            {
                "id": "01A318AE-B5C0-7A1E-8F3C-5D2B9C4E6F70",
                "title": "A cargo bike",
                "note": "With a rain cover.\nRed.",
                "currency": "KWD",
                "targetAmount": "4500.125",
                "startingAmount": 600,
                "plannedCompletionDate": "2027-04-15"
            }
            """#
        )

        try XCTAssertResponse(
            response,
            .created,
            #"""
            {
                "id": "01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70",
                "title": "A cargo bike",
                "note": "With a rain cover.\nRed.",
                "currency": "KWD",
                "targetAmount": "4500.125",
                "startingAmount": "600.000",
                "plannedCompletionDate": "2027-04-15",
                "status": "active",
                "completedAt": null,
                "savedAmount": "600.000",
                "remainingAmount": "3900.125",
                "transactionCount": 0,
                "revision": 1,
                "createdAt": "2027-01-15T09:30:00.000Z",
                "updatedAt": "2027-01-15T09:30:00.000Z"
            }
            """#
        )
    }

    func testNamesEveryMistakeAtOnce() async throws {
        let response = try await post(
            "/goals",
            #"""
            {
                "id": "1", "title": " ", "note": 5, "currency": "EUR", "targetAmount": 0,
                "startingAmount": "-1", "plannedCompletionDate": "2027-02-29", "status": "paused",
                "savedAmount": "5", "revision": 1, "colour/~": "red"
            }
            """#
        )

        try XCTAssertProblem(
            response,
            .validationFailed,
            detail: "The body is not as it should be; errors says where and what is right.",
            mistakes: [
                "/id": #"must be a UUID such as "01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70""#,
                "/title": "must be text of 1 to 200 characters, without control characters",
                "/note": "must be text of at most 2000 characters, without control characters but "
                    + "tabs and line breaks",
                "/targetAmount": #"must be a decimal number such as "1250.00" with at most 2 "#
                    + "decimals (EUR), above 0, at most 9999999999999.99, or null",
                "/startingAmount": #"must be a decimal number such as "1250.00" with at most 2 "#
                    + "decimals (EUR), 0 or more, at most 9999999999999.99",
                "/plannedCompletionDate": #"must be a day such as "2027-01-31", from 1900-01-01 "#
                    + "to 2199-12-31, or null",
                "/colour~1~0": "is not a member that this request may have",
                "/revision": "is read-only",
                "/savedAmount": "is read-only",
                "/status": #"is not for creation: a new goal is "active", and PATCH moves it on"#,
            ]
        )
    }

    func testAnAnswerIsNotLargerThanWhatItAnswers() async throws {
        let members = (0..<50_000).map { #""\#($0)": 1"# }.joined(separator: ",")
        let name = String(repeating: "n", count: 100_000)

        let many = try await post("/goals", #"{"title": "Bike", \#(members)}"#)
        let long = try await post("/goals", #"{"title": "Bike", "\#(name)": 1}"#)

        let mistakes = try XCTUnwrap(many.json["errors"]?.items)
        XCTAssertEqual(mistakes.count, 101)
        XCTAssertEqual(mistakes.last?["detail"], .string("has 49900 more mistakes"))
        try XCTAssertProblem(
            long,
            .validationFailed,
            mistakes: [
                "/" + name.prefix(100) + "…": "is not a member that this request may have"
            ]
        )
    }

    func testSaysThatATextHasTooManyBytes() async throws {
        let heap = "a" + String(repeating: "\u{316}\u{301}", count: 50)
        let title = String(repeating: heap, count: 100)

        try XCTAssertProblem(
            await post("/goals", #"{"title": "\#(title)"}"#),
            .validationFailed,
            mistakes: ["/title": "must be text of at most 12800 bytes in UTF-8"]
        )
    }

    func testTellsAMissingFieldFromAWrongOne() async throws {
        try XCTAssertProblem(
            await post("/goals", "{}"),
            .validationFailed,
            mistakes: [
                "/title": "is required and must be text of 1 to 200 characters, without control "
                    + "characters"
            ]
        )
    }

    func testAnUnknownCurrencyIsTheOnlyMistakeOfItsAmounts() async throws {
        try XCTAssertProblem(
            await post(
                "/goals",
                #"""
                {"title": "Bike", "currency": "eur", "targetAmount": "1.2345", "startingAmount": 0}
                """#
            ),
            .validationFailed,
            mistakes: ["/currency": #"must be a currency's code in ISO 4217, such as "EUR""#]
        )
    }

    func testTheSameIDWithTheSameContentAnswersWithWhatIsThere() async throws {
        let body = #"{"id": "00000000-0000-4000-8000-000000000001", "title": "Bike"}"#
        let path = try await createGoal(body)
        try await patch(path, #"{"note": "Blue"}"#)

        let response = try await post("/goals", body)

        XCTAssertEqual(response.status, .ok)
        XCTAssertEqual(response.headers[.eTag], "\"2\"")
        XCTAssertEqual(response.headers[.location], path)
        let goal = try await get(path)
        XCTAssertEqual(response.body, goal.body)
    }

    func testTheSameIDWithOtherContentIsRefused() async throws {
        let id = "00000000-0000-4000-8000-000000000001"
        try await post("/goals", #"{"id": "\#(id)", "title": "Bike"}"#)

        try XCTAssertProblem(
            await post("/goals", #"{"id": "\#(id)", "title": "Boat"}"#),
            .identifierTaken
        )
    }

    func testTheIDOfADeletedGoalIsGone() async throws {
        let body = #"{"id": "00000000-0000-4000-8000-000000000001", "title": "Bike"}"#
        let path = try await createGoal(body)
        try await delete(path)

        try XCTAssertProblem(await post("/goals", body), .gone)
    }

    func testTakesNoQuery() async throws {
        try XCTAssertProblem(
            await post("/goals?dryRun=1", #"{"title": "Bike"}"#),
            .malformedQuery,
            mistakes: ["dryRun": "is not a parameter of this resource"]
        )
    }
}
