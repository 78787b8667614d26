/// A date of the Gregorian calendar, taken apart.
///
/// The conversions are Howard Hinnant's (“chrono-compatible low-level date algorithms”). Their idea
/// is to let the year begin in March. A leap day then is the last day of its year, so that it
/// shifts no month, and the months March to January have the lengths 31 30 31 30 31, 31 30 31 30 31,
/// 31: five months have 153 days, and (153 × month + 2) / 5 is the number of days before the month
/// that is counted from March as 0. Since 400 years always have 146,097 days, what is left is
/// arithmetic within such an era, on numbers that are not negative.
///
/// For example 2000-02-29: counted from March it is day 365 (the last, with the leap day) of year
/// 1999, which is year 399 of the era that began on 1600-03-01. Its day in the era is 399 × 365 +
/// 99 leap days - 3 centuries without one + 365 = 146,096, the last there is.
struct CivilDate {
    let year: Int
    let month: Int
    let day: Int
}

private let daysPerEra = 146_097
private let yearsPerEra = 400

/// The days from 0000-03-01, where an era begins, to 1970-01-01.
private let epoch = 719_468

extension CivilDate {
    init(daysSinceEpoch: Int) {
        let days = daysSinceEpoch + epoch
        let era = days.dividedRoundingDown(by: daysPerEra)
        let dayOfEra = days - era * daysPerEra
        // Takes out the leap days before it: one each 1,460 days, but none each 36,524.
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153

        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * yearsPerEra + yearOfEra + (month <= 2 ? 1 : 0)
    }

    var daysSinceEpoch: Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let monthFromMarch = month <= 2 ? month + 9 : month - 3
        let era = yearFromMarch.dividedRoundingDown(by: yearsPerEra)
        let yearOfEra = yearFromMarch - era * yearsPerEra
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - epoch
    }
}

extension OutputSpan<UInt8> {
    /// Appends a date as `YYYY-MM-DD`.
    mutating func append(_ date: CivilDate) {
        append(year: date.year, month: date.month)
        append("-")
        append(twoDigits: date.day)
    }

    /// Appends a month as `YYYY-MM`.
    mutating func append(year: Int, month: Int) {
        if (0..<10_000).contains(year) {
            append(twoDigits: year / 100)
            append(twoDigits: year % 100)
        } else {
            if year < 0 { append("-") }
            append(decimal: UInt64(year.magnitude), width: 4)
        }
        append("-")
        append(twoDigits: month)
    }
}
