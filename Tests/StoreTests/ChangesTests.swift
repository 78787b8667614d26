import Goals
import XCTest

@testable import Store

final class ChangesTests: XCTestCase {
    func testTellsEachThingOnceAsItIsNow() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))
        try await store.create(.test(2))
        let income = try await store.record(.test(1, .income, 500))
        try await store.record(.test(2))
        let goal = try await store.change(GoalChanges(title: .set(.of("Voyage"))), of: 1)
        try await store.deleteTransaction(2)
        try await store.delete(2)

        let page = try store.changes(after: nil, limit: 10, of: .default)

        XCTAssertEqual(
            page.changes.map(\.change),
            [
                .transaction(income, .of("USD")),
                .transactionDeleted(.number(2), in: .number(1), revision: 2),
                .goal(try store.goal(1).value),
                .goalDeleted(.number(2), revision: 2),
            ]
        )
        XCTAssertEqual(try store.goal(1).value.revision, goal.revision + 1)
        XCTAssertFalse(page.hasMore)
    }

    func testGoesOnFromEveryPlace() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))
        for number in 1...5 { try await store.record(.test(number)) }
        try await store.deleteTransaction(3)
        let all = try store.changes(after: nil, limit: 200, of: .default)

        for (index, entry) in all.changes.enumerated() {
            let rest = try store.changes(after: entry.position, limit: 200, of: .default)
            XCTAssertEqual(rest.changes, Array(all.changes[(index + 1)...]))
            XCTAssertEqual(rest.next, all.next)
        }

        var position: ChangePosition?
        var collected: [RecordedChange] = []
        while true {
            let page = try store.changes(after: position, limit: 2, of: .default)
            collected += page.changes.map(\.change)
            position = page.next
            if !page.hasMore { break }
            XCTAssertEqual(page.changes.count, 2)
        }
        XCTAssertEqual(collected, all.changes.map(\.change))
        XCTAssertEqual(position, try store.latestChange(of: .default).started(by: all.next))
    }

    func testTellsOfNothingTwiceWhenAThingMovesBetweenTwoPages() async throws {
        let store = try memoryStore()
        for number in 1...3 { try await store.create(.test(number)) }

        let first = try store.changes(after: nil, limit: 2, of: .default)
        XCTAssertEqual(first.changes.map(\.change), [1, 2].map { .goal(goal(store, $0)) })
        // One that has been told moves on, and comes again; so does one that has not, once.
        try await store.change(GoalChanges(note: .set(.of("1"))), of: 1)
        try await store.change(GoalChanges(note: .set(.of("3"))), of: 3)

        let second = try store.changes(after: first.next, limit: 200, of: .default)
        XCTAssertEqual(second.changes.map(\.change), [1, 3].map { .goal(goal(store, $0)) })
    }

    func testAReplicaThatFollowsEndsWithWhatThereIs() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        for number in 1...4 { try await store.create(.test(number)) }
        let replica = Replica()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<32 {
                group.addTask {
                    for step in 0..<15 {
                        try await ChangesTests.write(writer * 100 + step, to: store)
                    }
                }
            }
            group.addTask {
                // Reads while they write, until it has met this many pages.
                for _ in 0..<200 { try await replica.follow(store, limit: 3) }
            }
            try await group.waitForAll()
        }
        while try await replica.follow(store, limit: 7) {}

        let goals = try store.goals(GoalQuery(limit: 200), of: .default).items
        let (copiedGoals, copiedTransactions) = await (replica.goals, replica.transactions)
        XCTAssertEqual(copiedGoals, Dictionary(uniqueKeysWithValues: goals.map { ($0.id, $0) }))
        for goal in goals {
            let transactions = try store.transactions(
                TransactionQuery(limit: 200),
                in: goal.id,
                of: .default
            ).value.items
            XCTAssertEqual(
                copiedTransactions.filter { $0.value.goalID == goal.id },
                Dictionary(uniqueKeysWithValues: transactions.map { ($0.id, $0) })
            )
        }
    }

    /// One of several things that may happen to a few goals, most of which come to something.
    private static func write(_ number: Int, to store: GoalStore) async throws {
        let goal = number % 4 + 1
        do {
            switch number % 7 {
            case 0: try await store.delete(goal + 10)
            case 1: try await store.create(.test(goal + 10 + number % 3))
            case 2: try await store.deleteTransaction(max(number - 2, 0), in: goal)
            case 3:
                try await store.change(GoalChanges(note: .set(.of("\(number)"))), of: goal)
            case 4:
                let changes = TransactionChanges(note: .set(.of("\(number)")))
                try await store.change(max(number - 100, 0), changes, in: goal)
            default: try await store.record(.test(number), in: goal)
            }
        } catch is StoreError {
            // What it is about may be gone, or not be there yet.
        }
    }

    func testKnowsNothingOfAnotherHistoryOrTheFuture() async throws {
        let store = try memoryStore()
        try await store.create(.test(1))
        let latest = try store.latestChange(of: .default)

        XCTAssertEqual(
            try store.changes(after: latest, limit: 5, of: .default).changes.count,
            0
        )
        let strangers = [
            ChangePosition(history: latest.history &+ 1, number: 1, start: 1),
            ChangePosition(history: latest.history, number: 2, start: 1),
            ChangePosition(history: latest.history, number: 0, start: 2),
            ChangePosition(history: latest.history, number: -1, start: 1),
        ]
        for position in strangers {
            await assertThrows(.resyncRequired) {
                _ = try store.changes(after: position, limit: 5, of: .default)
            }
        }
        await assertThrows(.accountAbsent) {
            _ = try store.changes(after: nil, limit: 5, of: AccountID(rawValue: 77))
        }
    }

    func testAsksForANewStartWhenADeletionIsForgotten() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        for number in 1...4 { try await store.create(.test(number)) }
        let beforeDeletion = try store.latestChange(of: .default)
        let first = try store.changes(after: nil, limit: 1, of: .default)
        try await store.delete(1)
        let started = try store.changes(after: nil, limit: 1, of: .default)
        let afterDeletion = try store.latestChange(of: .default)
        clock.advance(by: 1_000)
        try await store.delete(2)

        let count = try await store.forgetExpired(
            at: clock.now,
            deletionsBefore: Moment(
                millisecondsSinceEpoch: clock.now.millisecondsSinceEpoch - 500
            )
        )

        XCTAssertEqual(count, 1)
        XCTAssertEqual(try store.goal(1), .absent)
        XCTAssertEqual(try store.goal(2), .deleted)
        for position in [beforeDeletion, first.next] {
            await assertThrows(.resyncRequired) {
                _ = try store.changes(after: position, limit: 5, of: .default)
            }
        }
        // Who knows of the deletion, or never knew the goal, misses nothing.
        for position in [afterDeletion, started.next] {
            let rest = try store.changes(after: position, limit: 5, of: .default)
            XCTAssertEqual(
                rest.changes.last?.change,
                .goalDeleted(.number(2), revision: 2)
            )
        }
        let again = try await store.forgetExpired(at: clock.now, deletionsBefore: clock.now)
        XCTAssertEqual(again, 0)
    }

    func testForgetsMoreThanGoesAtOnce() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        for number in 1...450 {
            try await store.write { transaction in
                _ = try transaction.create(.test(number), of: .default)
                try transaction.delete(.number(number), if: .none, of: .default)
            }
        }
        clock.advance(by: 1)

        let count = try await store.forgetExpired(at: clock.now, deletionsBefore: clock.now)

        XCTAssertEqual(count, 450)
    }

    func testRestoringABackupBeginsANewHistory() async throws {
        let folder = try temporaryFolder()
        let store = try fileStore(folder + "/a.sqlite")
        try await store.create(.test(1))
        try DataBackup.write(of: folder + "/a.sqlite", to: folder + "/copy.sqlite")
        let position = try store.latestChange(of: .default)
        store.close()

        try DataBackup.restore(folder + "/copy.sqlite", to: folder + "/a.sqlite", on: today)

        let restored = try fileStore(folder + "/a.sqlite")
        await assertThrows(.resyncRequired) {
            _ = try restored.changes(after: position, limit: 5, of: .default)
        }
    }

    private func goal(_ store: GoalStore, _ number: Int) -> Goal {
        guard let goal = try? store.goal(number).value else {
            preconditionFailure("Goal \(number) is there.")
        }
        return goal
    }
}

/// What a client has that only reads changes.
private actor Replica {
    private(set) var goals: [Goal.ID: Goal] = [:]
    private(set) var transactions: [Transaction.ID: Transaction] = [:]
    private var position: ChangePosition?

    /// Applies one page.
    ///
    /// - Returns: Whether there is more.
    @discardableResult
    func follow(_ store: GoalStore, limit: Int) throws -> Bool {
        let page = try store.changes(after: position, limit: limit, of: .default)
        for entry in page.changes {
            switch entry.change {
            case .goal(let goal): goals[goal.id] = goal
            case .transaction(let transaction, _): transactions[transaction.id] = transaction
            case .transactionDeleted(let id, _, _): transactions[id] = nil
            case .goalDeleted(let id, _):
                goals[id] = nil
                transactions = transactions.filter { $0.value.goalID != id }
            }
        }
        position = page.next
        return page.hasMore
    }
}

extension GoalStore {
    /// The place after the latest change of an account.
    fileprivate func latestChange(of account: AccountID) throws -> ChangePosition {
        let order = try read { try $0.changeOrder(of: account) }
        return ChangePosition(
            history: order.history,
            number: order.sequence,
            start: order.sequence
        )
    }
}

extension ChangePosition {
    /// The same place for a client that began when another one did.
    fileprivate func started(by other: ChangePosition) -> ChangePosition {
        ChangePosition(history: history, number: number, start: other.start)
    }
}
