import Dispatch
import Goals
import SQLite
import XCTest

@testable import Store

/// What commands of one transaction of the database leave to be written before the commit.
final class PendingFactsTests: XCTestCase {
    private struct Stop: Error {}

    func testCommandsOfOneTransactionSeeWhatThoseBeforeThemChanged() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))

        try await inOneTransaction(
            of: store,
            [
                { _ = try $0.record(.test(1, .income, 500), in: 1) },
                { _ = try $0.record(.test(2, .expense, 30), in: 1) },
                { _ = try $0.update(1, with: GoalChanges(title: .set(.of("Voyage")))) },
                { _ = try $0.record(.test(3, .income, 7), in: 1) },
                { _ = try $0.delete(.number(1), in: .number(1), if: .none, of: .default) },
                { _ = try $0.create(.test(2), of: .default) },
                { _ = try $0.record(.test(4), in: 2) },
                { _ = try $0.create(.test(2), of: .default) },
            ]
        )

        let goal = try store.goal(1).value
        XCTAssertEqual(goal.title.text, "Voyage")
        XCTAssertEqual(goal.savedAmount.minorUnits, -23)
        XCTAssertEqual(goal.transactionCount, 2)
        XCTAssertEqual(goal.revision, 6)
        XCTAssertEqual(try store.goal(2).value.transactionCount, 1)
        XCTAssertEqual(try store.goal(2).value.revision, 2)
        // Six changes of transactions with their goal's, and three of goals.
        XCTAssertEqual(try store.numbers(), [13, 2, 3])
        XCTAssertEqual(try store.findings(), [])
    }

    func testAGoalThatIsRenamedLastIsWrittenOnce() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))

        try await inOneTransaction(
            of: store,
            [
                { _ = try $0.record(.test(1), in: 1) },
                { _ = try $0.update(1, with: GoalChanges(title: .set(.of("Voyage")))) },
            ]
        )

        let goal = try store.goal(1).value
        XCTAssertEqual(goal.title.text, "Voyage")
        XCTAssertEqual(goal.transactionCount, 1)
        XCTAssertEqual(goal.revision, 3)
        XCTAssertEqual(try store.findings(), [])
    }

    func testNothingOfADeletedGoalComesBack() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))

        try await inOneTransaction(
            of: store,
            [
                { _ = try $0.record(.test(1), in: 1) },
                { try $0.delete(.number(1), if: .none, of: .default) },
                { _ = try $0.create(.test(2), of: .default) },
            ]
        )

        XCTAssertEqual(try store.goal(1), .deleted)
        XCTAssertEqual(try store.numbers(), [5, 1, 0])
        XCTAssertEqual(try store.findings(), [])
    }

    func testACommandThatIsUndoneLeavesNoNumbers() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))

        let refused = try await inOneTransaction(
            of: store,
            [
                { _ = try $0.record(.test(1, .income, 500), in: 1) },
                { transaction in
                    _ = try transaction.record(.test(2, .income, 70), in: 1)
                    _ = try transaction.create(.test(3), of: .default)
                    throw Stop()
                },
                { transaction in
                    _ = try transaction.update(1, with: GoalChanges(title: .set(.of("Lost"))))
                    throw Stop()
                },
                { transaction in
                    try transaction.delete(.number(1), if: .none, of: .default)
                    throw Stop()
                },
                { _ = try $0.record(.test(4, .income, 9), in: 1) },
            ]
        )

        XCTAssertEqual(refused, [1, 2, 3])
        let goal = try store.goal(1).value
        XCTAssertEqual(goal.title.text, "Trip")
        XCTAssertEqual(goal.savedAmount.minorUnits, 509)
        XCTAssertEqual(goal.revision, 3)
        XCTAssertEqual(try store.numbers(), [5, 1, 2])
        let changes = try store.changes(after: nil, limit: 10, of: .default)
        XCTAssertEqual(changes.changes.count, 3)
        XCTAssertEqual(changes.next.number, 5)
        XCTAssertEqual(try store.findings(), [])
    }

    func testCommandsOfOneTransactionReachALimitExactly() async throws {
        let limits = GoalStore.Limits(goals: 3, transactions: 3)
        let store = try memoryStore(options: GoalStore.Options(limits: limits))
        try await store.create(.test(1))
        try await store.record(.test(1))

        let refused = try await inOneTransaction(
            of: store,
            [
                { _ = try $0.record(.test(2), in: 1) },
                { _ = try $0.record(.test(3), in: 1) },
                { _ = try $0.record(.test(4), in: 1) },
                { _ = try $0.create(.test(2), of: .default) },
                { _ = try $0.create(.test(3), of: .default) },
                { _ = try $0.create(.test(4), of: .default) },
                { try $0.delete(.number(1), in: .number(1), if: .none, of: .default) },
                { _ = try $0.record(.test(5), in: 2) },
                { _ = try $0.record(.test(6), in: 2) },
            ]
        )

        XCTAssertEqual(refused, [2, 5, 8])
        XCTAssertEqual(try store.numbers(), [13, 3, 3])
        XCTAssertEqual(try store.findings(), [])
    }

    func testNothingIsWrittenForAnAccountThatIsNot() async throws {
        let store = try memoryStore()
        let nobody = AccountID(rawValue: 77)

        await assertThrows(.accountAbsent) {
            try await store.write { _ = try $0.create(.test(1), of: nobody) }
        }

        XCTAssertEqual(try store.numbers(), [0, 0, 0])
        XCTAssertEqual(try store.goal(.number(1), of: nobody), .absent)
    }

    func testNumbersOfAccountsAreApart() async throws {
        let store = try memoryStore()
        let other = try await store.changeAccess { try $0.addAccount(.of("other")) }

        try await inOneTransaction(
            of: store,
            [
                { _ = try $0.create(.test(1), of: .default) },
                { _ = try $0.create(.test(1), of: other) },
                { _ = try $0.record(.test(1), in: .number(1), today: today, of: other) },
                { _ = try $0.record(.test(2), in: 1) },
                { _ = try $0.create(.test(2), of: other) },
            ]
        )

        XCTAssertEqual(try store.numbers(), [3, 1, 1])
        XCTAssertEqual(try store.numbers(of: other), [4, 2, 1])
        XCTAssertEqual(try store.findings(), [])
    }

    func testAnIdentifierThatIsNotNewAfterAllIsRefused() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))
        let first = try await store.record(.test(1, .income, 500))

        let refused = try await inOneTransaction(
            of: store,
            [
                { _ = try $0.record(.test(2), in: 1) },
                { transaction in
                    _ = try transaction.record(
                        .test(1, .income, 70),
                        isNewID: true,
                        in: .number(1),
                        today: today,
                        of: .default
                    )
                },
                { _ = try $0.record(.test(3), in: 1) },
            ]
        )

        XCTAssertEqual(refused, [1])
        XCTAssertEqual(try store.transaction(1).value, first)
        XCTAssertEqual(try store.numbers(), [7, 1, 3])
        XCTAssertEqual(try store.findings(), [])
    }

    /// Each look costs as much as the month has transactions, and a batch may have a thousand commands.
    func testTheNextLargestIsLookedForOnceBeforeTheCommit() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))
        for number in 1...4 { try await store.record(.test(number, .income, Int64(number))) }

        try await store.write { transaction in
            for number in 3...4 {
                try transaction.delete(
                    .number(number),
                    in: .number(1),
                    if: .none,
                    of: .default
                )
                _ = try transaction.update(
                    1,
                    with: GoalChanges(title: .set(.of("Voyage \(number)")))
                )
                _ = try transaction.create(.test(5 + number), of: .default)
                try transaction.delete(.number(5 + number), if: .none, of: .default)
            }
            XCTAssertEqual(try transaction.largestIncome(), 4, "Nobody has looked yet")
        }

        try await store.write { XCTAssertEqual(try $0.largestIncome(), 2) }
        XCTAssertEqual(try store.findings(), [])
    }

    func testTheNextLargestIsFoundWhateverElseChanges() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))
        // Every third category has no room in the row of the month.
        let names = (0..<36).map { "Category \($0)" }
        for (index, name) in names.enumerated() {
            for copy in 0..<4 {
                let amount = Int64(copy < 2 ? 10 + copy : 20)
                try await store.record(.test(4 * index + copy, .income, amount, category: name))
            }
        }

        try await inOneTransaction(
            of: store,
            names.indices.map { index in
                { transaction in
                    // One of two alike, both, both and then a larger one, or all and then one again.
                    let last = [2, 3, 3, 3][index % 4]
                    let first = index % 4 == 3 ? 0 : 2
                    for copy in first...last {
                        try transaction.delete(
                            .number(4 * index + copy),
                            in: .number(1),
                            if: .none,
                            of: .default
                        )
                    }
                    guard index % 4 > 1 else { return }
                    let amount: Int64 = index % 4 == 2 ? 15 : 3
                    let new = NewTransaction.test(
                        1_000 + index,
                        .income,
                        amount,
                        category: names[index]
                    )
                    _ = try transaction.record(new, in: 1)
                }
            }
        )

        XCTAssertEqual(try store.findings(), [])
    }

    /// Runs commands in one transaction of the database, in their order.
    ///
    /// - Returns: Which of them, by their place, threw.
    @discardableResult
    private func inOneTransaction(
        of store: GoalStore,
        _ commands: [@Sendable (WriteTransaction) throws -> Void]
    ) async throws -> [Int] {
        let gate = DispatchSemaphore(value: 0)
        let (started, start) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await store.write { _ in
                start.yield()
                gate.wait()
            }
        }
        for await _ in started { break }
        var tasks: [Task<Void, any Error>] = []
        for command in commands {
            tasks.append(Task { try await store.write(command) })
            while store.writer.waitingCommands < tasks.count { await Task.yield() }
        }
        gate.signal()
        try await first.value
        var refused: [Int] = []
        for (place, task) in tasks.enumerated() {
            if case .failure = await task.result { refused.append(place) }
        }
        return refused
    }
}

extension WriteTransaction {
    fileprivate func record(_ new: NewTransaction, in goal: Int) throws -> Creation<Transaction> {
        try record(new, in: .number(goal), today: today, of: .default)
    }

    /// The largest income without a category in the month of the test transactions.
    fileprivate func largestIncome() throws -> Int64? {
        let month = TotalsKey(account: .default, goal: .number(1), month: today.month)
        let group = MonthTotals.Group(type: .income, category: nil)
        return try facts.totals(month)?[largestOf: group]?.minorUnits
    }

    fileprivate func update(_ goal: Int, with changes: GoalChanges) throws -> Goal {
        try update(.number(goal), with: changes, if: .none, of: .default)
    }
}

extension GoalStore {
    /// How many changes, goals and transactions an account counts.
    fileprivate func numbers(of account: AccountID = .default) throws -> [Int] {
        try writer.read { database in
            try database.row(
                "SELECT sequence, goals, transactions FROM accounts WHERE id = ?",
                account.rawValue
            ) { row in try [row[0], row[1], row[2]] } ?? []
        }
    }

    /// What does not add up.
    fileprivate func findings() throws -> [String] {
        try writer.read { try DataCheck(of: $0) }.findings
    }
}
