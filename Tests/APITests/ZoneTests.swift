import Goals
import XCTest

@testable import API

final class ZoneTests: XCTestCase {
    private let zones = Zones()

    func testFindsTheNamesOfTheDatabase() {
        let names = [
            "UTC", "GMT", "Europe/Warsaw", "Asia/Kolkata", "Asia/Calcutta", "US/Pacific",
            "America/Argentina/Buenos_Aires", "Etc/GMT+3", "EST5EDT",
        ]
        for name in names {
            XCTAssertEqual(zones.zone(named: name)?.name, name)
        }
    }

    func testTakesNoOtherNames() {
        let names = [
            "", "Nope/Zone", "europe/warsaw", "GMT+3", "GMT-0300", "UTC+1", "+03:00", "PST", "IST",
            "SystemV/PST8", "Factory", "Europe/Warsaw ", "../etc/passwd", "/etc/localtime",
            "Europe",
        ]
        for name in names {
            XCTAssertNil(zones.zone(named: name), name)
        }
    }

    func testADayBeginsAtMidnightOfItsZone() throws {
        let cases: [(String, milliseconds: Int64, String)] = [
            ("UTC", 1_799_971_199_999, "2027-01-14"),
            ("UTC", 1_799_971_200_000, "2027-01-15"),
            ("Europe/Warsaw", 1_799_967_599_999, "2027-01-14"),
            ("Europe/Warsaw", 1_799_967_600_000, "2027-01-15"),
            ("Asia/Kathmandu", 1_799_950_499_999, "2027-01-14"),
            ("Asia/Kathmandu", 1_799_950_500_000, "2027-01-15"),
            ("America/Los_Angeles", 1_800_000_000_000, "2027-01-15"),
            ("America/Los_Angeles", 1_799_999_999_999, "2027-01-14"),
            ("Pacific/Kiritimati", 1_799_920_800_000, "2027-01-15"),
        ]
        for (name, milliseconds, expected) in cases {
            let zone = try XCTUnwrap(zones.zone(named: name))
            let moment = Moment(millisecondsSinceEpoch: milliseconds)
            XCTAssertEqual(zone.day(of: moment).description, expected, "\(name) \(milliseconds)")
        }
    }

    func testFollowsTheClocksWhenTheyChange() throws {
        let zone = try XCTUnwrap(zones.zone(named: "Europe/Warsaw"))
        // 2027-03-28, 01:00 UTC: from +1 to +2 hours.
        let change: Int64 = 1_806_195_600_000
        let hour: Int64 = 3_600_000

        // An hour before the change midnight was 23:00 UTC, and after it the next is 22:00 UTC.
        let lastOfWinter = Moment(millisecondsSinceEpoch: change - 2 * hour)
        let firstOfSummer = Moment(millisecondsSinceEpoch: change + 21 * hour)
        XCTAssertEqual(zone.day(of: lastOfWinter).description, "2027-03-28")
        XCTAssertEqual(zone.day(of: firstOfSummer).description, "2027-03-29")
        XCTAssertEqual(zone.day(of: lastOfWinter).description, "2027-03-28")
    }
}
