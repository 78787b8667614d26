import XCTest

@testable import Goals

final class CalendarTests: XCTestCase {
    func testCountsEveryDayOfThreeCenturies() throws {
        // The plainest calendar there is, one day after the other.
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        func isLeapYear(_ year: Int) -> Bool {
            year % 400 == 0 || year % 4 == 0 && year % 100 != 0
        }
        var number = Int(CalendarDay.earliest.daysSinceEpoch)
        for year in 1900...2199 {
            for month in 1...12 {
                let length = lengths[month - 1] + (month == 2 && isLeapYear(year) ? 1 : 0)
                let calendarMonth = try XCTUnwrap(CalendarMonth(year: year, month: month))
                XCTAssertEqual(Int(calendarMonth.firstDay.daysSinceEpoch), number)
                for dayOfMonth in 1...length {
                    let text = "\(year)-\(twoDigits(month))-\(twoDigits(dayOfMonth))"
                    let day = try XCTUnwrap(CalendarDay(text), text)
                    XCTAssertEqual(Int(day.daysSinceEpoch), number, text)
                    XCTAssertEqual(day.description, text)
                    XCTAssertEqual(day.month, calendarMonth, text)
                    XCTAssertEqual(CalendarDay(daysSinceEpoch: number), day, text)
                    number += 1
                }
                XCTAssertEqual(Int(calendarMonth.lastDay.daysSinceEpoch), number - 1)
                for dayOfMonth in length + 1...32 {
                    let text = "\(year)-\(twoDigits(month))-\(twoDigits(dayOfMonth))"
                    XCTAssertNil(CalendarDay(text), text)
                }
            }
        }
        XCTAssertEqual(number - 1, Int(CalendarDay.latest.daysSinceEpoch))
    }

    func testBeginsAndEndsWhereItSays() {
        XCTAssertEqual(CalendarDay.earliest.description, "1900-01-01")
        XCTAssertEqual(CalendarDay.latest.description, "2199-12-31")
        XCTAssertEqual(CalendarDay("1970-01-01")?.daysSinceEpoch, 0)
        XCTAssertEqual(CalendarDay.earliest.month, .earliest)
        XCTAssertEqual(CalendarDay.latest.month, .latest)
        XCTAssertNil(CalendarDay(daysSinceEpoch: Int(CalendarDay.earliest.daysSinceEpoch) - 1))
        XCTAssertNil(CalendarDay(daysSinceEpoch: Int(CalendarDay.latest.daysSinceEpoch) + 1))
        XCTAssertNil(CalendarDay(daysSinceEpoch: .max))
    }

    func testRefusesWhatIsNotExactlyADay() {
        let texts = [
            "", "2027", "2027-01", "2027-1-15", "20270115", "2027-01-15 ", " 2027-01-15",
            "2027-01-15T00:00:00Z", "2027/01/15", "2027-00-01", "2027-13-01", "2027-01-00",
            "2027-02-29", "2100-02-29", "1899-12-31", "2200-01-01", "0000-00-00", "-027-01-15",
            "+027-01-15", "2027--1-15", "2027-01--5", "２０２７-01-15", "2027-01-1５", "27-01-2015",
            "2027-1-015", "202-701-15", "----------",
        ]
        for text in texts {
            XCTAssertNil(CalendarDay(text), text)
        }
    }

    func testAddsAndCountsDays() throws {
        let leapDay = try day("2028-02-29")

        XCTAssertEqual(leapDay.adding(days: 1), try day("2028-03-01"))
        XCTAssertEqual(leapDay.adding(days: -366), try day("2027-02-28"))
        XCTAssertEqual(leapDay.days(until: try day("2029-03-01")), 366)
        XCTAssertEqual(leapDay.days(until: try day("2028-01-01")), -59)
        XCTAssertNil(CalendarDay.latest.adding(days: 1))
        XCTAssertNil(CalendarDay.earliest.adding(days: -1))
        XCTAssertNil(CalendarDay.latest.adding(days: .max))
        XCTAssertNil(CalendarDay.earliest.adding(days: .min))
    }

    func testTheZoneDecidesTheDayOfAMoment() throws {
        // 2027-01-15T23:30:00.000Z
        let moment = Moment(millisecondsSinceEpoch: 1_800_055_800_000)

        XCTAssertEqual(CalendarDay(of: moment, secondsFromGMT: 0), try day("2027-01-15"))
        XCTAssertEqual(CalendarDay(of: moment, secondsFromGMT: 3_600), try day("2027-01-16"))
        XCTAssertEqual(CalendarDay(of: moment, secondsFromGMT: 1_799), try day("2027-01-15"))
        XCTAssertEqual(CalendarDay(of: moment, secondsFromGMT: 1_800), try day("2027-01-16"))
        XCTAssertEqual(CalendarDay(of: moment, secondsFromGMT: -84_601), try day("2027-01-14"))
        XCTAssertEqual(
            CalendarDay(of: Moment(millisecondsSinceEpoch: -1), secondsFromGMT: 0),
            try day("1969-12-31")
        )
    }

    func testEveryHourOfADayFallsOnIt() throws {
        let expected = try day("2027-01-15")
        for secondsFromGMT in [-43_200, -12_600, 0, 3_600, 20_700, 50_400] {
            for hour in 0..<24 {
                let seconds = Int(expected.daysSinceEpoch) * 86_400 + hour * 3_600 - secondsFromGMT
                let moment = Moment(millisecondsSinceEpoch: Int64(seconds) * 1_000 + 999)
                XCTAssertEqual(CalendarDay(of: moment, secondsFromGMT: secondsFromGMT), expected)
            }
        }
    }

    func testAMomentOutsideTheRangeFallsOnTheNearestDay() {
        let first = Moment(millisecondsSinceEpoch: .min)
        let last = Moment(millisecondsSinceEpoch: .max)

        XCTAssertEqual(CalendarDay(of: first, secondsFromGMT: .min), .earliest)
        XCTAssertEqual(CalendarDay(of: last, secondsFromGMT: .max), .latest)
    }

    func testMonthsFollowOneAnother() throws {
        var month = CalendarMonth.earliest
        var count = 1
        while let next = month.next {
            XCTAssertEqual(month.lastDay.adding(days: 1), next.firstDay)
            XCTAssertLessThan(month, next)
            XCTAssertEqual(
                CalendarMonth(monthsSinceYearZero: next.monthsSinceYearZero),
                next
            )
            month = next
            count += 1
        }
        XCTAssertEqual(month, .latest)
        XCTAssertEqual(count, 3_600)
    }

    func testThereAreNoOtherMonths() {
        XCTAssertNil(CalendarMonth(year: 1899, month: 12))
        XCTAssertNil(CalendarMonth(year: 2200, month: 1))
        XCTAssertNil(CalendarMonth(year: 2027, month: 0))
        XCTAssertNil(CalendarMonth(year: 2027, month: 13))
        XCTAssertNil(CalendarMonth(monthsSinceYearZero: 1900 * 12 - 1))
        XCTAssertNil(CalendarMonth(monthsSinceYearZero: 2200 * 12))
    }

    func testAMonthIsWrittenWithItsYear() {
        XCTAssertEqual(CalendarMonth(year: 2027, month: 1)?.description, "2027-01")
        XCTAssertEqual(CalendarMonth(year: 1999, month: 12)?.description, "1999-12")
    }

    func testAMomentIsWrittenInUTCWithMilliseconds() {
        let moments: [(Int64, String)] = [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_800_005_400_000, "2027-01-15T09:30:00.000Z"),
            (1_835_395_199_123, "2028-02-28T23:59:59.123Z"),
            (1_835_395_200_007, "2028-02-29T00:00:00.007Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ]
        for (milliseconds, text) in moments {
            XCTAssertEqual(Moment(millisecondsSinceEpoch: milliseconds).description, text)
        }
    }

    func testEvenTheMostDistantMomentsCanBeWritten() {
        XCTAssertEqual(
            Moment(millisecondsSinceEpoch: .max).description,
            "292278994-08-17T07:12:55.807Z"
        )
        XCTAssertEqual(
            Moment(millisecondsSinceEpoch: .min).description,
            "-292275055-05-16T16:47:04.192Z"
        )
    }

    private func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
