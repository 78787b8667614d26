import TestRandom
import XCTest

@testable import Goals

final class MoneyTests: XCTestCase {
    func testReadsDecimalTextExactly() throws {
        let readings: [(text: String, currency: String, minorUnits: Int64)] = [
            ("0", "EUR", 0),
            ("0.00", "EUR", 0),
            ("1250", "EUR", 125_000),
            ("1250.0", "EUR", 125_000),
            ("1250.05", "EUR", 125_005),
            ("007.50", "EUR", 750),
            ("2147483648.00", "EUR", 214_748_364_800),
            ("9007199254740.93", "EUR", 900_719_925_474_093),
            ("9999999999999.99", "EUR", 999_999_999_999_999),
            ("999999999999999", "JPY", 999_999_999_999_999),
            ("1.234", "KWD", 1_234),
            ("245251.1740", "CLF", 2_452_511_740),
            (String(repeating: "0", count: 10_000) + "1", "EUR", 100),
        ]
        for (text, code, minorUnits) in readings {
            let currency = try XCTUnwrap(Currency(code))
            XCTAssertEqual(
                try Money(decimal: text, in: currency),
                Money(minorUnits: minorUnits),
                "\(text) \(code)"
            )
        }
    }

    func testSaysWhatIsWrongWithAnAmount() throws {
        let mistakes: [(text: String, currency: String, mistake: Money.ReadingMistake)] = [
            ("", "EUR", .notDecimal),
            (".5", "EUR", .notDecimal),
            ("5.", "EUR", .notDecimal),
            (".", "EUR", .notDecimal),
            ("1.2.3", "EUR", .notDecimal),
            ("0.1+0.2", "EUR", .notDecimal),
            ("1e2", "EUR", .notDecimal),
            ("1,000.00", "EUR", .notDecimal),
            ("+5", "EUR", .notDecimal),
            (" 5", "EUR", .notDecimal),
            ("5 ", "EUR", .notDecimal),
            ("٥", "EUR", .notDecimal),
            ("５", "EUR", .notDecimal),
            ("NaN", "EUR", .notDecimal),
            ("0x10", "EUR", .notDecimal),
            ("1_000", "EUR", .notDecimal),
            ("-", "EUR", .notDecimal),
            ("--5", "EUR", .notDecimal),
            ("-5", "EUR", .negative),
            ("-0.00", "EUR", .negative),
            ("1.000", "EUR", .tooManyDecimals(allowed: 2)),
            ("12.345", "EUR", .tooManyDecimals(allowed: 2)),
            ("12.0", "JPY", .tooManyDecimals(allowed: 0)),
            ("1.2345", "KWD", .tooManyDecimals(allowed: 3)),
            ("10000000000000.00", "EUR", .tooLarge),
            ("9999999999999.999", "EUR", .tooManyDecimals(allowed: 2)),
            ("1000000000000000", "JPY", .tooLarge),
            ("99999999999999999999999999999999", "JPY", .tooLarge),
            ("9007199254740993.01", "EUR", .tooLarge),
        ]
        for (text, code, mistake) in mistakes {
            let currency = try XCTUnwrap(Currency(code))
            XCTAssertThrowsError(try Money(decimal: text, in: currency), "\(text) \(code)") {
                XCTAssertEqual($0 as? Money.ReadingMistake, mistake, "\(text) \(code)")
            }
        }
    }

    func testWritesExactlyTheDecimalsOfTheCurrency() throws {
        let texts: [(minorUnits: Int64, currency: String, text: String)] = [
            (0, "EUR", "0.00"),
            (5, "EUR", "0.05"),
            (-5, "EUR", "-0.05"),
            (-1_205, "EUR", "-12.05"),
            (125_000, "EUR", "1250.00"),
            (125_000, "JPY", "125000"),
            (-1, "JPY", "-1"),
            (0, "JPY", "0"),
            (1, "KWD", "0.001"),
            (10_000, "CLF", "1.0000"),
            (.max, "EUR", "92233720368547758.07"),
            (.min, "EUR", "-92233720368547758.08"),
        ]
        for (minorUnits, code, text) in texts {
            let currency = try XCTUnwrap(Currency(code))
            XCTAssertEqual(Money(minorUnits: minorUnits).text(in: currency), text)
        }
    }

    func testReadsWhatItWrites() throws {
        let seed: UInt64 = 11
        var generator = SplitMix64(seed: seed)
        for code in ["JPY", "EUR", "KWD", "CLF"] {
            let currency = try XCTUnwrap(Currency(code))
            for _ in 0..<500 {
                let bits = Int.random(in: 1...49, using: &generator)
                let money = Money(minorUnits: Int64.random(in: 0..<1 << bits, using: &generator))

                XCTAssertEqual(
                    try Money(decimal: money.text(in: currency), in: currency),
                    money,
                    "seed \(seed)"
                )
            }
        }
    }

    func testSumsStayWithinTheirBits() {
        let most = Money(minorUnits: .max)
        let least = Money(minorUnits: .min)
        let one = Money(minorUnits: 1)

        XCTAssertEqual(most + one, most)
        XCTAssertEqual(least - one, least)
        XCTAssertEqual(least + least, least)
        XCTAssertEqual(.zero - least, most)
        XCTAssertEqual(Money(minorUnits: -1) - most, least)
        XCTAssertEqual(one + one, Money(minorUnits: 2))
        XCTAssertEqual(one - Money(minorUnits: 3), Money(minorUnits: -2))
    }

    func testSortsByAmount() {
        XCTAssertLessThan(Money(minorUnits: -1), .zero)
        XCTAssertLessThan(Money.zero, .largestAmount)
        XCTAssertLessThan(Money.largestAmount, Money.savedAmounts.upperBound)
    }
}
