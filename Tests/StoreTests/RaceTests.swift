import Goals
import Store
import XCTest

final class RaceTests: XCTestCase {
    func testLosesNoUpdateOfFiftyWritersOnOneGoal() async throws {
        for path in [nil, try temporaryFolder() + "/a.sqlite"] {
            let store = try path.map { try fileStore($0) } ?? memoryStore()
            try await store.create(.test(starting: 0))

            // Each adds one to what it read, and tries again if the goal has moved on meanwhile.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...50 {
                    group.addTask {
                        while true {
                            let goal = try store.goal().value
                            let amount = goal.startingAmount + Money(minorUnits: 1)
                            do {
                                try await store.change(
                                    GoalChanges(startingAmount: .set(amount)),
                                    if: .revisions([goal.revision])
                                )
                                return
                            } catch StoreError.preconditionFailed(let current) {
                                XCTAssertGreaterThan(current, goal.revision)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }

            let goal = try store.goal().value
            XCTAssertEqual(goal.startingAmount, Money(minorUnits: 50))
            XCTAssertEqual(goal.savedAmount, Money(minorUnits: 50))
            XCTAssertEqual(goal.revision, 51)
        }
    }

    func testCountsTwoHundredTransactionsAtOnce() async throws {
        for path in [nil, try temporaryFolder() + "/a.sqlite"] {
            let store = try path.map { try fileStore($0) } ?? memoryStore()
            try await store.create(.test())

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...200 {
                    group.addTask { try await store.record(.test(number, .income, 1)) }
                }
                try await group.waitForAll()
            }

            let goal = try store.goal().value
            XCTAssertEqual(goal.savedAmount.text(in: goal.currency), "2.00")
            XCTAssertEqual(goal.transactionCount, 200)
            XCTAssertEqual(goal.revision, 201)
            XCTAssertEqual(
                Set(try store.transactions(TransactionQuery(limit: 300)).map(\.id)),
                Set((1...200).map { Transaction.ID.number($0) })
            )
        }
    }

    func testCreatesAGoalOnceHoweverManyTry() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")

        let created = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 1...20 {
                group.addTask {
                    let creation = try await store.write { try $0.create(.test(), of: .default) }
                    if case .created = creation { return true }
                    return false
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }

        XCTAssertEqual(created, 1)
    }

    func testReadsGoalAndLedgerOfOneMoment() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        try await store.create(.test())

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...60 {
                    try await store.record(.test(number, .income, 1))
                }
            }
            group.addTask {
                let query = StatisticsQuery(asOf: today, timeZone: "UTC")
                while true {
                    let ledger = try store.ledger(of: .number(1), for: query, of: .default).value
                    let count = ledger.totals.map(\.amounts.count).reduce(0, +)
                    XCTAssertEqual(ledger.goal.transactionCount, count)
                    if count == 60 { return }
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
    }
}
