/// Values by key, each of which begins as the same one.
///
/// For keys that mostly come in the same order again and again, such as the categories of month after
/// month: the one asked for then is the last one or that after it, which takes a fraction of the time of
/// a look into a dictionary.
struct Tally<Key: Hashable, Value> {
    /// The keys and their values, in the order in which they first came.
    private(set) var entries: [(key: Key, value: Value)] = []

    private let start: Value
    private var places: [Key: Int] = [:]
    private var last = 0

    init(of start: Value) {
        self.start = start
    }

    mutating func update(_ key: Key, _ change: (inout Value) -> Void) {
        let place = place(of: key)
        change(&entries[place].value)
    }

    private mutating func place(of key: Key) -> Int {
        guard !entries.isEmpty else { return add(key) }
        if entries[last].key == key { return last }
        last = last + 1 < entries.count ? last + 1 : 0
        if entries[last].key == key { return last }
        guard let place = places[key] else { return add(key) }
        last = place
        return place
    }

    private mutating func add(_ key: Key) -> Int {
        last = entries.count
        places[key] = last
        entries.append((key, start))
        return last
    }
}
