import Goals
import Store
import Synchronization

/// Ready responses for what most requests ask for: a goal, and how it stands.
///
/// A hit costs no SQL and no calculation. What is kept is always the latest: what a commit makes old
/// is removed before anybody can see the commit, nothing is kept of its goals until it is over, and
/// a reader that began before cannot put an old one back, since the generation of its shard has moved
/// on in the meantime. So nobody ever gets an older revision than somebody else got before.
///
/// The cache is split into shards, each with its own lock and its share of the bytes, so that
/// event loops seldom wait for one another.
final class SnapshotCache: Sendable {
    /// What a response shows of a goal.
    enum Representation: Hashable, Sendable {
        case goal
        case statistics(StatisticsQuery)
    }

    private let shards: [Shard]

    /// - Parameters:
    ///   - bytes: What all that is kept may take at most.
    ///   - shardCount: How many parts to split it into.
    init(bytes: Int, shardCount: Int = 16) {
        precondition(shardCount > 0, "There must be a shard to keep anything in")
        shards = (0..<shardCount).map { _ in Shard(capacity: bytes / shardCount) }
    }

    /// What is kept, or else what is made now of what the store has.
    ///
    /// What is made is right for this one request in any case. It is kept for others only if no
    /// commit has come in between.
    func snapshot(
        _ representation: Representation,
        of key: GoalKey,
        make: () throws -> Snapshot
    ) rethrows -> Snapshot {
        let shard = shard(of: key)
        let generation: UInt64
        switch shard.contents.withLock({ $0.find(representation, of: key) }) {
        case .kept(let snapshot): return snapshot
        case .missing(let current): generation = current
        }
        let snapshot = try make()
        shard.contents.withLock {
            $0.insert(snapshot, for: representation, of: key, readIn: generation)
        }
        return snapshot
    }

    /// What is kept.
    func kept(_ representation: Representation, of key: GoalKey) -> Snapshot? {
        switch shard(of: key).contents.withLock({ $0.find(representation, of: key) }) {
        case .kept(let snapshot): snapshot
        case .missing: nil
        }
    }

    /// Removes all that is kept of some goals, and keeps nothing of them until they have changed.
    func willChange(_ keys: some Sequence<GoalKey>) {
        for key in keys {
            shard(of: key).contents.withLock { $0.willChange(key) }
        }
    }

    /// Lets what is now read of some goals be kept.
    func haveChanged(_ keys: some Sequence<GoalKey>) {
        for key in keys {
            shard(of: key).contents.withLock { $0.hasChanged(key) }
        }
    }

    private func shard(of key: GoalKey) -> Shard {
        shards[Int(key.shardNumber % UInt64(shards.count))]
    }
}

private final class Shard: Sendable {
    let contents: Mutex<CacheShard>

    init(capacity: Int) {
        contents = Mutex(CacheShard(capacity: capacity))
    }
}
