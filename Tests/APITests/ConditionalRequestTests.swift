import HTTP
import XCTest

@testable import API

final class ConditionalRequestTests: APITestCase {
    func testAnswersNotModifiedToWhoHasTheCurrentOne() async throws {
        let goal = try await createGoal()
        let transaction = try await record(#"{"transactionType": "income", "amount": 1}"#, in: goal)

        for path in [goal, transaction, "\(goal)/statistics"] {
            let first = try await get(path)
            let tag = try XCTUnwrap(first.headers[.eTag], path)
            for condition in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let response = try await get(path, headers: [.ifNoneMatch: condition])
                XCTAssertEqual(response.status, .notModified, "\(path) \(condition)")
                XCTAssertEqual(response.headers[.eTag], tag)
                XCTAssertEqual(response.headers[.cacheControl], "private, no-cache")
                XCTAssertEqual(response.body, [])
            }
            let response = try await get(path, headers: [.ifNoneMatch: "\"x\", W/\"0\""])
            XCTAssertEqual(response.status, .ok)
            XCTAssertEqual(response.body, first.body)
        }
    }

    func testHeadKnowsTheConditionsOfGet() async throws {
        let goal = try await createGoal()

        let plain = try await api.send(.head, goal)
        XCTAssertEqual(plain.status, .ok)
        XCTAssertEqual(plain.headers[.eTag], "\"1\"")
        let conditional = try await api.send(.head, goal, headers: [.ifNoneMatch: "\"1\""])
        XCTAssertEqual(conditional.status, .notModified)
    }

    func testAReadCanDemandARevisionToo() async throws {
        let goal = try await createGoal()

        let current = try await get(goal, headers: [.ifMatch: "\"1\""])
        XCTAssertEqual(current.status, .ok)
        let other = try await get(goal, headers: [.ifMatch: "\"2\""])
        try XCTAssertProblem(other, .preconditionFailed)
    }

    func testAChangeIsRefusedToWhoHasSeenAnOlderOne() async throws {
        let goal = try await createGoal()
        let transaction = try await record(#"{"transactionType": "income", "amount": 1}"#, in: goal)
        try await patch(transaction, #"{"note": "a"}"#)

        for (path, current) in [(transaction, "\"2\""), (goal, "\"3\"")] {
            for condition in ["\"1\"", "W/\(current)", "\"x\"", "\"0\(current.dropFirst())"] {
                let patched = try await patch(
                    path,
                    #"{"note": "b"}"#,
                    headers: [.ifMatch: condition]
                )
                let deleted = try await delete(path, headers: [.ifMatch: condition])
                for response in [patched, deleted] {
                    try XCTAssertProblem(
                        response,
                        .preconditionFailed,
                        detail: "If-Match names no current entity tag: read it again. Its tag is "
                            + "\(current) now."
                    )
                    XCTAssertEqual(response.headers[.eTag], current)
                }
            }
        }
        let unchanged = try await get(transaction)
        XCTAssertEqual(try unchanged.json["note"], .string("a"))
    }

    func testAChangeIsMadeForWhoHasSeenTheCurrentOne() async throws {
        let goal = try await createGoal()

        for (revision, condition) in [(2, "\"1\""), (3, "\"7\", \"2\""), (4, "*")] {
            let response = try await patch(
                goal,
                #"{"note": "\#(revision)"}"#,
                headers: [.ifMatch: condition]
            )
            XCTAssertEqual(response.status, .ok)
            XCTAssertEqual(response.headers[.eTag], "\"\(revision)\"")
        }
        let deleted = try await delete(goal, headers: [.ifMatch: "\"4\""])
        XCTAssertEqual(deleted.status, .noContent)
    }

    func testAStarDoesNotMakeUpForWhatIsNotThere() async throws {
        let absent = "/goals/00000000-0000-4000-8000-000000000001"

        try XCTAssertProblem(await delete(absent, headers: [.ifMatch: "*"]), .notFound)
    }

    func testRefusesConditionsThatCannotBeRead() async throws {
        let goal = try await createGoal()

        for name: FieldName in [.ifMatch, .ifNoneMatch] {
            for value in ["1", "\"1", "\"1\" \"2\"", "*, \"1\""] {
                let response = try await get(goal, headers: [name: value])
                try XCTAssertProblem(
                    response,
                    .malformedHeader,
                    detail: #"\#(name) must be * or a list of entity tags in double quotes, "#
                        + #"such as "3"."#
                )
            }
        }
        try XCTAssertProblem(await delete(goal, headers: [.ifMatch: "1"]), .malformedHeader)
        let response = try await patch(goal, "{}", headers: [.ifNoneMatch: "\"1\""])
        try XCTAssertProblem(response, .malformedHeader)
    }

    func testNothingIsCreatedUnderACondition() async throws {
        let goal = try await createGoal()
        let income = #"{"transactionType": "income", "amount": 1}"#
        for (path, body) in [("/goals", #"{"title": "Boat"}"#), ("\(goal)/transactions", income)] {
            for name: FieldName in [.ifMatch, .ifNoneMatch] {
                let response = try await api.post(
                    path,
                    body,
                    headers: [.contentType: "application/json", name: "*"]
                )
                try XCTAssertProblem(
                    response,
                    .malformedHeader,
                    detail: "\(name) is not for POST. The same id with the same content creates "
                        + "nothing twice."
                )
            }
        }
        let goals = try await get("/goals")
        XCTAssertEqual(try goals.items.count, 1)
    }

    func testFiftyWritersLoseNoUpdate() async throws {
        let goal = try await createGoal(#"{"title": "Bike", "startingAmount": 0}"#)
        let api = api

        // Each adds 1.00 to what it read, and begins again if another one was faster.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    while true {
                        let read = try await api.get(goal)
                        let tag = try XCTUnwrap(read.headers[.eTag])
                        let amount = try XCTUnwrap(read.json["startingAmount"]?.text)
                        let whole = try XCTUnwrap(Int(amount.dropLast(3)))
                        let response = try await api.patch(
                            goal,
                            #"{"startingAmount": \#(whole + 1)}"#,
                            headers: [.ifMatch: tag]
                        )
                        if response.status == .ok { return }
                        XCTAssertEqual(response.status, .preconditionFailed)
                    }
                }
            }
            try await group.waitForAll()
        }

        let result = try await get(goal)
        XCTAssertEqual(try result.json["startingAmount"], .string("50.00"))
        XCTAssertEqual(try result.json["revision"], .number(51))
    }
}
