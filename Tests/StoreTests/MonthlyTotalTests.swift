import Goals
import SQLite
import TestRandom
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

    func testCategoriesForWhichAMonthHasNoRoomHaveRowsOfTheirOwn() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        let long = String(repeating: "x", count: 65)
        let names = [long] + (1...30).map { "Category \($0)" }
        for (number, name) in names.enumerated() {
            for copy in 0..<2 {
                try await store.record(
                    .test(number * 2 + copy, .expense, Int64(number + copy + 1), category: name)
                )
            }
        }
        XCTAssertEqual(
            try store.rowsOfTotals(),
            [
                "", "Category 25", "Category 26", "Category 27", "Category 28", "Category 29",
                "Category 30", long,
            ]
        )

        // Room becomes free in the row of the month: who has a row keeps it, the next takes the room.
        for number in [2, 3] { try await store.deleteTransaction(number) }
        try await store.record(.test(100, .income, 1_000, category: "Category 30"))
        try await store.record(.test(101, .income, 1_000, category: "new"))
        try await store.record(.test(102, .income, 1_000, category: "newer"))
        // The larger one of two goes, and both of two.
        for number in [1, 50, 51] { try await store.deleteTransaction(number) }

        XCTAssertEqual(
            try store.rowsOfTotals(),
            [
                "", "Category 26", "Category 27", "Category 28", "Category 29", "Category 30",
                "newer",
                long,
            ]
        )
        let left = (2...30).filter { $0 != 25 }
        var expected = left.map { "2027-01 expense Category \($0) 2 \(2 * $0 + 3) \($0 + 2)" }
        expected += ["Category 30", "new", "newer"].map { "2027-01 income \($0) 1 1000 1000" }
        expected.append("2027-01 expense \(long) 1 1 1")
        XCTAssertEqual(try store.monthlyTotals(), expected.sorted())
        let ledger = try store.ledger(
            of: .number(1),
            for: StatisticsQuery(asOf: today, timeZone: "UTC"),
            of: .default
        ).value
        XCTAssertEqual(ledger.totals.count, 32)
        let expenses = left.reduce(1) { $0 + 2 * Int128($1) + 3 }
        XCTAssertEqual(ledger.recent.net, 3_000 - expenses)
    }

    func testAreTheSameWhenMadeOfAllTransactionsAtOnce() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        var random = SplitMix64(seed: 7)
        for number in 0..<300 {
            let day = today.adding(days: -Int.random(in: 0..<100, using: &random)) ?? today
            let category = Int.random(in: 0..<40, using: &random)
            try await store.record(
                .test(
                    number,
                    Bool.random(using: &random) ? .income : .expense,
                    Int64.random(in: 1...50, using: &random),
                    on: "\(day)",
                    category: category == 0 ? nil : "Category \(category)"
                )
            )
            if number > 20, number.isMultiple(of: 3) {
                try await store.deleteTransaction(number - 20)
            }
        }

        let (calculated, stored) = try store.read { database in
            (
                try database.calculatedTotals(of: .number(1), of: .default),
                try database.storedTotals(of: .number(1), of: .default)
            )
        }

        XCTAssertEqual(calculated.count, 4)
        XCTAssertEqual(Set(calculated.keys), Set(stored.keys))
        for (month, totals) in calculated {
            XCTAssertTrue(totals.isSame(as: stored[month]), "\(month)")
        }
    }

    func testATransactionThatTheTotalsLackIsDamage() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        for number in 1...2 { try await store.record(.test(number, .income, 5, category: "Food")) }
        let damages: [StaticString] = [
            // No day and no category; the day alone.
            "UPDATE monthly_totals SET totals = x'00'",
            "UPDATE monthly_totals SET totals = x'000F020A'",
        ]
        for (damage, number) in zip(damages, 1...) {
            try await store.write { transaction in
                try transaction.willWrite()
                try transaction.database.runScript(damage)
            }
            do {
                try await store.deleteTransaction(number)
                XCTFail("\(damage): deleted")
            } catch let error as DamagedRow {
                XCTAssertEqual(
                    error.description,
                    "The totals of goal \(Goal.ID.number(1)) for 2027-01 in the data file lack "
                        + "transaction \(Transaction.ID.number(number))."
                )
            }
        }
        XCTAssertEqual(try store.goal().value.transactionCount, 2)
    }

    func testReadsNoMoreThanItWasTold() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        for number in 1...3 {
            try await store.record(.test(number, .income, 5, on: "2027-0\(number % 2 + 1)-03"))
        }
        let months = StatisticsFilter(onlyExpenses: true)
        let days = StatisticsFilter(to: .of("2027-01-03"))

        for (filter, most) in [(months, 2), (days, 3)] {
            let query = StatisticsQuery(asOf: today, timeZone: "UTC", filter: filter)
            let ledger = try store.ledger(of: .number(1), for: query, of: .default, upTo: most)
            XCTAssertEqual(try ledger.value.goal.transactionCount, 3)
            XCTAssertThrowsError(
                try store.ledger(of: .number(1), for: query, of: .default, upTo: most - 1)
            ) { XCTAssertTrue($0 is LongHistory) }
        }
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
                totals.map { "\($0.days.lowerBound)...\($0.days.upperBound) \($0.amounts.count)" }
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
    /// The totals of the goal's months as they are stored, by type and category.
    fileprivate func monthlyTotals() throws -> [String] {
        let stored = try read { try $0.storedTotals(of: .number(1), of: .default) }
        return stored.flatMap { month, totals in
            totals.categories.flatMap { category in
                [Transaction.Kind.income, .expense].compactMap { type -> String? in
                    let sum = category[type]
                    guard sum.count > 0 else { return nil }
                    let name = category.category?.text ?? "-"
                    return "\(month) \(type.rawValue) \(name) \(sum.count) \(sum.sum) "
                        + "\(sum.largest.minorUnits)"
                }
            }
        }
        .sorted()
    }

    /// The categories that have a row of their own, and none for the month.
    fileprivate func rowsOfTotals() throws -> [String] {
        try read { database in
            try database.rows("SELECT category FROM monthly_totals ORDER BY category") { row in
                try row[0]
            }
        }
    }
}
