import Goals
import TestRandom
import XCTest

@testable import Store

final class MonthTotalsBytesTests: XCTestCase {
    func testAreReadAsTheyWereWritten() throws {
        let sums = [
            TransactionTotal.Amounts(),
            TransactionTotal.Amounts(count: 1, sum: 1, largest: Money(minorUnits: 1)),
            TransactionTotal.Amounts(count: 127, sum: 128, largest: Money(minorUnits: 127)),
            TransactionTotal.Amounts(
                count: 1 << 31,
                sum: Int128(Int64.max),
                largest: .largestAmount
            ),
            TransactionTotal.Amounts(
                count: 2,
                sum: Int128(UInt64.max) + 1,
                largest: .largestAmount
            ),
            TransactionTotal.Amounts(count: 3, sum: 1 << 82, largest: .largestAmount),
        ]
        let nets: [Int128] = [
            0, 1, -1, 63, -64, 64, -65, 1 << 62, -(1 << 63), 1 << 82, -(1 << 82),
        ]
        for income in sums {
            for expense in sums {
                let totals = MonthTotals(
                    days: nets.enumerated().map {
                        MonthTotals.Day(
                            number: $0.offset + 1,
                            count: $0.offset + 1,
                            net: $0.element
                        )
                    },
                    categories: [nil, .of("Food"), .of("Übersee 👩🏻‍🚀")].map {
                        MonthTotals.CategoryTotals(category: $0, income: income, expense: expense)
                    }
                )

                XCTAssertEqual(try MonthTotals(totals.bytes), totals)
            }
        }
        XCTAssertEqual(try MonthTotals(MonthTotals().bytes), MonthTotals())
    }

    /// The form is in people's files.
    func testHaveTheFormOfReleasedFiles() {
        let totals = MonthTotals(
            days: [
                MonthTotals.Day(number: 1, count: 2, net: 150),
                MonthTotals.Day(number: 31, count: 1, net: -1),
            ],
            categories: [
                MonthTotals.CategoryTotals(
                    category: .of("ab"),
                    income: TransactionTotal.Amounts(
                        count: 2,
                        sum: 300,
                        largest: Money(minorUnits: 200)
                    )
                ),
                MonthTotals.CategoryTotals(
                    category: nil,
                    expense: TransactionTotal.Amounts(
                        count: 1,
                        sum: 1,
                        largest: Money(minorUnits: 1)
                    )
                ),
            ]
        )

        XCTAssertEqual(
            totals.bytes,
            [
                2,
                2, 0x61, 0x62, 2, 0xAC, 2, 0xC8, 1, 0,
                0, 0, 1, 1, 1,
                1, 2, 0xAC, 2,
                31, 1, 1,
            ]
        )
    }

    func testWhatMeansNothingIsRefused() {
        let tooLarge = Array(repeating: 0x80 as UInt8, count: 12) + [1]
        let bytes: [[UInt8]] = [
            [],
            // A count without categories, a text without its bytes, or of bytes that are none.
            [1], [1, 2, 0x61], [1, 1, 0xFF, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            // An end in the middle of a number, and a number without end.
            [0x80], [1, 0, 1, 0x80], [0] + Array(repeating: 0xFF, count: 40),
            // A count and a sum of which no more than a few could be added up, and nets likewise.
            [1, 0, 0x80, 0x80, 0x80, 0x80, 0x10, 1, 1, 0], [1, 0, 1] + tooLarge + [1, 0],
            [0, 1, 1] + tooLarge, [0, 1, 0x80, 0x80, 0x80, 0x80, 0x10, 1],
            // Days that no month has, and one without transactions.
            [0, 0, 1, 0], [0, 32, 1, 0], [0, 1, 0, 0], [0, 1, 1],
        ]
        for bytes in bytes {
            XCTAssertThrowsError(try MonthTotals(bytes), "\(bytes)") { error in
                XCTAssertTrue(error is MonthTotals.Unreadable)
            }
        }
    }

    func testBytesOfAnyKindAreReadOrRefused() {
        var random = SplitMix64(seed: 5)
        var read = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...40, using: &random)
            let bytes = (0..<count).map { _ in
                // Small numbers more often, so that some get further.
                UInt8.random(in: Bool.random(using: &random) ? 0...3 : 0...255, using: &random)
            }
            guard var totals = try? MonthTotals(bytes) else { continue }
            read += 1
            // What was read can be counted with.
            totals.join(totals)
            let sum = totals.categories.reduce(0) { $0 + $1.income.sum - $1.expense.sum }
            XCTAssertLessThan(totals.days.reduce(sum) { $0 + $1.net }.magnitude, 1 << 92)
        }
        XCTAssertGreaterThan(read, 100)
    }
}
