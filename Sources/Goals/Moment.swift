/// A point in time, to the millisecond.
///
/// A moment has no zone. Which calendar day it falls on is a question to ``CalendarDay``.
public struct Moment: Hashable, Sendable {
    /// The milliseconds since the start of 1970 in UTC.
    public let millisecondsSinceEpoch: Int64

    @inlinable
    public init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = millisecondsSinceEpoch
    }
}

extension Moment: Comparable {
    @inlinable
    public static func < (first: Moment, second: Moment) -> Bool {
        first.millisecondsSinceEpoch < second.millisecondsSinceEpoch
    }
}

extension Moment: CustomStringConvertible {
    /// The moment as RFC 3339 has it, in UTC with milliseconds, such as `2027-01-15T09:30:00.000Z`.
    public var description: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the description, without making a string of it.
    public func write(to bytes: inout [UInt8]) {
        let millisecondsPerDay = 86_400_000
        let milliseconds = Int(millisecondsSinceEpoch)
        let days = milliseconds.dividedRoundingDown(by: millisecondsPerDay)
        // Not milliseconds - days * millisecondsPerDay, which the most distant moments overflow.
        let remainder = milliseconds % millisecondsPerDay
        let millisecondOfDay = remainder < 0 ? remainder + millisecondsPerDay : remainder

        bytes.append(CivilDate(daysSinceEpoch: days))
        bytes.append(UInt8(ascii: "T"))
        bytes.appendDecimal(UInt64(millisecondOfDay / 3_600_000), width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDecimal(UInt64(millisecondOfDay / 60_000 % 60), width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDecimal(UInt64(millisecondOfDay / 1_000 % 60), width: 2)
        bytes.append(UInt8(ascii: "."))
        bytes.appendDecimal(UInt64(millisecondOfDay % 1_000), width: 3)
        bytes.append(UInt8(ascii: "Z"))
    }
}
