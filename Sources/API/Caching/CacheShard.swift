import Goals
import HTTP
import Store

/// One part of the cache: responses by goal, bounded in bytes.
///
/// When it is full, goals go that have not been asked for since the hand of the clock last passed
/// them (the CLOCK algorithm: about what “least recently used” would choose, without a list to
/// mend at every hit).
struct CacheShard {
    /// How many responses are kept of one goal, so that nobody who asks for each day of a century
    /// drives all other goals out.
    static let snapshotsPerGoal = 9

    /// The bytes that all responses may take together.
    let capacity: Int

    /// The bytes that they take.
    private(set) var bytes = 0

    /// Counts the removals, so that a reader can tell whether one came in between.
    private var generation: UInt64 = 0

    private var entries: [GoalKey: Entry] = [:]

    /// The keys of all entries, around which the hand goes.
    private var clock: [GoalKey] = []
    private var hand = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    private struct Entry {
        var kept: [Kept] = []
        var wasAskedFor = false

        /// The entry's place on the clock.
        var place: Int

        var bytes: Int { kept.reduce(0) { $0 + $1.bytes } }
    }

    private struct Kept {
        let representation: SnapshotCache.Representation
        let snapshot: Snapshot

        /// What it takes: the body, and about what there is around it.
        var bytes: Int {
            snapshot.response.body.count + 512 + representation.categoryBytes
        }
    }
}

extension CacheShard {
    enum Finding {
        case kept(Snapshot)

        /// Nothing is kept. Who reads the store now does so in this generation.
        case missing(generation: UInt64)
    }

    mutating func find(
        _ representation: SnapshotCache.Representation,
        of key: GoalKey
    ) -> Finding {
        guard
            let index = entries.index(forKey: key),
            let kept = entries.values[index].kept.first(where: {
                $0.representation == representation
            })
        else { return .missing(generation: generation) }
        entries.values[index].wasAskedFor = true
        return .kept(kept.snapshot)
    }

    /// Keeps a response, unless something was removed since its reader began.
    mutating func insert(
        _ snapshot: Snapshot,
        for representation: SnapshotCache.Representation,
        of key: GoalKey,
        readIn generation: UInt64
    ) {
        let kept = Kept(representation: representation, snapshot: snapshot)
        guard generation == self.generation, kept.bytes <= capacity else { return }

        var entry = entries[key] ?? addEntry(for: key)
        bytes -= entry.bytes
        entry.kept.removeAll { $0.representation == representation }
        if entry.kept.count == Self.snapshotsPerGoal,
            let oldest = entry.kept.firstIndex(where: { $0.representation != .goal })
        {
            entry.kept.remove(at: oldest)
        }
        entry.kept.append(kept)
        bytes += entry.bytes
        entries[key] = entry
        makeRoom()
    }

    /// Removes all that is kept of a goal, and turns away readers who began before.
    mutating func remove(_ key: GoalKey) {
        generation += 1
        removeEntry(of: key)
    }
}

// MARK: - The clock

extension CacheShard {
    private mutating func addEntry(for key: GoalKey) -> Entry {
        clock.append(key)
        return Entry(place: clock.count - 1)
    }

    private mutating func makeRoom() {
        while bytes > capacity, !clock.isEmpty {
            if hand >= clock.count { hand = 0 }
            let key = clock[hand]
            if entries[key]?.wasAskedFor == true {
                entries[key]?.wasAskedFor = false
                hand += 1
            } else {
                removeEntry(of: key)
            }
        }
    }

    private mutating func removeEntry(of key: GoalKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        bytes -= entry.bytes
        // The last one on the clock takes the place that becomes free.
        let last = clock.removeLast()
        guard last != key else { return }
        clock[entry.place] = last
        entries[last]?.place = entry.place
    }
}

extension SnapshotCache.Representation {
    /// The bytes of the one part whose length a client chooses.
    fileprivate var categoryBytes: Int {
        guard case .statistics(let query) = self,
            case .equals(let category)? = query.filter.category
        else { return 0 }
        return category.text.utf8.count
    }
}
