import Goals
import Store
import XCTest

final class GoalCommandTests: XCTestCase {
    func testGivesBackAGoalAsItWasCreated() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        let new = NewGoal.test(
            title: "Über 👨‍👩‍👧",
            note: "a\tb\r\nc",
            currency: "KWD",
            target: 999_999_999_999_999,
            starting: 5,
            planned: "2199-12-31"
        )

        let creation = try await store.write { try $0.create(new, of: .default) }

        let goal = Goal(new, at: clock.now)
        XCTAssertEqual(creation, .created(goal))
        XCTAssertEqual(try store.goal(), .found(goal))
    }

    func testTakesARepeatedCreationForTheSameEvenAfterEdits() async throws {
        let store = try memoryStore()
        try await store.create(.test(title: "Trip"))
        let edited = try await store.change(GoalChanges(title: .set(.of("Voyage"))))

        let again = try await store.write { try $0.create(.test(title: "Trip"), of: .default) }
        XCTAssertEqual(again, .existing(edited))

        await assertThrows(.identifierTaken) { try await store.create(.test(title: "Voyage")) }
    }

    func testChangesWhatItIsAskedToAndCountsTheRevision() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        let goal = try await store.create(.test(starting: 100, planned: "2027-06-01"))
        clock.advance(by: 5)
        let changes = GoalChanges(
            note: .set(.of("by train")),
            targetAmount: .set(nil),
            startingAmount: .set(Money(minorUnits: 250)),
            plannedCompletionDate: .set(nil),
            status: .set(.completed)
        )

        let changed = try await store.change(changes)

        XCTAssertEqual(changed, try goal.applying(changes, at: clock.now))
        XCTAssertEqual(changed.revision, 2)
        XCTAssertEqual(changed.savedAmount, Money(minorUnits: 250))
        XCTAssertEqual(try store.goal(), .found(changed))
    }

    func testKeepsTheRevisionIfNothingChanges() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        let goal = try await store.create(.test())
        clock.advance(by: 5)

        let same = try await store.change(GoalChanges(title: .set(.of("Trip"))))

        XCTAssertEqual(same, goal)
        XCTAssertEqual(try store.goal(), .found(goal))
    }

    func testLooksAtThePreconditionAfterTheThingAndBeforeTheRule() async throws {
        let store = try memoryStore()
        let toPaused = GoalChanges(status: .set(.paused))
        await assertThrows(.goalAbsent) {
            try await store.change(toPaused, if: .revisions([7]))
        }
        try await store.create(.test())
        try await store.change(GoalChanges(status: .set(.archived)))

        await assertThrows(.preconditionFailed(currentRevision: 2)) {
            try await store.change(toPaused, if: .revisions([1, 3]))
        }
        await assertThrows(.preconditionFailed(currentRevision: 2)) {
            try await store.change(toPaused, if: .revisions([]))
        }
        for precondition in [Precondition.none, .exists, .revisions([1, 2])] {
            await assertThrows(.rule(.statusMove(from: .archived, to: .paused))) {
                try await store.change(toPaused, if: precondition)
            }
        }
        try await store.delete(1)
        await assertThrows(.goalDeleted) { try await store.change(toPaused, if: .revisions([7])) }
    }

    func testRemembersADeletedGoalAndAllBelowIt() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        try await store.record(.test(1))
        try await store.record(.test(2))
        try await store.deleteTransaction(2)
        await assertThrows(.preconditionFailed(currentRevision: 4)) {
            try await store.delete(1, if: .revisions([3]))
        }

        try await store.delete(1, if: .revisions([4]))

        XCTAssertEqual(try store.goal(), .deleted)
        for number in 1...3 {
            XCTAssertEqual(try store.transaction(number), .deleted)
        }
        XCTAssertEqual(
            try store.transactions(TransactionQuery(), in: .number(1), of: .default),
            .deleted
        )
        XCTAssertEqual(
            try store.ledger(
                of: .number(1),
                for: StatisticsQuery(asOf: today, timeZone: "UTC"),
                of: .default
            ),
            .deleted
        )
        await assertThrows(.goalDeleted) { try await store.create(.test()) }
        await assertThrows(.goalDeleted) { try await store.delete(1) }
        await assertThrows(.goalDeleted) { try await store.record(.test(9)) }
        await assertThrows(.goalDeleted) { try await store.deleteTransaction(1) }
        XCTAssertEqual(try store.goals(GoalQuery(), of: .default).items, [])
    }

    func testKnowsNothingOfAnotherAccountsGoals() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        let other = AccountID(rawValue: 2)

        XCTAssertEqual(try store.goal(.number(1), of: other), .absent)
        XCTAssertEqual(try store.goals(GoalQuery(), of: other).items, [])
        await assertThrows(.goalAbsent) {
            try await store.write { try $0.delete(.number(1), if: .none, of: other) }
        }
    }

    func testDatesNoCommandBeforeTheOneBeforeIt() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        let first = try await store.create(.test(1))
        clock.advance(by: -60_000)

        let second = try await store.create(.test(2))

        XCTAssertEqual(second.createdAt, first.createdAt)
    }
}
