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

extension Moment {
    /// The moment so many milliseconds later, or earlier if there are fewer than none.
    ///
    /// - Precondition: There is such a moment: they reach 292 million years either way.
    public func adding(milliseconds: Int64) -> Moment {
        Moment(millisecondsSinceEpoch: millisecondsSinceEpoch + milliseconds)
    }
}

extension Moment: Comparable {
    @inlinable
    public static func < (first: Moment, second: Moment) -> Bool {
        first.millisecondsSinceEpoch < second.millisecondsSinceEpoch
    }
}

extension Moment: ASCIIWritable {
    /// The years of the most distant moments have nine digits and a sign.
    public static var maximumCharacters: Int { 30 }

    /// Appends the moment as RFC 3339 has it, in UTC with milliseconds, such as
    /// `2027-01-15T09:30:00.000Z`.
    public func write(to output: inout OutputSpan<UInt8>) {
        let millisecondsPerDay = 86_400_000
        let milliseconds = Int(millisecondsSinceEpoch)
        let days = milliseconds.dividedRoundingDown(by: millisecondsPerDay)
        // Not milliseconds - days * millisecondsPerDay, which the most distant moments overflow.
        let remainder = milliseconds % millisecondsPerDay
        let millisecondOfDay = remainder < 0 ? remainder + millisecondsPerDay : remainder

        output.append(CivilDate(daysSinceEpoch: days))
        output.append("T")
        output.append(twoDigits: millisecondOfDay / 3_600_000)
        output.append(":")
        output.append(twoDigits: millisecondOfDay / 60_000 % 60)
        output.append(":")
        output.append(twoDigits: millisecondOfDay / 1_000 % 60)
        output.append(".")
        output.append(twoDigits: millisecondOfDay / 10 % 100)
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: millisecondOfDay % 10))
        output.append("Z")
    }
}
