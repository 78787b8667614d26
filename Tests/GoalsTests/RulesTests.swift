import XCTest

@testable import Goals

final class RulesTests: XCTestCase {
    func testAGoalBeginsActiveWithItsStartingAmountSaved() throws {
        let new = try newGoal(startingAmount: Money(minorUnits: 2_500))

        XCTAssertEqual(
            Goal(new, at: moment(7)),
            Goal(
                id: new.id,
                title: new.title,
                note: new.note,
                currency: new.currency,
                targetAmount: new.targetAmount,
                startingAmount: new.startingAmount,
                plannedCompletionDate: new.plannedCompletionDate,
                status: .active,
                completedAt: nil,
                savedAmount: Money(minorUnits: 2_500),
                transactionCount: 0,
                revision: 1,
                createdAt: moment(7),
                updatedAt: moment(7)
            )
        )
    }

    func testRemainingIsNegativeBeyondTheTargetAndNilWithoutOne() throws {
        let beyond = Goal(
            try newGoal(
                targetAmount: Money(minorUnits: 100),
                startingAmount: Money(minorUnits: 130)
            ),
            at: moment(0)
        )
        let openEnded = Goal(try newGoal(targetAmount: nil), at: moment(0))

        XCTAssertEqual(beyond.remainingAmount, Money(minorUnits: -30))
        XCTAssertNil(openEnded.remainingAmount)
    }

    func testAllowsExactlyTheMovesOfTheTable() throws {
        let allowed: [Goal.Status: Set<Goal.Status>] = [
            .active: [.paused, .completed, .archived],
            .paused: [.active, .completed, .archived],
            .completed: [.active, .archived],
            .archived: [.active],
        ]
        for from in Goal.Status.allCases {
            let goal = try goal(status: from)
            for to in Goal.Status.allCases where to != from {
                let changes = GoalChanges(status: .set(to))
                if allowed[from]?.contains(to) ?? false {
                    XCTAssertEqual(try goal.applying(changes, at: moment(9)).status, to)
                } else {
                    assertThrows(
                        .statusMove(from: from, to: to),
                        try goal.applying(changes, at: moment(9))
                    )
                }
            }
            XCTAssertEqual(Set(from.allowedMoves), allowed[from])
        }
    }

    func testKeepsTheMomentOfCompletionWhileCompleted() throws {
        let active = try goal(status: .active)

        let completed = try active.applying(GoalChanges(status: .set(.completed)), at: moment(5))
        let renamed = try completed.applying(GoalChanges(title: .set(title("B"))), at: moment(6))
        let reopened = try renamed.applying(GoalChanges(status: .set(.active)), at: moment(7))
        let again = try reopened.applying(GoalChanges(status: .set(.completed)), at: moment(8))
        let archived = try again.applying(GoalChanges(status: .set(.archived)), at: moment(9))

        XCTAssertEqual(
            [active, completed, renamed, reopened, again, archived].map(\.completedAt),
            [nil, moment(5), moment(5), nil, moment(8), nil]
        )
    }

    func testAppliesAllChangesAtOnce() throws {
        let goal = try History(
            newGoal(startingAmount: Money(minorUnits: 1_000)),
            transactions: [transaction(.income, 300)]
        ).goal

        let changed = try goal.applying(
            GoalChanges(
                title: .set(title("House")),
                note: .set(XCTUnwrap(Note("By the sea"))),
                targetAmount: .set(nil),
                startingAmount: .set(Money(minorUnits: 400)),
                plannedCompletionDate: .set(nil),
                status: .set(.paused)
            ),
            at: moment(50)
        )

        XCTAssertEqual(
            changed,
            Goal(
                id: goal.id,
                title: try title("House"),
                note: try XCTUnwrap(Note("By the sea")),
                currency: goal.currency,
                targetAmount: nil,
                startingAmount: Money(minorUnits: 400),
                plannedCompletionDate: nil,
                status: .paused,
                completedAt: nil,
                savedAmount: Money(minorUnits: 700),
                transactionCount: 1,
                revision: 3,
                createdAt: goal.createdAt,
                updatedAt: moment(50)
            )
        )
    }

    func testChangesThatChangeNothingKeepTheRevision() throws {
        let goal = try goal(status: .completed)
        let same = GoalChanges(
            title: .set(goal.title),
            note: .set(goal.note),
            targetAmount: .set(goal.targetAmount),
            startingAmount: .set(goal.startingAmount),
            plannedCompletionDate: .set(goal.plannedCompletionDate),
            status: .set(goal.status)
        )
        let transaction = try recorded(transaction(.income, 5))
        let sameTransaction = TransactionChanges(
            type: .set(transaction.type),
            amount: .set(transaction.amount),
            date: .set(transaction.date),
            category: .set(transaction.category),
            note: .set(transaction.note)
        )

        XCTAssertEqual(try goal.applying(GoalChanges(), at: moment(99)), goal)
        XCTAssertEqual(try goal.applying(same, at: moment(99)), goal)
        XCTAssertEqual(transaction.applying(TransactionChanges(), at: moment(99)), transaction)
        XCTAssertEqual(transaction.applying(sameTransaction, at: moment(99)), transaction)
        XCTAssertEqual(
            try goal.replacing(transaction, with: transaction, at: moment(99)),
            goal
        )
    }

    func testEachChangeByItselfRaisesTheRevision() throws {
        let goal = try goal(status: .active)
        let changes = try [
            GoalChanges(title: .set(title("Other"))),
            GoalChanges(note: .set(XCTUnwrap(Note("Other")))),
            GoalChanges(targetAmount: .set(nil)),
            GoalChanges(startingAmount: .set(Money(minorUnits: 1))),
            GoalChanges(plannedCompletionDate: .set(nil)),
            GoalChanges(status: .set(.paused)),
        ]
        for change in changes {
            let changed = try goal.applying(change, at: moment(20))
            XCTAssertEqual(changed.revision, goal.revision + 1, "\(change)")
            XCTAssertEqual(changed.updatedAt, moment(20), "\(change)")
        }
    }

    func testTransactionsMoveTheSavedAmountAndTheCount() throws {
        let goal = Goal(try newGoal(startingAmount: Money(minorUnits: 100)), at: moment(1))
        let income = try recorded(transaction(.income, 50))
        let expense = try recorded(transaction(.expense, 200))
        let edited = income.applying(
            TransactionChanges(type: .set(.expense), amount: .set(Money(minorUnits: 10))),
            at: moment(4)
        )

        let saved = try goal.recording(income, at: moment(2))
        let spent = try saved.recording(expense, at: moment(3))
        let corrected = try spent.replacing(income, with: edited, at: moment(4))
        let removed = try corrected.removing(expense, at: moment(5))

        let goals = [goal, saved, spent, corrected, removed]
        XCTAssertEqual(goals.map(\.savedAmount.minorUnits), [100, 150, -50, -110, 90])
        XCTAssertEqual(goals.map(\.transactionCount), [0, 1, 2, 2, 1])
        XCTAssertEqual(goals.map(\.revision), [1, 2, 3, 4, 5])
        XCTAssertEqual(goals.map(\.updatedAt), (1...5).map { moment($0) })
    }

    func testAnArchivedGoalTakesNoNewTransactions() throws {
        let active = try History(newGoal(), transactions: [transaction(.income, 50)])
        let old = try XCTUnwrap(active.transactions.first)
        let archived = try active.goal.applying(
            GoalChanges(status: .set(.archived)),
            at: moment(9)
        )
        let edited = old.applying(
            TransactionChanges(amount: .set(Money(minorUnits: 60))),
            at: moment(9)
        )

        assertThrows(.goalIsArchived, try archived.recording(old, at: moment(9)))
        XCTAssertEqual(
            try archived.replacing(old, with: edited, at: moment(9)).savedAmount,
            Money(minorUnits: 60)
        )
        XCTAssertEqual(try archived.removing(old, at: moment(9)).savedAmount, .zero)
    }

    func testPausedAndCompletedGoalsTakeTransactions() throws {
        for status in [Goal.Status.paused, .completed] {
            XCTAssertEqual(
                try goal(status: status).recording(recorded(transaction(.income, 1)), at: moment(9))
                    .transactionCount,
                1
            )
        }
    }

    func testTheSavedAmountStaysWithinItsBounds() throws {
        let largest = Money.largestAmount.minorUnits
        let most = try goal(saved: Money.savedAmounts.upperBound.minorUnits - largest)
        let least = try goal(saved: Money.savedAmounts.lowerBound.minorUnits + largest)
        let income = try recorded(transaction(.income, largest))
        let expense = try recorded(transaction(.expense, largest))

        let full = try most.recording(income, at: moment(2))
        let empty = try least.recording(expense, at: moment(2))

        XCTAssertEqual(full.savedAmount, Money.savedAmounts.upperBound)
        XCTAssertEqual(empty.savedAmount, Money.savedAmounts.lowerBound)
        let one = try recorded(transaction(.income, 1))
        let lost = try recorded(transaction(.expense, 1))
        assertThrows(.savedAmountOutOfBounds(full.currency), try full.recording(one, at: moment(3)))
        assertThrows(.savedAmountOutOfBounds(full.currency), try full.removing(lost, at: moment(3)))
        assertThrows(
            .savedAmountOutOfBounds(full.currency),
            try full.replacing(lost, with: one, at: moment(3))
        )
        assertThrows(
            .savedAmountOutOfBounds(full.currency),
            try empty.recording(lost, at: moment(3))
        )
        assertThrows(.savedAmountOutOfBounds(full.currency), try empty.removing(one, at: moment(3)))
        assertThrows(
            .savedAmountOutOfBounds(full.currency),
            try full.applying(
                GoalChanges(startingAmount: .set(Money(minorUnits: 1))),
                at: moment(3)
            )
        )
    }

    func testTimeNeverGoesBack() throws {
        let goal = Goal(try newGoal(), at: moment(100))
        let transaction = Transaction(
            try transaction(.income, 1),
            in: goal.id,
            today: .earliest,
            at: moment(100)
        )

        let changed = try goal.applying(GoalChanges(status: .set(.completed)), at: moment(60))
        let edited = transaction.applying(
            TransactionChanges(amount: .set(Money(minorUnits: 2))),
            at: moment(60)
        )

        XCTAssertEqual(changed.updatedAt, moment(100))
        XCTAssertEqual(changed.completedAt, moment(100))
        XCTAssertEqual(try goal.recording(transaction, at: moment(60)).updatedAt, moment(100))
        XCTAssertEqual(edited.updatedAt, moment(100))
        XCTAssertEqual(edited.revision, 2)
    }

    func testATransactionWithoutADateIsDatedToday() throws {
        let today = try day("2027-01-15")
        let dated = try transaction(.income, 1, date: day("2026-12-31"))
        let undated = try transaction(.income, 1)
        let goal = Goal.ID(high: 1, low: 2)

        XCTAssertEqual(
            Transaction(dated, in: goal, today: today, at: moment(1)).date,
            try day("2026-12-31")
        )
        XCTAssertEqual(
            Transaction(undated, in: goal, today: today, at: moment(1)),
            Transaction(
                id: undated.id,
                goalID: goal,
                type: .income,
                amount: Money(minorUnits: 1),
                date: today,
                category: nil,
                note: .empty,
                revision: 1,
                createdAt: moment(1),
                updatedAt: moment(1)
            )
        )
    }
}

// MARK: - What the tests begin with

extension RulesTests {
    private func moment(_ milliseconds: Int64) -> Moment {
        Moment(millisecondsSinceEpoch: milliseconds)
    }

    private func title(_ text: String) throws -> Title {
        try XCTUnwrap(Title(text))
    }

    private func newGoal(
        targetAmount: Money? = Money(minorUnits: 100_000),
        startingAmount: Money = .zero
    ) throws -> NewGoal {
        try NewGoal(
            id: Goal.ID(high: 1, low: 2),
            title: title("New bike"),
            currency: XCTUnwrap(Currency("EUR")),
            targetAmount: targetAmount,
            startingAmount: startingAmount,
            plannedCompletionDate: day("2027-12-31")
        )
    }

    private func goal(status: Goal.Status = .active, saved: Int64 = 0) throws -> Goal {
        let new = try newGoal()
        return Goal(
            id: new.id,
            title: new.title,
            note: new.note,
            currency: new.currency,
            targetAmount: new.targetAmount,
            startingAmount: .zero,
            plannedCompletionDate: new.plannedCompletionDate,
            status: status,
            completedAt: status == .completed ? moment(1) : nil,
            savedAmount: Money(minorUnits: saved),
            transactionCount: 0,
            revision: 1,
            createdAt: moment(1),
            updatedAt: moment(1)
        )
    }

    private func transaction(
        _ type: Transaction.Kind,
        _ minorUnits: Int64,
        date: CalendarDay? = nil
    ) throws -> NewTransaction {
        NewTransaction(
            id: Transaction.ID(high: 3, low: 4),
            type: type,
            amount: Money(minorUnits: minorUnits),
            date: date
        )
    }

    private func recorded(_ new: NewTransaction) -> Transaction {
        Transaction(new, in: Goal.ID(high: 1, low: 2), today: .earliest, at: moment(1))
    }

    private func assertThrows(
        _ violation: RuleViolation,
        _ command: @autoclosure () throws -> Goal,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        XCTAssertThrowsError(try command(), file: file, line: line) { error in
            XCTAssertEqual(error as? RuleViolation, violation, file: file, line: line)
        }
    }
}
