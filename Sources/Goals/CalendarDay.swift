/// A day of the calendar from 1900-01-01 to 2199-12-31, without a time and without a zone.
public struct CalendarDay: Hashable, Sendable {
    /// The days since 1970-01-01, which is 0.
    public let daysSinceEpoch: Int32

    /// Makes a day of a number that is known to lie in the range.
    init(inRange daysSinceEpoch: Int) {
        self.daysSinceEpoch = Int32(truncatingIfNeeded: daysSinceEpoch)
    }
}

extension CalendarDay {
    /// 1900-01-01.
    public static let earliest = CalendarDay(inRange: -25_567)

    /// 2199-12-31.
    public static let latest = CalendarDay(inRange: 84_005)

    /// Makes a day of its distance from 1970-01-01, or `nil` outside the range.
    public init?(daysSinceEpoch: Int) {
        guard
            CalendarDay.earliest.daysSinceEpoch <= daysSinceEpoch,
            daysSinceEpoch <= CalendarDay.latest.daysSinceEpoch
        else { return nil }
        self.init(inRange: daysSinceEpoch)
    }

    /// The day that a moment falls on where clocks are some seconds ahead of UTC.
    ///
    /// Moments outside the range of days fall on the nearest day within it.
    public init(of moment: Moment, secondsFromGMT: Int) {
        let milliseconds = Int128(moment.millisecondsSinceEpoch) + Int128(secondsFromGMT) * 1_000
        let days = milliseconds.dividedRoundingDown(by: 86_400_000)
        let earliest = Int128(CalendarDay.earliest.daysSinceEpoch)
        let latest = Int128(CalendarDay.latest.daysSinceEpoch)
        self.init(inRange: Int(min(max(days, earliest), latest)))
    }

    /// The day some days later, or earlier if negative; `nil` outside the range.
    public func adding(days: Int) -> CalendarDay? {
        let (sum, overflow) = Int(daysSinceEpoch).addingReportingOverflow(days)
        return overflow ? nil : CalendarDay(daysSinceEpoch: sum)
    }

    /// The days from this one to another, negative if that is earlier.
    public func days(until other: CalendarDay) -> Int {
        Int(other.daysSinceEpoch) - Int(daysSinceEpoch)
    }

    /// The month that the day is in.
    public var month: CalendarMonth {
        let date = CivilDate(daysSinceEpoch: Int(daysSinceEpoch))
        return CalendarMonth(inRange: date.year * 12 + date.month - 1)
    }
}

extension CalendarDay: Comparable {
    @inlinable
    public static func < (first: CalendarDay, second: CalendarDay) -> Bool {
        first.daysSinceEpoch < second.daysSinceEpoch
    }
}

extension CalendarDay: ASCIIWritable, LosslessStringConvertible {
    /// Reads a day from exactly `YYYY-MM-DD` in ASCII digits, or returns `nil`.
    ///
    /// The day must exist: 2027-02-29 is none.
    public init?(_ text: String) {
        guard text.utf8.count == 10 else { return nil }
        var number = 0
        for (position, byte) in text.utf8.enumerated() {
            switch position {
            case 4, 7:
                guard byte == UInt8(ascii: "-") else { return nil }
            default:
                guard byte.isDecimalDigit else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
        guard
            let calendarMonth = CalendarMonth(year: year, month: month),
            1 <= day, day <= calendarMonth.length
        else { return nil }
        self.init(inRange: CivilDate(year: year, month: month, day: day).daysSinceEpoch)
    }

    public static var maximumCharacters: Int { 10 }

    /// Appends the day as `YYYY-MM-DD`.
    public func write(to output: inout OutputSpan<UInt8>) {
        output.append(CivilDate(daysSinceEpoch: Int(daysSinceEpoch)))
    }
}
