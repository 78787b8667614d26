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

    /// Counts the changes, so that a reader can tell whether one came in between.
    private var generation: UInt64 = 0

    /// The goals of a commit that some readers may see already and others not.
    private var changing: Set<GoalKey> = []

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
        var place = 0

        var bytes: Int { kept.reduce(0) { $0 + $1.bytes } }

        /// Adds a response that is no larger than the capacity, and lets the oldest go that have no
        /// place beside it: reports first.
        mutating func keep(_ new: Kept, within capacity: Int) {
            kept.removeAll { $0.representation == new.representation }
            while !kept.isEmpty,
                kept.count >= CacheShard.snapshotsPerGoal || bytes + new.bytes > capacity
            {
                kept.remove(at: kept.firstIndex { $0.representation != .goal } ?? 0)
            }
            kept.append(new)
        }
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
            let entry = entries.index(forKey: key),
            let index = entries.values[entry].kept.firstIndex(where: {
                $0.representation == representation
            })
        else { return .missing(generation: generation) }
        entries.values[entry].wasAskedFor = true
        return .kept(entries.values[entry].kept[index].snapshot)
    }

    /// Keeps a response, unless something has changed since its reader began, or is changing.
    mutating func insert(
        _ snapshot: Snapshot,
        for representation: SnapshotCache.Representation,
        of key: GoalKey,
        readIn generation: UInt64
    ) {
        let kept = Kept(representation: representation, snapshot: snapshot)
        guard generation == self.generation, !changing.contains(key), kept.bytes <= capacity
        else { return }

        var entry = removeEntry(of: key) ?? Entry()
        entry.keep(kept, within: capacity)
        makeRoom(for: entry.bytes)
        add(entry, for: key)
    }

    /// Removes all that is kept of a goal, and keeps nothing until it has changed.
    mutating func willChange(_ key: GoalKey) {
        changing.insert(key)
        removeEntry(of: key)
    }

    /// Keeps again what is read from now on; readers who began before are turned away.
    mutating func hasChanged(_ key: GoalKey) {
        changing.remove(key)
        generation += 1
    }
}

// MARK: - The clock

extension CacheShard {
    private mutating func add(_ entry: Entry, for key: GoalKey) {
        var entry = entry
        entry.place = clock.count
        clock.append(key)
        entries[key] = entry
        bytes += entry.bytes
    }

    /// Lets goals go until there is room for so many bytes, or nothing is left.
    private mutating func makeRoom(for needed: Int) {
        while bytes + needed > capacity, !clock.isEmpty {
            if hand >= clock.count { hand = 0 }
            let key = clock[hand]
            if entries[key]?.wasAskedFor == true {
                entries[key]?.wasAskedFor = false
            } else {
                removeEntry(of: key)
            }
            // Whatever stands here now has a round to be asked for.
            hand += 1
        }
    }

    @discardableResult
    private mutating func removeEntry(of key: GoalKey) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        bytes -= entry.bytes
        // The last one on the clock takes the place that becomes free.
        let last = clock.removeLast()
        if last != key {
            clock[entry.place] = last
            entries[last]?.place = entry.place
        }
        return entry
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
