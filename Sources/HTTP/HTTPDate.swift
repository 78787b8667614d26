/// A moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
///
/// Costs an allocation; a server makes one a second and writes it into every response.
public struct HTTPDate: Hashable, Sendable {
    /// The line of the `Date` field, its end included.
    let line: [UInt8]

    /// The 29 characters.
    public var bytes: ArraySlice<UInt8> { line.dropFirst(nameLength).dropLast(2) }

    /// - Parameter secondsSinceEpoch: Seconds since 1970 UTC, within the years 0 to 9999.
    public init(secondsSinceEpoch: Int) {
        // The last second of the year 9999 and the first of the year 0.
        let seconds = min(max(secondsSinceEpoch, -62_167_219_200), 253_402_300_799)
        let (days, second) = seconds.quotientAndRemainderRoundingDown(dividingBy: 86_400)
        let (year, month, day) = civilDate(daysSinceEpoch: days)
        // 1970-01-01 was a Thursday.
        let weekday = (days + 4).quotientAndRemainderRoundingDown(dividingBy: 7).remainder

        var bytes: [UInt8] = []
        bytes.reserveCapacity(nameLength + 31)
        bytes.append(contentsOf: "Date: ".utf8)
        bytes.append(contentsOf: weekdays[weekday].utf8)
        bytes.append(contentsOf: ", ".utf8)
        bytes.append(twoDigits: day)
        bytes.append(.space)
        bytes.append(contentsOf: months[month - 1].utf8)
        bytes.append(.space)
        bytes.append(twoDigits: year / 100)
        bytes.append(twoDigits: year % 100)
        bytes.append(.space)
        bytes.append(twoDigits: second / 3_600)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: second / 60 % 60)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: second % 60)
        bytes.append(contentsOf: " GMT\r\n".utf8)
        line = bytes
    }
}

extension HTTPDate: CustomStringConvertible {
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// How long the name of the field is, with what stands behind it.
private let nameLength = 6

private let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
private let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]

/// The Gregorian date of a day.
///
/// Counts in years that begin on 1 March, so that the leap day is the last day of its year, and in
/// eras of 400 years, which are all of one length (Howard Hinnant, *chrono-Compatible Low-Level
/// Date Algorithms*). Day 11,016 is 2000-02-29: day 146,096 of the era that began on 1600-03-01,
/// its year 399, day 365 of that year.
private func civilDate(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (daysSinceEpoch + 719_468)
        .quotientAndRemainderRoundingDown(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
}

extension Int {
    fileprivate func quotientAndRemainderRoundingDown(
        dividingBy divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension [UInt8] {
    fileprivate mutating func append(twoDigits number: Int) {
        append(UInt8(ascii: "0") + UInt8(number / 10))
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
