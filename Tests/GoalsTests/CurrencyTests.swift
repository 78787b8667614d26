import XCTest

@testable import Goals

final class CurrencyTests: XCTestCase {
    func testKnowsTheDecimalsOfEachCurrency() {
        let decimals: [(code: String, decimals: Int)] = [
            ("USD", 2), ("EUR", 2), ("PLN", 2), ("CHF", 2), ("HUF", 2), ("TWD", 2),
            ("JPY", 0), ("KRW", 0), ("ISK", 0), ("CLP", 0), ("UYI", 0), ("XAF", 0), ("XPF", 0),
            ("KWD", 3), ("TND", 3), ("BHD", 3), ("JOD", 3),
            ("CLF", 4), ("UYW", 4),
            ("VED", 2), ("VES", 2), ("SLE", 2), ("ZWG", 2), ("XCG", 2),
        ]
        for (code, decimals) in decimals {
            XCTAssertEqual(Currency(code)?.decimals, decimals, code)
            XCTAssertEqual(Currency(code)?.code, code)
            XCTAssertEqual(Currency(code)?.description, code)
        }
    }

    func testKnowsEveryCurrencyInUse() {
        let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(Character(.init($0))) }
        let codes = letters.flatMap { first in
            letters.flatMap { second in letters.map { first + second + $0 } }
        }

        let currencies = codes.compactMap(Currency.init)

        XCTAssertEqual(currencies.count, 165)
        XCTAssertEqual(Set(currencies).count, 165)
        XCTAssertEqual(currencies.map(\.code), codes.filter { Currency($0) != nil })
    }

    func testRefusesWhatIsNoCurrencyInUse() {
        let codes = [
            "", "E", "EU", "EURO", "eur", "Eur", "EU ", " EUR", "E€R", "ÉUR", "ＥＵＲ", "123",
            // In which nothing is paid.
            "XXX", "XTS", "XAU", "XAG", "XDR", "XUA",
            // Gone.
            "DEM", "HRK", "SLL", "ZWL", "ANG", "BGN", "CUC",
        ]
        for code in codes {
            XCTAssertNil(Currency(code), code)
        }
    }
}
