import HTTP
import XCTest

final class HTTPDateTests: XCTestCase {
    func testWritesKnownMoments() {
        let moments: [(Int, String)] = [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ]
        for (seconds, text) in moments {
            XCTAssertEqual(HTTPDate(secondsSinceEpoch: seconds).description, text)
        }
    }

    func testStaysWithinFourDigitsOfYears() {
        XCTAssertEqual(
            HTTPDate(secondsSinceEpoch: .max).description,
            "Fri, 31 Dec 9999 23:59:59 GMT"
        )
        XCTAssertEqual(
            HTTPDate(secondsSinceEpoch: .min).description,
            "Sat, 01 Jan 0000 00:00:00 GMT"
        )
    }
}
