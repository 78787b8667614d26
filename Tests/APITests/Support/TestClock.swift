import Goals
import Synchronization

/// A clock that stands still until it is set.
final class TestClock: Sendable {
    private let current: Mutex<Moment>

    init(_ moment: Moment) {
        current = Mutex(moment)
    }

    var moment: Moment {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    func advance(byMilliseconds milliseconds: Int64) {
        current.withLock {
            $0 = Moment(millisecondsSinceEpoch: $0.millisecondsSinceEpoch + milliseconds)
        }
    }
}

extension Moment {
    /// 2027-01-15T09:30:00.000Z, when all tests begin.
    static let testStart = Moment(millisecondsSinceEpoch: 1_800_005_400_000)
}
