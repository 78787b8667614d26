import Goals
import Store
import XCTest

@testable import API

final class SnapshotCacheTests: XCTestCase {
    private let cache = SnapshotCache(bytes: 1_000_000, shardCount: 1)

    func testMakesWhatItHasNotAndKeepsIt() {
        let first = cache.snapshot(.goal, of: key(1)) { snapshot(revision: 1) }
        let second = cache.snapshot(.goal, of: key(1)) { unexpected() }

        XCTAssertEqual(first, snapshot(revision: 1))
        XCTAssertEqual(second, snapshot(revision: 1))
    }

    func testTellsGoalsAccountsAndQueriesApart() {
        let other = GoalKey(account: AccountID(rawValue: 2), goal: key(1).goal)
        let january = StatisticsQuery(asOf: day("2027-01-15"), timeZone: "UTC")
        let queries = [
            january,
            StatisticsQuery(asOf: day("2027-01-16"), timeZone: "UTC"),
            StatisticsQuery(asOf: day("2027-01-15"), timeZone: "Europe/Warsaw"),
            StatisticsQuery(
                asOf: day("2027-01-15"),
                timeZone: "UTC",
                filter: StatisticsFilter(onlyExpenses: true)
            ),
        ]

        _ = cache.snapshot(.goal, of: key(1)) { snapshot(revision: 1) }
        _ = cache.snapshot(.goal, of: key(2)) { snapshot(revision: 2) }
        _ = cache.snapshot(.goal, of: other) { snapshot(revision: 3) }
        for (index, query) in queries.enumerated() {
            _ = cache.snapshot(.statistics(query), of: key(1)) { snapshot(revision: 10 + index) }
        }

        XCTAssertEqual(kept(.goal, of: key(1)), snapshot(revision: 1))
        XCTAssertEqual(kept(.goal, of: key(2)), snapshot(revision: 2))
        XCTAssertEqual(kept(.goal, of: other), snapshot(revision: 3))
        for (index, query) in queries.enumerated() {
            XCTAssertEqual(kept(.statistics(query), of: key(1)), snapshot(revision: 10 + index))
        }
    }

    func testForgetsAllOfAGoalThatChanged() {
        let query = StatisticsQuery(asOf: day("2027-01-15"), timeZone: "UTC")
        _ = cache.snapshot(.goal, of: key(1)) { snapshot(revision: 1) }
        _ = cache.snapshot(.statistics(query), of: key(1)) { snapshot(revision: 1) }
        _ = cache.snapshot(.goal, of: key(2)) { snapshot(revision: 1) }

        change([key(1)])

        XCTAssertNil(cache.kept(.goal, of: key(1)))
        XCTAssertNil(cache.kept(.statistics(query), of: key(1)))
        XCTAssertNotNil(cache.kept(.goal, of: key(2)))
    }

    func testASlowReaderCannotPutAnOldOneBack() {
        let answer = cache.snapshot(.goal, of: key(1)) {
            // The reader has read revision 1 when a commit makes revision 2 of it.
            change([key(1)])
            return snapshot(revision: 1)
        }

        XCTAssertEqual(answer, snapshot(revision: 1))
        XCTAssertNil(cache.kept(.goal, of: key(1)))
    }

    func testASlowReaderCannotReplaceANewerOne() {
        _ = cache.snapshot(.goal, of: key(1)) {
            change([key(1)])
            _ = cache.snapshot(.goal, of: key(1)) { snapshot(revision: 2) }
            return snapshot(revision: 1)
        }

        XCTAssertEqual(kept(.goal, of: key(1)), snapshot(revision: 2))
    }

    func testKeepsNothingOfACommitThatOnlySomeCanSee() {
        _ = cache.snapshot(.goal, of: key(1)) { snapshot(revision: 1) }

        cache.willChange([key(1)])
        XCTAssertNil(cache.kept(.goal, of: key(1)))
        // One reads before the commit can be seen, another after; the first is the slower one.
        let slow = cache.snapshot(.goal, of: key(1)) {
            let fast = cache.snapshot(.goal, of: key(1)) { snapshot(revision: 2) }
            XCTAssertEqual(fast, snapshot(revision: 2))
            cache.haveChanged([key(1)])
            return snapshot(revision: 1)
        }

        XCTAssertEqual(slow, snapshot(revision: 1))
        XCTAssertNil(cache.kept(.goal, of: key(1)))
        _ = cache.snapshot(.goal, of: key(1)) { snapshot(revision: 2) }
        XCTAssertEqual(kept(.goal, of: key(1)), snapshot(revision: 2))
    }

    func testKeepsNothingWhenMakingFails() {
        struct Failure: Error {}

        XCTAssertThrowsError(try cache.snapshot(.goal, of: key(1)) { throw Failure() })
        XCTAssertNil(cache.kept(.goal, of: key(1)))
    }

    // MARK: - Bounds

    func testStaysWithinItsBytes() {
        var shard = CacheShard(capacity: 20_000)

        for number in 0..<1_000 {
            insert(snapshot(revision: number, bodyBytes: number), of: number, into: &shard)
            XCTAssertLessThanOrEqual(shard.bytes, 20_000)
        }

        XCTAssertGreaterThan(shard.bytes, 10_000)
    }

    func testStaysWithinItsBytesWhenAllAreOfOneGoal() {
        var shard = CacheShard(capacity: 5_000)
        insert(snapshot(revision: 1), of: 1, into: &shard)

        for offset in 0..<20 {
            insert(
                snapshot(revision: 1, bodyBytes: 1_000),
                for: report(offset),
                of: 1,
                into: &shard
            )
            XCTAssertLessThanOrEqual(shard.bytes, 5_000)
        }

        XCTAssertTrue(has(1, in: &shard))
        XCTAssertEqual((0..<20).filter { has(1, report($0), in: &shard) }, [18, 19])
    }

    func testLetsGoFirstOfWhatNobodyAskedFor() {
        var shard = CacheShard(capacity: 10_000)
        for number in 0..<8 {
            insert(snapshot(revision: 1, bodyBytes: 488), of: number, into: &shard)
        }

        // As long as goal 3 is asked for, all others come and go.
        for number in 8..<100 {
            XCTAssertTrue(has(3, in: &shard))
            insert(snapshot(revision: 1, bodyBytes: 488), of: number, into: &shard)
        }

        XCTAssertTrue(has(3, in: &shard))
        XCTAssertFalse(has(4, in: &shard))
        XCTAssertTrue(has(99, in: &shard))
    }

    func testKeepsFewReportsOfOneGoalAndTheGoalItself() {
        var shard = CacheShard(capacity: 1_000_000)
        insert(snapshot(revision: 1), of: 1, into: &shard)

        for offset in 0..<100 {
            insert(snapshot(revision: 1), for: report(offset), of: 1, into: &shard)
        }

        XCTAssertTrue(has(1, in: &shard))
        let kept = (0..<100).filter { has(1, report($0), in: &shard) }
        XCTAssertEqual(kept, Array(92..<100))
    }

    func testDoesNotKeepWhatIsLargerThanItself() {
        var shard = CacheShard(capacity: 1_000)

        insert(snapshot(revision: 1, bodyBytes: 1_000), of: 1, into: &shard)

        XCTAssertFalse(has(1, in: &shard))
        XCTAssertEqual(shard.bytes, 0)
    }

    func testCountsItsBytesDownToNothing() {
        var shard = CacheShard(capacity: 1_000_000)
        for number in 0..<50 {
            insert(snapshot(revision: 1, bodyBytes: number), of: number, into: &shard)
            insert(snapshot(revision: 2, bodyBytes: 9), of: number, into: &shard)
            insert(snapshot(revision: 2, bodyBytes: 99), for: report(1), of: number, into: &shard)
        }

        for number in (0..<50).reversed() + [7] { shard.willChange(key(number)) }

        XCTAssertEqual(shard.bytes, 0)
    }

    // MARK: - What the tests keep

    private func key(_ number: Int) -> GoalKey {
        GoalKey(account: .default, goal: Goal.ID(high: 0, low: UInt64(number)))
    }

    private func change(_ keys: [GoalKey]) {
        cache.willChange(keys)
        cache.haveChanged(keys)
    }

    private func report(_ offset: Int) -> SnapshotCache.Representation {
        let asOf = day("2027-01-15").adding(days: offset) ?? .latest
        return .statistics(StatisticsQuery(asOf: asOf, timeZone: "UTC"))
    }

    private func snapshot(revision: Int, bodyBytes: Int = 2) -> Snapshot {
        Snapshot(Array(repeating: 0x20, count: bodyBytes), etag: ETag(revision: revision))
    }

    private func kept(_ representation: SnapshotCache.Representation, of key: GoalKey) -> Snapshot {
        cache.snapshot(representation, of: key) { unexpected() }
    }

    private func unexpected() -> Snapshot {
        XCTFail("This should be kept")
        return snapshot(revision: 0)
    }

    private func insert(
        _ snapshot: Snapshot,
        for representation: SnapshotCache.Representation = .goal,
        of number: Int,
        into shard: inout CacheShard
    ) {
        guard case .missing(let generation) = shard.find(report(999), of: key(number)) else {
            return XCTFail("Nobody keeps this report")
        }
        shard.insert(snapshot, for: representation, of: key(number), readIn: generation)
    }

    private func has(
        _ number: Int,
        _ representation: SnapshotCache.Representation = .goal,
        in shard: inout CacheShard
    ) -> Bool {
        if case .kept = shard.find(representation, of: key(number)) { true } else { false }
    }
}
