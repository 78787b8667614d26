import Dispatch
import Goals
import SQLite
import Synchronization
import XCTest

@testable import Store

final class WriterTests: XCTestCase {
    func testUndoesACommandThatFailsAndKeepsItsNeighbors() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        struct Stop: Error {}
        let gate = try await blockWriter(of: store)
        var outcomes: [Int: Bool] = [:]

        try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for number in 1...50 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            _ = try transaction.create(.test(number), of: .default)
                            guard number % 3 != 0 else { throw Stop() }
                        }
                        return (number, true)
                    } catch is Stop {
                        return (number, false)
                    }
                }
            }
            gate.signal()
            for try await (number, isKept) in group {
                outcomes[number] = isKept
            }
        }

        for number in 1...50 {
            XCTAssertEqual(outcomes[number], number % 3 != 0, "\(number)")
            XCTAssertEqual(
                try store.goal(number) != .absent,
                number % 3 != 0,
                "goal \(number)"
            )
        }
        XCTAssertEqual(store.health, .writable)
    }

    func testTellsTheObserverBeforeTheWriter() async throws {
        let store = try memoryStore()
        let told = Mutex<[Set<GoalKey>]>([])
        store.observeCommits { goals in told.withLock { $0.append(goals) } }
        let key = GoalKey(account: .default, goal: .number(1))

        try await store.create(.test())
        XCTAssertEqual(told.withLock { $0 }, [[key]])

        try await store.record(.test())
        XCTAssertEqual(told.withLock { $0 }, [[key], [key]])

        await assertThrows(.goalAbsent) { try await store.record(.test(), in: 2) }
        try await store.change(GoalChanges(title: .set(.of("Trip"))))
        XCTAssertEqual(told.withLock { $0 }, [[key], [key]], "nothing has changed")
    }

    func testLetsTheObserverSeeWhatWasCommitted() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        let seen = Mutex<[Int]>([])
        store.observeCommits { goals in
            for key in goals {
                guard case .found(let goal) = try? store.goal(key.goal, of: key.account) else {
                    continue
                }
                seen.withLock { $0.append(goal.revision) }
            }
        }

        try await store.create(.test())
        for number in 1...3 {
            try await store.record(.test(number))
        }

        XCTAssertEqual(seen.withLock { $0 }, [1, 2, 3, 4])
    }

    func testTellsTheObserverBeforeAnybodyCanSeeTheCommit() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        let seen = Mutex<[Int]>([])
        let look: @Sendable (Set<GoalKey>) -> Void = { goals in
            for key in goals {
                let found = try? store.goal(key.goal, of: key.account)
                guard case .found(let goal) = found else { continue }
                seen.withLock { $0.append(goal.revision) }
            }
        }
        try await store.create(.test())
        store.observeCommits(before: look, after: look)

        try await store.record(.test(1))
        try await store.record(.test(2))

        XCTAssertEqual(seen.withLock { $0 }, [1, 2, 2, 3])
    }

    func testTellsTheObserverWhenACommitHasFailed() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        try await store.create(.test(1))
        let told = Mutex<[String]>([])
        store.observeCommits(
            before: { goals in told.withLock { $0.append("before \(goals.count)") } },
            after: { goals in told.withLock { $0.append("after \(goals.count)") } }
        )
        // A reference to nothing is found out by the commit alone.
        do {
            try await store.write { transaction in
                _ = try transaction.create(.test(2), of: .default)
                try transaction.database.run("PRAGMA defer_foreign_keys = ON")
                try transaction.database.run(
                    """
                    INSERT INTO tombstones (account, goal, entry, revision, deleted_at)
                    VALUES (77, zeroblob(16), x'', 1, 0)
                    """
                )
            }
            XCTFail("The account is none there is")
        } catch {
            XCTAssertNotNil(error as? StoreError, "\(error)")
        }

        XCTAssertEqual(told.withLock { $0 }, ["before 1", "after 1"])
        XCTAssertEqual(try store.goal(2), .absent)
    }

    func testTakesNoMoreCommandsThanItsQueueHolds() async throws {
        var options = GoalStore.Options()
        options.queuedWrites = 3
        let store = try memoryStore(options: options)
        let gate = try await blockWriter(of: store)

        // Two are refused at once; the others wait for the gate.
        let results = await results(of: 5, opening: gate, afterFirst: 2) { number in
            try await store.create(.test(number))
        }

        XCTAssertEqual(results, [.queueFull, .queueFull, nil, nil, nil])
        XCTAssertEqual(try store.goals(GoalQuery(), of: .default).items.count, 3)
    }

    func testCountsACommandForAsMuchAsItWeighs() async throws {
        var options = GoalStore.Options()
        options.queuedWrites = 10
        let store = try memoryStore(options: options)
        let gate = try await blockWriter(of: store)

        // Two are refused at once; the others wait for the gate.
        let results = await results(of: 3, opening: gate, afterFirst: 2) { number in
            try await store.write(weight: 6) { transaction in
                _ = try transaction.create(.test(number), of: .default)
            }
        }

        XCTAssertEqual(results, [.queueFull, .queueFull, nil])
    }

    func testCommandsThatTakeLongShareNoTransaction() async throws {
        for (milliseconds, commits) in [(0, [1, 1, 1, 1]), (60_000, [4])] {
            var options = GoalStore.Options()
            options.groupMilliseconds = milliseconds
            let store = try memoryStore(options: options)
            let told = Mutex<[Int]>([])
            store.observeCommits { goals in told.withLock { $0.append(goals.count) } }
            let gate = try await blockWriter(of: store)

            let commands = (1...4).map { number in
                Task { try await store.create(.test(number)) }
            }
            while store.writer.waitingCommands < 4 { await Task.yield() }
            gate.signal()
            for command in commands { _ = try await command.value }

            XCTAssertEqual(told.withLock { $0 }, commits)
        }
    }

    func testBatchesLeaveRoomForSingleCommands() async throws {
        var options = GoalStore.Options()
        options.queuedWrites = 8
        let store = try memoryStore(options: options)
        let gate = try await blockWriter(of: store)

        // Two are refused at once; the others wait for the gate.
        let results = await results(of: 8, opening: gate, afterFirst: 2) { number in
            try await store.write(weight: number > 4 ? 2 : 1) { transaction in
                _ = try transaction.create(.test(number), of: .default)
            }
        }

        XCTAssertEqual(results, [.queueFull, .queueFull] + Array(repeating: nil, count: 6))
    }

    func testSaysThatTheDiskIsFullAndGoesOnWhenThereIsRoom() async throws {
        let path = try temporaryFolder() + "/a.sqlite"
        let store = try fileStore(path)
        let isTold = Mutex(false)
        try await store.create(.test(1))
        store.observeCommits { _ in isTold.withLock { $0 = true } }
        let huge = String(repeating: "x ", count: 1_000)

        for attempt in 1...2 {
            try fill(store)
            await assertThrows(.storage(.diskFull)) {
                try await store.write { transaction in
                    for number in 2...100 {
                        _ = try transaction.create(.test(number, note: huge), of: .default)
                    }
                }
            }
            XCTAssertEqual(store.health, .failing(.diskFull), "attempt \(attempt)")
            XCTAssertEqual(try store.goal(2), .absent)
            XCTAssertNoThrow(try store.goal(1).value)
        }
        XCTAssertFalse(isTold.withLock { $0 })

        let health = await store.probe()
        XCTAssertEqual(health, .writable)
        XCTAssertEqual(store.health, .writable)
        try await store.create(.test(2, note: huge))
        XCTAssertTrue(isTold.withLock { $0 })
        store.close()

        let reopened = try fileStore(path)
        XCTAssertEqual(
            try reopened.titles(GoalQuery(sort: GoalSort(.createdAt))).count,
            2,
            "what was refused is not there"
        )
    }

    func testIsNotWellAgainBecauseOfACommandThatWritesNothing() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        let huge = String(repeating: "x ", count: 1_000)
        try fill(store)
        await assertThrows(.storage(.diskFull)) {
            try await store.write { transaction in
                for number in 1...100 {
                    _ = try transaction.create(.test(number, note: huge), of: .default)
                }
            }
        }

        await assertThrows(.goalAbsent) { try await store.delete(1) }

        XCTAssertEqual(store.health, .failing(.diskFull))
    }

    func testRefusesAWholeBatchWhoseCommitFails() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        let gate = try await blockWriter(of: store)
        let huge = String(repeating: "x ", count: 1_000)

        let results = await withTaskGroup(of: StoreError?.self) { group in
            for number in 1...20 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            try transaction.database.runScript("PRAGMA max_page_count = 1")
                            _ = try transaction.create(.test(number, note: huge), of: .default)
                            _ = try transaction.create(
                                .test(100 + number, note: huge),
                                of: .default
                            )
                        }
                        return nil
                    } catch {
                        return error as? StoreError
                    }
                }
            }
            gate.signal()
            return await group.reduce(into: []) { $0.append($1) }
        }

        XCTAssertEqual(Set(results), [.storage(.diskFull)])
        XCTAssertEqual(try store.goals(GoalQuery(), of: .default).items, [])
    }

    func testIsUnavailableOnceItIsClosed() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        try await store.create(.test())

        store.close()
        store.close()

        await assertThrows(.storage(.closed)) {
            try await store.create(.test(2))
        }
        await assertThrows(.storage(.closed)) { _ = try store.goal() }
        await assertThrows(.storage(.closed)) {
            try await store.inBackground { _ in }
        }
    }

    func testReadsInTheBackground() async throws {
        let store = try fileStore(try temporaryFolder() + "/a.sqlite")
        try await store.create(.test(title: "Über"))

        let titles = try await store.inBackground { try $0.titles(GoalQuery(search: "uber")) }

        XCTAssertEqual(titles, ["Über"])
    }

    func testTakesNoMoreBackgroundReadsThanItMay() async throws {
        var options = GoalStore.Options()
        options.queuedReads = 2
        options.backgroundConnections = 1
        let store = try memoryStore(options: options)
        let gate = DispatchSemaphore(value: 0)

        let results = await withTaskGroup(of: StoreError?.self) { group in
            for _ in 1...4 {
                group.addTask {
                    do {
                        try await store.inBackground { _ in gate.wait() }
                        return nil
                    } catch {
                        return error as? StoreError
                    }
                }
            }
            var results: [StoreError?] = []
            for await result in group {
                results.append(result)
                if results.count == 2 {
                    gate.signal()
                    gate.signal()
                }
            }
            return results
        }

        XCTAssertEqual(results, [.queueFull, .queueFull, nil, nil])
    }

    func testKeepsTheLogShort() async throws {
        let path = try temporaryFolder() + "/a.sqlite"
        let store = try fileStore(path)
        let note = String(repeating: "x ", count: 1_000)

        for batch in 0..<15 {
            try await store.write { transaction in
                for number in 1...100 {
                    _ = try transaction.create(
                        .test(batch * 100 + number, note: note),
                        of: .default
                    )
                }
            }
            let log = try XCTUnwrap(FileSystem.size(of: path + "-wal"))
            XCTAssertLessThan(log, 16 << 20, "after \(batch + 1) batches")
        }
        store.close()
        XCTAssertNil(FileSystem.size(of: path + "-wal"))
    }

    func testKeepsTheLogShortThoughSomebodyReadsAllTheTime() async throws {
        let path = try temporaryFolder() + "/a.sqlite"
        let store = try fileStore(path)
        let note = String(repeating: "x ", count: 1_000)
        try await store.write { transaction in
            for number in 1...400 {
                _ = try transaction.create(.test(number, note: note), of: .default)
            }
        }
        let isOver = Mutex(false)
        let readers = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: readers) {
                do {
                    while !isOver.withLock({ $0 }) {
                        _ = try store.goals(GoalQuery(limit: 10), of: .default)
                    }
                } catch {
                    XCTFail("\(error)")
                }
            }
        }

        var longest = 0
        for batch in 4..<34 {
            try await store.write { transaction in
                for number in 1...100 {
                    _ = try transaction.create(
                        .test(batch * 100 + number, note: note),
                        of: .default
                    )
                }
            }
            longest = max(longest, FileSystem.size(of: path + "-wal") ?? 0)
        }
        isOver.withLock { $0 = true }
        await withCheckedContinuation { continuation in
            readers.notify(queue: .global()) { continuation.resume() }
        }

        XCTAssertLessThan(longest, 16 << 20)
    }

    /// Leaves no more pages than there are.
    private func fill(_ store: GoalStore) throws {
        try store.writer.read { try $0.runScript("PRAGMA max_page_count = 1") }
    }

    /// Runs commands at once, and lets the writer go when the first few have their results.
    ///
    /// - Returns: Why each was refused, in the order in which they ended.
    private func results(
        of count: Int,
        opening gate: DispatchSemaphore,
        afterFirst few: Int,
        _ command: @escaping @Sendable (Int) async throws -> Void
    ) async -> [StoreError?] {
        await withTaskGroup(of: StoreError?.self) { group in
            for number in 1...count {
                group.addTask {
                    do {
                        try await command(number)
                        return nil
                    } catch {
                        return error as? StoreError
                    }
                }
            }
            var results: [StoreError?] = []
            for await result in group {
                results.append(result)
                if results.count == few { gate.signal() }
            }
            return results
        }
    }

    /// Has the writer wait, so that the commands that follow come into one transaction.
    private func blockWriter(of store: GoalStore) async throws -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        let (started, start) = AsyncStream<Void>.makeStream()
        Task {
            try await store.write { _ in
                start.yield()
                gate.wait()
            }
        }
        for await _ in started { break }
        return gate
    }
}
