import Goals
import HTTP
import Store
import XCTest

@testable import API

/// What clients see of the storage: what takes long, and what fails.
final class StorageTests: APITestCase {
    func testWhatIsBoundedIsAnsweredAtOnce() async throws {
        let goal = try await createGoal()
        let targets = [
            goal, "\(goal)/statistics", "/goals", "\(goal)/transactions", "/livez", "/readyz",
            "\(goal)/transactions?from=2027-01-01&sort=date", "/goals/1", "/goals?limit=0",
        ]
        for target in targets {
            guard case .ready = application.respond(to: Request(.get, target)) else {
                XCTFail("\(target) is kept waiting")
                continue
            }
        }
    }

    func testWhatHasNoBoundIsReadInTheBackground() async throws {
        let goal = try await createGoal()
        for target in ["/goals?search=bike", "\(goal)/transactions?search=a"] {
            guard case .pending(let operation) = application.respond(to: Request(.get, target))
            else {
                XCTFail("\(target) keeps its loop waiting")
                continue
            }
            guard case .ready(let response) = await operation() else {
                XCTFail("\(target) has no answer in the end")
                continue
            }
            XCTAssertEqual(response.status, .ok)
        }
    }

    func testTheTransactionsOfALongHistoryAreReadInTheBackgroundOnce() async throws {
        let goal = try await createGoal()
        let goalID = try XCTUnwrap(Goal.ID(String(goal.suffix(36))))
        try await store.write { transaction in
            for number in 0...10_000 {
                _ = try transaction.record(
                    NewTransaction(
                        id: Transaction.ID(high: 1, low: UInt64(number)),
                        type: .income,
                        amount: Money(minorUnits: 1)
                    ),
                    in: goalID,
                    today: day("2027-01-15"),
                    of: .default
                )
            }
        }
        guard case .ready = application.respond(to: Request(.get, "\(goal)/statistics")) else {
            return XCTFail("The totals of a month are long to read")
        }
        let request = Request(.get, "\(goal)/statistics?from=2027-01-15")

        guard case .pending(let operation) = application.respond(to: request) else {
            return XCTFail("A long history keeps its loop waiting")
        }
        guard case .ready(let response) = await operation() else {
            return XCTFail("There is no answer in the end")
        }
        XCTAssertEqual(try response.json["transactionCount"], .number(10_001))
        XCTAssertEqual(try response.json["incomeTotal"], .string("100.01"))

        guard case .ready(let again) = application.respond(to: request) else {
            return XCTFail("What is kept is made again")
        }
        XCTAssertEqual(again, response)
    }

    func testAStorageThatFailsIsReportedAndItsReasonKeptInside() async throws {
        let goal = try await createGoal()
        store.close()

        let read = try await get("\(goal)/transactions")
        let reports = takeReports()
        let written = try await post("/goals", #"{"title": "Boat"}"#)
        let otherReports = takeReports()

        for response in [read, written] {
            try XCTAssertProblem(
                response,
                .storageUnavailable,
                detail: "The storage cannot be used at the moment."
            )
            XCTAssertEqual(response.headers[.retryAfter], "5")
        }
        for reports in [reports, otherReports] {
            XCTAssertEqual(reports.count, 1)
            XCTAssertEqual(reports.first?.hasPrefix("test: "), true, "\(reports)")
        }
    }

    func testReadinessSaysWhyInWordsOfItsOwn() throws {
        let failures: [(StorageFailure, String)] = [
            (.diskFull, "Nothing can be written until there is room on the disk."),
            (.damaged, "The storage is damaged. Its owner must restore it."),
            (.fileGone, "The storage was taken away. Its owner must put it back."),
            (.other("SQLite error 10"), "The storage cannot be used at the moment."),
        ]
        for (failure, detail) in failures {
            let response = Problem.storageUnavailable(failure)
                .response(to: try XCTUnwrap(RequestID(given: "test")))
            try XCTAssertProblem(response, .storageUnavailable, detail: detail)
        }
    }

    func testIsNotReadyOnceTheStorageIsClosed() async throws {
        store.close()
        try XCTAssertProblem(
            await post("/goals", #"{"title": "Boat"}"#),
            .storageUnavailable,
            detail: "The storage cannot be used at the moment."
        )

        try XCTAssertProblem(
            await get("/readyz"),
            .storageUnavailable,
            detail: "The storage cannot be used at the moment."
        )

        XCTAssertEqual(takeReports(), ["test: The store is closed."])
    }
}
