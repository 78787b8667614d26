/// A month of the calendar from 1900-01 to 2199-12.
public struct CalendarMonth: Hashable, Sendable {
    /// The year times twelve, and the months of the year before this one: months in a row have
    /// numbers in a row.
    public let monthsSinceYearZero: Int

    /// Makes a month of a number that is known to lie in the range.
    init(inRange monthsSinceYearZero: Int) {
        self.monthsSinceYearZero = monthsSinceYearZero
    }
}

extension CalendarMonth {
    /// 1900-01.
    public static let earliest = CalendarMonth(inRange: 1900 * 12)

    /// 2199-12.
    public static let latest = CalendarMonth(inRange: 2199 * 12 + 11)

    /// Makes a month of its number, or `nil` outside the range.
    public init?(monthsSinceYearZero: Int) {
        guard
            CalendarMonth.earliest.monthsSinceYearZero <= monthsSinceYearZero,
            monthsSinceYearZero <= CalendarMonth.latest.monthsSinceYearZero
        else { return nil }
        self.init(inRange: monthsSinceYearZero)
    }

    /// Makes a month of a year and a month from 1 to 12, or `nil` if there is no such month.
    public init?(year: Int, month: Int) {
        guard 1900 <= year, year <= 2199, 1 <= month, month <= 12 else { return nil }
        self.init(inRange: year * 12 + month - 1)
    }

    public var year: Int {
        monthsSinceYearZero / 12
    }

    /// The month of the year, from 1 to 12.
    public var month: Int {
        monthsSinceYearZero % 12 + 1
    }

    /// The month after this one; `nil` after the last.
    public var next: CalendarMonth? {
        CalendarMonth(monthsSinceYearZero: monthsSinceYearZero + 1)
    }

    public var firstDay: CalendarDay {
        CalendarDay(inRange: CivilDate(year: year, month: month, day: 1).daysSinceEpoch)
    }

    public var lastDay: CalendarDay {
        CalendarDay(inRange: CivilDate(year: year, month: month, day: length).daysSinceEpoch)
    }

    /// The days from the first to the last.
    public var days: ClosedRange<CalendarDay> {
        firstDay...lastDay
    }

    /// The number of days in the month.
    var length: Int {
        switch month {
        case 2: isInLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var isInLeapYear: Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

extension CalendarMonth: Comparable {
    @inlinable
    public static func < (first: CalendarMonth, second: CalendarMonth) -> Bool {
        first.monthsSinceYearZero < second.monthsSinceYearZero
    }
}

extension CalendarMonth: ASCIIWritable {
    public static var maximumCharacters: Int { 7 }

    /// Appends the month as `YYYY-MM`.
    public func write(to output: inout OutputSpan<UInt8>) {
        output.append(year: year, month: month)
    }
}
