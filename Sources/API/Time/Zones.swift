import Foundation
import Goals
import Synchronization

/// A time zone, which decides what day it is.
///
/// The one file that uses Foundation's zones; nothing else of Foundation is used in this module.
public final class Zone: Sendable {
    /// The name in the IANA time zone database.
    public let name: String

    private let zone: TimeZone
    private let latest = Mutex<(quarter: Int64, secondsFromGMT: Int)?>(nil)

    fileprivate init?(_ name: String) {
        guard let zone = TimeZone(exactly: name) else { return nil }
        self.name = name
        self.zone = zone
    }

    /// The day that a moment falls on in this zone.
    func day(of moment: Moment) -> CalendarDay {
        CalendarDay(of: moment, secondsFromGMT: secondsFromGMT(at: moment))
    }

    /// The offset, kept for the quarter of an hour that the moment lies in.
    ///
    /// The clocks of our days change on quarters of an hour of UTC, so that the offset is the same
    /// from one of them to the next, and most requests ask within the same one.
    private func secondsFromGMT(at moment: Moment) -> Int {
        let quarter = moment.millisecondsSinceEpoch / 900_000
        return latest.withLock { latest in
            if let latest, latest.quarter == quarter { return latest.secondsFromGMT }
            let seconds = Double(moment.millisecondsSinceEpoch) / 1000
            let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
            latest = (quarter, offset)
            return offset
        }
    }
}

/// The time zones that have been asked for, by name.
public final class Zones: Sendable {
    private let known = Mutex<[String: Zone]>([:])

    public init() {}

    /// The zone of a name, or `nil` if the IANA database does not have that name exactly so.
    ///
    /// Zones are kept once they were found. That is bounded, for there are some 600 of them; names
    /// that are none are not kept.
    public func zone(named name: String) -> Zone? {
        known.withLock { known in
            if let zone = known[name] { return zone }
            guard let zone = Zone(name) else { return nil }
            known[name] = zone
            return zone
        }
    }
}

extension TimeZone {
    /// Finds the zone of a name that the IANA database has.
    ///
    /// Foundation takes more names than that: offsets such as `GMT-0300`, and what ICU keeps for
    /// programs of the last century. On the other hand it calls `UTC` by another name. `Factory` is
    /// what the database has for a machine that nobody has set up.
    fileprivate init?(exactly name: String) {
        guard
            !name.hasPrefix("GMT+"), !name.hasPrefix("GMT-"), !name.hasPrefix("SystemV/"),
            !namesOfTheLastCentury.contains(name), name != "Factory"
        else { return nil }
        self.init(identifier: name)
        guard identifier == name || name == "UTC" else { return nil }
    }
}

/// ICU's abbreviations, which mean other zones to other people.
private let namesOfTheLastCentury: Set<String> = [
    "ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST", "CTT", "EAT", "ECT",
    "IET", "IST", "JST", "MIT", "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST",
]
