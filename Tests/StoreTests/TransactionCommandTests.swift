import Goals
import SQLite
import XCTest

@testable import Store

final class TransactionCommandTests: XCTestCase {
    func testRecordsATransactionAndWhatItMeansForTheGoal() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        let goal = try await store.create(.test(starting: 1_000))
        clock.advance(by: 5)
        let new = NewTransaction.test(7, .expense, 250, category: "Café", note: "a\nb")

        let transaction = try await store.record(new)

        let expected = Transaction(new, in: goal.id, today: today, at: clock.now)
        XCTAssertEqual(transaction, expected)
        XCTAssertEqual(try store.transaction(7), .found(expected))
        XCTAssertEqual(
            try store.goal(),
            .found(try goal.recording(expected, at: clock.now))
        )
    }

    func testTakesARepeatedRecordForTheSame() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        let transaction = try await store.record(.test(1, .income, 5))
        try await store.change(GoalChanges(status: .set(.archived)))

        let again = try await store.write {
            try $0.record(
                .test(1, .income, 5),
                in: .number(1),
                today: .of("2027-01-16"),
                of: .default
            )
        }

        XCTAssertEqual(again, .existing(transaction))
        await assertThrows(.identifierTaken) { try await store.record(.test(1, .income, 6)) }
        await assertThrows(.rule(.goalIsArchived)) { try await store.record(.test(2)) }
    }

    func testChangesATransactionAndTheGoalWithIt() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        try await store.record(.test(1, .income, 500))

        let changed = try await store.write {
            try $0.update(
                .number(1),
                in: .number(1),
                with: TransactionChanges(
                    type: .set(.expense),
                    amount: .set(Money(minorUnits: 300)),
                    date: .set(.of("1900-01-01")),
                    category: .set(.of("Food")),
                    note: .set(.of("late"))
                ),
                if: .revisions([1]),
                of: .default
            )
        }

        XCTAssertEqual(changed.revision, 2)
        XCTAssertEqual(try store.transaction(1), .found(changed))
        let goal = try store.goal().value
        XCTAssertEqual(goal.savedAmount, Money(minorUnits: -300))
        XCTAssertEqual(goal.transactionCount, 1)
        XCTAssertEqual(goal.revision, 3)
    }

    func testLeavesTheGoalAloneIfATransactionDoesNotChange() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        let transaction = try await store.record(.test(1, .income, 500))
        let goal = try store.goal()

        let same = try await store.write {
            try $0.update(
                .number(1),
                in: .number(1),
                with: TransactionChanges(amount: .set(Money(minorUnits: 500))),
                if: .none,
                of: .default
            )
        }

        XCTAssertEqual(same, transaction)
        XCTAssertEqual(try store.goal(), goal)
    }

    func testRemembersADeletedTransaction() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        try await store.create(.test(2))
        try await store.record(.test(1, .income, 500))
        await assertThrows(.preconditionFailed(currentRevision: 1)) {
            try await store.deleteTransaction(1, if: .revisions([2]))
        }

        try await store.deleteTransaction(1, if: .revisions([1]))

        XCTAssertEqual(try store.transaction(1), .deleted)
        XCTAssertEqual(try store.transaction(1, in: 2), .absent)
        XCTAssertEqual(try store.transaction(2), .absent)
        XCTAssertEqual(try store.transaction(1, in: 3), .absent)
        await assertThrows(.transactionDeleted) { try await store.deleteTransaction(1) }
        await assertThrows(.transactionAbsent) { try await store.deleteTransaction(2) }
        await assertThrows(.transactionDeleted) {
            try await store.record(.test(1, .income, 500))
        }
        let goal = try store.goal().value
        XCTAssertEqual(goal.savedAmount, .zero)
        XCTAssertEqual(goal.transactionCount, 0)
        XCTAssertEqual(goal.revision, 3)
    }

    func testRefusesWhatTheRulesForbidAndKeepsWhatIsThere() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        let largest = Money.largestAmount.minorUnits
        for number in 1...100 {
            try await store.record(.test(number, .income, largest))
        }
        let goal = try store.goal()

        await assertThrows(.rule(.savedAmountOutOfBounds(try goal.value.currency))) {
            try await store.record(.test(101, .income, largest))
        }

        XCTAssertEqual(try store.goal(), goal)
        XCTAssertEqual(try store.transaction(101), .absent)
    }

    func testTotalsAMonthThatIsCutByDayTypeAndCategory() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        try await store.record(.test(1, .income, 500, on: "2027-01-01"))
        try await store.record(.test(2, .income, 700, on: "2027-01-01"))
        try await store.record(.test(3, .expense, 20, on: "2027-01-01", category: "Food"))
        try await store.record(.test(4, .expense, 30, on: "2027-01-02", category: "Food"))

        let ledger = try store.ledger(
            of: .number(1),
            for: StatisticsQuery(
                asOf: today,
                timeZone: "UTC",
                filter: StatisticsFilter(to: .of("2027-01-30"))
            ),
            of: .default
        ).value

        func total(
            _ day: String,
            _ type: Transaction.Kind,
            _ category: String?,
            count: Int,
            sum: Int128,
            largest: Int64
        ) -> TransactionTotal {
            TransactionTotal(
                days: CalendarDay.of(day)...CalendarDay.of(day),
                type: type,
                category: category.map { .of($0) },
                amounts: TransactionTotal.Amounts(
                    count: count,
                    sum: sum,
                    largest: Money(minorUnits: largest)
                )
            )
        }
        XCTAssertEqual(.found(ledger.goal), try store.goal())
        XCTAssertEqual(
            Set(ledger.totals),
            [
                total("2027-01-01", .income, nil, count: 2, sum: 1_200, largest: 700),
                total("2027-01-01", .expense, "Food", count: 1, sum: 20, largest: 20),
                total("2027-01-02", .expense, "Food", count: 1, sum: 30, largest: 30),
            ]
        )
        XCTAssertEqual(ledger.totals.count, 3)
    }

    func testSumsMayBeMoreThan64BitsHold() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        let count = 9_300
        try await store.write { transaction in
            for number in 1...count {
                for type in [Transaction.Kind.income, .expense] {
                    let number = type == .income ? number : count + number
                    let new = NewTransaction.test(number, type, Money.largestAmount.minorUnits)
                    _ = try transaction.record(new, in: .number(1), today: today, of: .default)
                }
            }
        }

        let ledger = try store.ledger(
            of: .number(1),
            for: StatisticsQuery(asOf: today, timeZone: "UTC"),
            of: .default
        ).value

        XCTAssertEqual(ledger.goal.savedAmount, .zero)
        let sum = Int128(Money.largestAmount.minorUnits) * Int128(count)
        XCTAssertEqual(ledger.totals.map(\.amounts.sum), [sum, sum])
        XCTAssertEqual(ledger.totals.map(\.amounts.count), [count, count])
    }

    func testNamesARowThatIsDamaged() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        try await store.create(.test(2))
        let id = Goal.ID.number(1)
        try store.writer.read { database in
            try database.run("UPDATE goals SET currency = 'XXX' WHERE id = ?", id.stored)
        }

        XCTAssertThrowsError(try store.goal()) { error in
            XCTAssertEqual(
                "\(error)",
                "The currency of goal 01990000-0000-7000-8000-000000000001 in the data file is"
                    + " none there can be."
            )
        }
        XCTAssertNoThrow(try store.goal(2).value)
        do {
            try await store.record(.test(1))
            XCTFail("A transaction was recorded in a damaged goal")
        } catch {
            XCTAssertTrue(error is DamagedRow, "\(error)")
        }
        XCTAssertEqual(store.health, .writable)
    }
}
