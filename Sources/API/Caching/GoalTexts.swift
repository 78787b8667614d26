import Goals
import Store
import Synchronization

/// The JSON that lists have of goals, remembered by the number of their last change.
///
/// What a goal was after a change never changes. So nothing here ever becomes wrong, nothing has to be
/// removed, and no reader can come too late, as in the ``SnapshotCache``. It is a table in which each
/// goal has one place; several share it, and the last to come has it.
final class GoalTexts: Sendable {
    /// The largest text that is remembered, in bytes: that of a goal without a long note.
    private static let largestText = 1_024

    private let shards: [Shard]

    /// - Parameters:
    ///   - bytes: What all that is remembered may take at most.
    ///   - shardCount: How many parts to split it into, each with its own lock.
    init(bytes: Int, shardCount: Int = 16) {
        precondition(shardCount > 0, "There must be a shard to remember anything in")
        let count = bytes / (Self.largestText + MemoryLayout<Place>.stride) / shardCount
        shards = (0..<shardCount).map { _ in Shard(count: count) }
    }

    /// What is remembered of a goal after a change, or else what is made now.
    func text(
        of key: GoalKey,
        change: Int,
        make: () throws -> ListedGoal
    ) rethrows -> ListedGoal {
        let number = key.shardNumber
        let shard = shards[Int(number % UInt64(shards.count))]
        guard shard.count > 0 else { return try make() }
        let index = Int(number / UInt64(shards.count) % UInt64(shard.count))

        let known = shard.places.withLock { places -> ListedGoal? in
            guard let place = places[index], place.key == key, place.change == change
            else { return nil }
            return place.text
        }
        if let known { return known }
        let text = try make()
        if text.bytes.count <= Self.largestText {
            let place = Place(key: key, change: change, text: text)
            shard.places.withLock { $0[index] = place }
        }
        return text
    }

    private struct Place: Sendable {
        let key: GoalKey
        let change: Int
        let text: ListedGoal
    }

    private final class Shard: Sendable {
        let count: Int
        let places: Mutex<[Place?]>

        init(count: Int) {
            self.count = count
            places = Mutex(Array(repeating: nil, count: count))
        }
    }
}

extension GoalKey {
    /// A number to spread goals over shards by.
    ///
    /// It is as good as random in identifiers of the server's making. Those that clients chose to be
    /// alike share a shard, and no more than that.
    var shardNumber: UInt64 {
        goal.high ^ goal.low
    }
}
