/// Tells which of many things are due, at a small cost for each that is put off again and again.
///
/// Nearly every deadline of a connection is moved before it comes. So a deadline that moves to
/// *later* costs nothing: the entry stays where it is, and is looked at again when its old time
/// has come. Entries lie in slots of a quarter of a second around a wheel; what lies further
/// ahead than the wheel reaches is filed as far ahead as it does.
///
/// It never looks at a clock: times are milliseconds that the caller passes in, and never go back.
struct Deadlines<ID> {
    private var slots: [[ID]]
    private var now: Int
    private(set) var count = 0

    /// Creates a wheel that reaches 64 seconds ahead.
    init(now: Int) {
        slots = Array(repeating: [], count: 256)
        self.now = now / slotLength
    }

    /// Files something to be looked at when a time has come, at most a slot's length later.
    ///
    /// - Returns: The time at which it will be looked at.
    mutating func file(_ id: ID, at time: Int) -> Int {
        let slot = min(max(time / slotLength + 1, now + 1), now + slots.count - 1)
        slots[slot % slots.count].append(id)
        count += 1
        return slot * slotLength
    }

    /// Takes out all that was filed for a time up to now.
    mutating func take(until time: Int) -> [ID] {
        var due: [ID] = []
        let last = time / slotLength
        // After a long sleep, once around the wheel is enough.
        var slot = max(now + 1, last - slots.count + 1)
        while slot <= last {
            due += slots[slot % slots.count]
            slots[slot % slots.count] = []
            slot += 1
        }
        now = max(now, last)
        count -= due.count
        return due
    }
}

/// The length of a slot, in milliseconds.
private let slotLength = 250
