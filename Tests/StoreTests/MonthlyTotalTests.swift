import Goals
import SQLite
import XCTest

@testable import Store

final class MonthlyTotalTests: XCTestCase {
    func testFollowsEveryChange() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        try await store.record(.test(1, .income, 100, on: "2027-01-01", category: "Food"))
        try await store.record(.test(2, .income, 300, on: "2027-01-31", category: "Food"))
        try await store.record(.test(3, .expense, 20, on: "2027-01-31"))
        try await store.record(.test(4, .income, 7, on: "2027-02-01", category: "Food"))

        XCTAssertEqual(
            try store.monthlyTotals(),
            [
                "2027-01 expense - 1 20 20", "2027-01 income Food 2 400 300",
                "2027-02 income Food 1 7 7",
            ]
        )

        // The largest goes, the next one takes its place.
        try await store.deleteTransaction(2)
        try await store.change(1, TransactionChanges(amount: .set(Money(minorUnits: 90))))
        XCTAssertEqual(try store.monthlyTotals()[1], "2027-01 income Food 1 90 90")

        // An edit that moves it elsewhere, and takes the last one out of a total.
        try await store.change(
            1,
            TransactionChanges(
                type: .set(.expense),
                date: .set(.of("2027-02-28")),
                category: .set(nil)
            )
        )
        try await store.change(4, TransactionChanges(note: .set(.of("a note alone"))))
        XCTAssertEqual(
            try store.monthlyTotals(),
            ["2027-01 expense - 1 20 20", "2027-02 expense - 1 90 90", "2027-02 income Food 1 7 7"]
        )

        try await store.delete(1)
        XCTAssertEqual(try store.monthlyTotals(), [])
    }

    func testTheLargestOfSeveralAlikeStaysWhenOneGoes() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        for number in 1...3 { try await store.record(.test(number, .expense, 50)) }

        try await store.deleteTransaction(2)

        XCTAssertEqual(try store.monthlyTotals(), ["2027-01 expense - 2 100 50"])
    }

    func testSumsBeyond64BitsAreTakenApartExactly() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        let largest = Money.largestAmount.minorUnits
        // Income and expenses by turns, so that the saved amount stays in its bounds.
        try await store.write { transaction in
            for number in 0..<20_000 {
                _ = try transaction.record(
                    .test(number, number % 2 == 0 ? .income : .expense, largest),
                    in: .number(1),
                    today: today,
                    of: .default
                )
            }
        }
        try await store.write { transaction in
            for number in 2..<20_000 {
                try transaction.delete(
                    .number(number),
                    in: .number(1),
                    if: .none,
                    of: .default
                )
            }
        }

        XCTAssertEqual(
            try store.monthlyTotals(),
            [
                "2027-01 expense - 1 \(largest) \(largest)",
                "2027-01 income - 1 \(largest) \(largest)",
            ]
        )
    }

    func testReportsReadTotalsButForTheDaysThatTheyNeed() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        for (number, date) in ["2020-05-03", "2020-05-04", "2027-01-03", "2027-01-04"].enumerated()
        {
            try await store.record(.test(number, .income, 10, on: date))
        }
        let filter = StatisticsFilter(from: .of("2021-01-01"), to: .of("2027-01-30"))

        let totals = try [StatisticsFilter(), filter].map { filter in
            try store.ledger(
                of: .number(1),
                for: StatisticsQuery(asOf: today, timeZone: "UTC", filter: filter),
                of: .default
            ).value.totals
        }

        XCTAssertEqual(
            totals.map { totals in
                totals.map { "\($0.days.lowerBound)...\($0.days.upperBound) \($0.count)" }
            },
            [
                ["2020-05-01...2020-05-31 2", "2027-01-01...2027-01-31 2"],
                [
                    "2020-05-01...2020-05-31 2", "2027-01-03...2027-01-03 1",
                    "2027-01-04...2027-01-04 1",
                ],
            ]
        )
    }

    func testTellsWhatWasSavedOfLateFromMonthsAndDays() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        let start = CalendarDay.of("2026-08-01")
        // One transaction a day, each of an amount that no sum of others has.
        let amounts = (0..<40).map { Int64(1) << $0 }
        let days = try amounts.indices.map { try XCTUnwrap(start.adding(days: $0 * 3)) }
        for (index, amount) in amounts.enumerated() {
            let type: Transaction.Kind = index.isMultiple(of: 4) ? .expense : .income
            try await store.record(.test(index, type, amount, on: days[index].description))
        }

        for distance in -1..<240 {
            let asOf = try XCTUnwrap(start.adding(days: distance))
            let query = StatisticsQuery(asOf: asOf, timeZone: "UTC")

            let recent = try store.ledger(of: .number(1), for: query, of: .default).value.recent

            let net = amounts.indices.filter { (0..<90).contains(days[$0].days(until: asOf)) }
                .reduce(Int128(0)) {
                    $0 + Int128($1.isMultiple(of: 4) ? -amounts[$1] : amounts[$1])
                }
            XCTAssertEqual(
                recent,
                RecentSaving(net: net, firstDay: distance < 0 ? nil : start),
                "\(asOf)"
            )
        }
    }
}

extension GoalStore {
    /// The totals as they stand in the table.
    fileprivate func monthlyTotals() throws -> [String] {
        try read { database in
            try database.rows(
                """
                SELECT month, type, category, count, (sum_high << 32) + sum_low, largest
                FROM monthly_totals
                ORDER BY month, type, category
                """
            ) { row in
                let month = CalendarMonth(monthsSinceYearZero: try row[0])
                let category: String = try row[2]
                return try [
                    month.map { "\($0)" } ?? "no month", row[1], category.isEmpty ? "-" : category,
                    "\(row[3] as Int)", "\(row[4] as Int)", "\(row[5] as Int)",
                ].joined(separator: " ")
            }
        }
    }
}
