import Goals
import HTTP
import XCTest

@testable import API

/// `POST /batch`.
final class BatchTests: APITestCase {
    private let first = "01990000-0000-7000-8000-000000000001"
    private let second = "01990000-0000-7000-8000-000000000002"

    func testCarriesOutAllInOrder() async throws {
        let response = try await post(
            "/batch",
            """
            {"commands": [
                {"method": "POST", "path": "/goals", "body": {"id": "\(first)", "title": "Boat",
                    "currency": "JPY"}},
                {"method": "POST", "path": "/goals/\(first)/transactions", "body": {"id": "\(second)",
                    "transactionType": "income", "amount": "500"}},
                {"method": "PATCH", "path": "/goals/\(first)/transactions/\(second)",
                    "body": {"amount": 700}, "ifMatch": "\\"1\\""},
                {"method": "PATCH", "path": "/goals/\(first)", "body": {"title": "Ship"},
                    "ifMatch": "\\"3\\""},
                {"method": "DELETE", "path": "/goals/\(first)/transactions/\(second)"}
            ]}
            """
        )

        XCTAssertEqual(response.status, .ok, response.text)
        let results = try XCTUnwrap(try response.json["results"]?.items)
        XCTAssertEqual(
            results.map { $0["status"]?.number },
            [201, 201, 200, 200, 204]
        )
        XCTAssertEqual(
            results.map { $0["headers"]?["ETag"]?.text },
            ["\"1\"", "\"1\"", "\"2\"", "\"4\"", nil]
        )
        XCTAssertEqual(
            results.map { $0["headers"]?["Location"]?.text },
            ["/goals/\(first)", "/goals/\(first)/transactions/\(second)", nil, nil, nil]
        )
        XCTAssertEqual(results[2]["body"]?["amount"], .string("700"))
        XCTAssertEqual(results[3]["body"]?["savedAmount"], .string("700"))
        XCTAssertEqual(results[4]["body"], .null)
        let goal = try await get("/goals/\(first)").json
        XCTAssertEqual(goal["title"], .string("Ship"))
        XCTAssertEqual(goal["transactionCount"], .number(0))
        XCTAssertEqual(goal["revision"], .number(5))
    }

    func testKeepsNothingIfOneIsRefused() async throws {
        let goal = try await createGoal()
        let before = try await get(goal)
        let refusals: [(String, Problem.Code, KeyValuePairs<String, String>)] = [
            (
                #"{"method": "PATCH", "path": "\#(goal)", "body": {"note": "x"}, "ifMatch": "\"7\""}"#,
                .preconditionFailed,
                [
                    "/commands/1":
                        "cannot be carried out: If-Match names no current entity tag: read "
                        + "it again. Its tag is \"2\" now."
                ]
            ),
            (
                #"{"method": "DELETE", "path": "/goals/\#(first)"}"#,
                .notFound,
                ["/commands/1": "cannot be carried out: There is no goal with this id."]
            ),
            (
                #"{"method": "DELETE", "path": "/goals/x"}"#,
                .notFound,
                ["/commands/1": "cannot be carried out: There is no goal with this id."]
            ),
            (
                #"{"method": "PATCH", "path": "\#(goal)/transactions/\#(first)", "body": {}}"#,
                .notFound,
                [
                    "/commands/1":
                        "cannot be carried out: There is no transaction with this id in this goal."
                ]
            ),
            (
                #"{"method": "PATCH", "path": "\#(goal)", "body": {"status": "x", "tile": 1}}"#,
                .validationFailed,
                [
                    "/commands/1/body/status": "must be \"active\", \"paused\", \"completed\" or "
                        + "\"archived\"",
                    "/commands/1/body/tile": "is not a member that this request may have",
                ]
            ),
            (
                #"{"method": "POST", "path": "\#(goal)/transactions"}"#,
                .validationFailed,
                ["/commands/1/body": #"must be a JSON object, such as {"title": "Bike"}"#]
            ),
            (
                #"{"method": "PATCH", "path": "\#(goal)", "body": {}, "ifMatch": "3"}"#,
                .malformedHeader,
                [
                    "/commands/1": "cannot be carried out: If-Match must be * or a list of entity "
                        + #"tags in double quotes, such as "3"."#
                ]
            ),
        ]
        for (command, code, mistakes) in refusals {
            let response = try await post(
                "/batch",
                #"""
                {"commands": [
                    {"method": "PATCH", "path": "\#(goal)", "body": {"note": "changed"}}, \#(command)
                ]}
                """#
            )

            try XCTAssertProblem(response, code, mistakes: mistakes)
            let after = try await get(goal)
            XCTAssertEqual(after, before)
        }
    }

    func testBlamesTheAmountThatLeadsOutOfBounds() async throws {
        let goal = try await createGoal(#"{"title": "Boat", "currency": "JPY"}"#)
        let commands = (0...101).map { _ in
            """
            {"method": "POST", "path": "\(goal)/transactions", "body": {"transactionType": "expense",
                "amount": "999999999999999"}}
            """
        }

        let response = try await post(
            "/batch",
            #"{"commands": [\#(commands.joined(separator: ","))]}"#
        )

        XCTAssertEqual(response.status, .unprocessableContent)
        XCTAssertEqual(
            try response.json["errors"]?.items?.first?["pointer"],
            .string("/commands/100/body/amount")
        )
        let count = try await get(goal).json["transactionCount"]
        XCTAssertEqual(count, .number(0))
    }

    func testRefusesWhatIsNoBatch() async throws {
        let wrong: [(String, KeyValuePairs<String, String>)] = [
            ("{}", ["/commands": "is required and must be an array of 1 to 1000 commands"]),
            (#"{"commands": []}"#, ["/commands": "must be an array of 1 to 1000 commands"]),
            (
                #"{"commands": [], "atomic": true}"#,
                [
                    "/commands": "must be an array of 1 to 1000 commands",
                    "/atomic": "is not a member that this request may have",
                ]
            ),
            (
                #"{"commands": [1]}"#,
                ["/commands/0": #"must be a JSON object, such as {"title": "Bike"}"#]
            ),
            (
                #"{"commands": [{"method": "GET", "path": "goals", "id": 1}]}"#,
                [
                    "/commands/0/method": #"must be "POST", "PATCH" or "DELETE""#,
                    "/commands/0/path": "must be a path without a query, such as /goals",
                    "/commands/0/id": "is not a member that this request may have",
                ]
            ),
            (
                #"{"commands": [{"method": "POST", "path": "/batch", "body": {}}]}"#,
                ["/commands/0/path": "must be the path of a goal, a transaction or a list of them"]
            ),
            (
                #"{"commands": [{"method": "POST", "path": "/%62atch", "body": {"commands": []}}]}"#,
                ["/commands/0/path": "must be the path of a goal, a transaction or a list of them"]
            ),
            (
                #"{"commands": [{"method": "DELETE", "path": "/goals"}]}"#,
                ["/commands/0/method": "must be a method that the path takes here: POST"]
            ),
            (
                #"{"commands": [{"method": "POST", "path": "/livez"}]}"#,
                ["/commands/0/method": "must be a method that the path takes here: it takes none"]
            ),
            (
                #"{"commands": [{"method": "POST", "path": "/nowhere"}]}"#,
                ["/commands/0/path": "must be the path of something there is, such as /goals"]
            ),
        ]
        for (body, mistakes) in wrong {
            try XCTAssertProblem(
                try await post("/batch", body),
                .validationFailed,
                mistakes: mistakes
            )
        }
    }

    func testTakesAThousandAndNoMore() async throws {
        let goal = try await createGoal()
        let command =
            #"{"method":"POST","path":"\#(goal)/transactions","body":{"#
            + #""transactionType":"income","amount":"0.01"}}"#
        func batch(_ count: Int) -> String {
            #"{"commands": [\#(Array(repeating: command, count: count).joined(separator: ","))]}"#
        }

        let most = try await post("/batch", batch(1_000))
        let more = try await post("/batch", batch(1_001))

        XCTAssertEqual(most.status, .ok)
        XCTAssertEqual(try most.json["results"]?.items?.count, 1_000)
        XCTAssertEqual(more.status, .unprocessableContent)
        let saved = try await get(goal).json["savedAmount"]
        XCTAssertEqual(saved, .string("10.00"))
    }

    func testIsCarriedOutOnceUnderAKey() async throws {
        let goal = try await createGoal()
        let body = #"""
            {"commands": [{"method": "POST", "path": "\#(goal)/transactions",
                "body": {"transactionType": "income", "amount": 3}}]}
            """#
        let headers: HeaderFields = [.contentType: "application/json", .idempotencyKey: "b"]

        let first = try await api.post("/batch", body, headers: headers)
        let again = try await api.post("/batch", body, headers: headers)

        XCTAssertEqual(again.body, first.body)
        XCTAssertEqual(again.headers[.idempotentReplayed], "true")
        let saved = try await get(goal).json["savedAmount"]
        XCTAssertEqual(saved, .string("3.00"))
    }

    func testHasNoAnswerThatIsMuchLargerThanItself() async throws {
        let note = String(repeating: "e" + String(repeating: "\u{301}", count: 31), count: 2_000)
        let goal = try await createGoal(#"{"title": "Boat", "note": "\#(note)"}"#)
        func batch(_ count: Int) -> String {
            let commands = (1...count).map {
                #"{"method": "PATCH", "path": "\#(goal)", "body": {"title": "\#($0)"}}"#
            }
            return #"{"commands": [\#(commands.joined(separator: ","))]}"#
        }

        let small = try await post("/batch", batch(16))
        let large = try await post("/batch", batch(17))

        XCTAssertEqual(small.status, .ok)
        XCTAssertLessThan(small.body.count, 2_100_000)
        try XCTAssertProblem(
            large,
            .batchTooLarge,
            mistakes: [
                "/commands/16":
                    "cannot be carried out: The answers to the commands would come to more "
                    + "than 2 MiB. Send the batch in parts."
            ]
        )
        let title = try await get(goal).json["title"]
        XCTAssertEqual(title, .string("16"))
    }
}
