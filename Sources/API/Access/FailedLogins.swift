import Goals
import HTTP
import Store
import Synchronization

/// Counts failed logins, so that whoever goes on failing is put off without costing much.
///
/// Two things are counted: the failures from a network, after which tokens that nobody has are put off
/// without a word of what was wrong; and those from a network with one token's id, after which that
/// token's hash is no longer calculated for it. A token that is right is let in however many wrong ones
/// come from the same network: behind one address there may be a whole town.
///
/// The table has one size for ever. Where two that are counted fall into one place, the later takes it.
final class FailedLogins: Sendable {
    /// How many may fail within a minute.
    static let mostFailures = 10

    private static let windowMilliseconds: Int64 = 60_000

    private let places: Mutex<[Place]>

    private struct Place {
        var key = 0
        var since: Int64 = .min
        var failures = 0
    }

    init(placeCount: Int = 4_096) {
        places = Mutex(Array(repeating: Place(), count: placeCount))
    }

    /// Whose failures are counted.
    enum Subject: Hashable {
        case network(PeerAddress?)
        case token(TokenID, from: PeerAddress?)
    }

    /// How many seconds are left until the subject may fail again; `nil` if it may now.
    func secondsToWait(_ subject: Subject, at moment: Moment) -> Int? {
        let now = moment.millisecondsSinceEpoch
        let key = subject.hashValue
        return places.withLock { places in
            let place = places[index(key, places.count)]
            guard place.key == key, place.failures >= FailedLogins.mostFailures,
                isRunning(place, at: now)
            else { return nil }
            let left = place.since + FailedLogins.windowMilliseconds - now
            return max(1, Int((left + 999) / 1_000))
        }
    }

    /// Notes that the subject has failed.
    func note(_ subject: Subject, at moment: Moment) {
        let now = moment.millisecondsSinceEpoch
        let key = subject.hashValue
        places.withLock { places in
            let index = index(key, places.count)
            if places[index].key != key || !isRunning(places[index], at: now) {
                places[index] = Place(key: key, since: now)
            }
            places[index].failures += 1
        }
    }

    private func index(_ key: Int, _ count: Int) -> Int {
        Int(UInt(bitPattern: key) % UInt(count))
    }

    /// Whether the minute of a place is not over, nor yet to come, as after a clock that went back.
    private func isRunning(_ place: Place, at now: Int64) -> Bool {
        place.since <= now && now < place.since &+ FailedLogins.windowMilliseconds
    }
}
