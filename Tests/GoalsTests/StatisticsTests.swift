import XCTest

@testable import Goals

/// The edges of the rules, which the worked cases leave out.
final class StatisticsTests: XCTestCase {
    func testNamesWhatTheSnapshotIsOf() throws {
        let history = try history(transactions: [(.income, 500, "2027-01-02", nil)])
        let query = try StatisticsQuery(asOf: day("2027-01-15"), timeZone: "Europe/Warsaw")

        let statistics = history.statisticsFromRows(query)

        XCTAssertEqual(statistics.goalID, history.goal.id)
        XCTAssertEqual(statistics.revision, 2)
        XCTAssertEqual(statistics.asOf, try day("2027-01-15"))
        XCTAssertEqual(statistics.timeZone, "Europe/Warsaw")
    }

    func testThePaceRoundsDownBelowZeroToo() throws {
        let spent = try history(transactions: [(.expense, 100, "2026-10-18", nil)])

        // The window is 90 days, through 2027-01-15: -100 × 30 / 90 is -33.3.
        XCTAssertEqual(try statistics(spent).averageMonthlySaving, Money(minorUnits: -34))
        XCTAssertNil(try statistics(spent).projectedCompletionDate)
    }

    func testThePaceForgetsWhatIsOlderThanItsWindow() throws {
        let old = try history(transactions: [(.income, 900, "2026-10-17", nil)])
        let late = try history(transactions: [(.income, 900, "2026-10-18", nil)])

        XCTAssertEqual(try statistics(old).averageMonthlySaving, .zero)
        XCTAssertEqual(try statistics(late).averageMonthlySaving, Money(minorUnits: 300))
    }

    func testTheWindowBeginsWithTheFirstTransaction() throws {
        // 45 days, of which the first and the last count.
        let history = try history(transactions: [
            (.income, 600, "2026-12-02", nil),
            (.income, 300, "2027-01-15", nil),
            (.income, 700, "2027-01-16", nil),
        ])

        XCTAssertEqual(try statistics(history).averageMonthlySaving, Money(minorUnits: 600))
    }

    func testProjectsUpToTheLastDayThereIs() throws {
        // At one minor unit in 30 days.
        let days = try day("2027-01-15").days(until: .latest)
        let reachable = try history(
            target: Int64(days / 30) + 1,
            transactions: [(.income, 1, "2027-01-15", nil)]
        )
        let tooFar = try history(
            target: Int64(days / 30) + 2,
            transactions: [(.income, 1, "2027-01-15", nil)]
        )

        XCTAssertEqual(
            try statistics(reachable).projectedCompletionDate,
            try day("2027-01-15").adding(days: days / 30 * 30)
        )
        XCTAssertNil(try statistics(tooFar).projectedCompletionDate)
    }

    func testSortsCategoriesByExpenseIncomeAndScalars() throws {
        // U+FF5E comes before U+1F697 by scalars, though not by UTF-16.
        let history = try history(transactions: [
            (.expense, 5, "2027-01-01", nil),
            (.expense, 5, "2027-01-01", "\u{1F697}"),
            (.expense, 5, "2027-01-01", "\u{FF5E}"),
            (.expense, 5, "2027-01-01", "Z"),
            (.expense, 5, "2027-01-01", "a"),
            (.expense, 5, "2027-01-01", "Rich"),
            (.income, 9, "2027-01-01", "Rich"),
            (.income, 99, "2027-01-01", "Salary"),
            (.expense, 6, "2027-01-01", "Rent"),
        ])

        XCTAssertEqual(
            try statistics(history).categories.map(\.category?.text),
            ["Rent", "Rich", "Z", "a", "\u{FF5E}", "\u{1F697}", nil, "Salary"]
        )
    }

    func testAFilterThatEndsBeforeItBeginsShowsNothing() throws {
        let history = try history(transactions: [(.income, 500, "2027-01-02", nil)])
        let filter = try StatisticsFilter(from: day("2027-02-01"), to: day("2027-01-01"))

        let statistics = try statistics(history, filter)

        XCTAssertEqual(statistics.transactionCount, 0)
        XCTAssertEqual(statistics.series, [])
        XCTAssertEqual(statistics.categories, [])
        XCTAssertEqual(statistics.savedAmount, Money(minorUnits: 500))
    }

    func testTheSeriesMaySpanAllThereIs() throws {
        let history = try history(transactions: [
            (.income, 1, "1900-01-01", nil),
            (.income, 2, "2199-12-31", nil),
        ])

        let series = try statistics(history).series

        XCTAssertEqual(series.count, 3_600)
        XCTAssertEqual(series.first?.month, .earliest)
        XCTAssertEqual(series.last?.month, .latest)
        XCTAssertEqual(series.map(\.balance.minorUnits), [Int64](repeating: 1, count: 3_599) + [3])
    }

    func testPlansInstalmentsForTwoCenturies() throws {
        let history = try history(target: 1_000_000, date: "2199-12-31", transactions: [])

        let projection = try statistics(history).projection

        XCTAssertEqual(projection.count, 2_106)
        XCTAssertEqual(projection.last?.date, .latest)
        XCTAssertEqual(projection.last?.balance, Money(minorUnits: 1_000_000))
    }

    func testProgressIsExactHoweverLarge() throws {
        let rich = try history(
            target: 1,
            starting: Money.largestAmount.minorUnits,
            transactions: []
        )
        let poor = try history(target: 3, transactions: [(.expense, 5, "2027-01-01", nil)])

        XCTAssertEqual(try statistics(rich).progress?.description, "999999999999999")
        XCTAssertEqual(try statistics(poor).progress?.description, "0")
    }

    func testProgressIsWrittenWithTheDecimalsItNeeds() {
        let texts: [(Int128, String)] = [
            (0, "0"), (1, "0.0001"), (100, "0.01"), (9_995, "0.9995"), (10_000, "1"),
            (12_000, "1.2"), (10_005, "1.0005"), (100_000, "10"),
        ]
        for (tenThousandths, text) in texts {
            XCTAssertEqual(
                GoalStatistics.Progress(tenThousandths: tenThousandths).description,
                text
            )
        }
    }

    func testBalancesAreRightThoughMoreHasComeAndGoneThan64BitsHold() throws {
        let largest = Money.largestAmount
        func total(_ type: Transaction.Kind, _ count: Int) throws -> TransactionTotal {
            try TransactionTotal(
                days: day("2027-01-01")...day("2027-01-01"),
                type: type,
                category: nil,
                amounts: TransactionTotal.Amounts(
                    count: count,
                    sum: Int128(largest.minorUnits) * Int128(count),
                    largest: largest
                )
            )
        }
        let history = try history(target: largest.minorUnits, transactions: [])

        let statistics = try GoalStatistics(
            of: history.goal,
            totals: [total(.income, 9_301), total(.expense, 9_300)],
            query: StatisticsQuery(asOf: day("2027-01-15"), timeZone: "UTC")
        )

        XCTAssertEqual(statistics.series.map(\.balance), [history.goal.startingAmount + largest])
        XCTAssertEqual(statistics.averageMonthlySaving, largest)
    }

    func testNoHistoryIsTooLargeToCalculate() throws {
        // More has come and gone than 64 bits hold, though little is saved.
        let largest = Money.largestAmount
        func total(_ type: Transaction.Kind, _ date: String) throws -> TransactionTotal {
            try TransactionTotal(
                days: day(date)...day(date),
                type: type,
                category: nil,
                amounts: TransactionTotal.Amounts(
                    count: 9_000,
                    sum: Int128(largest.minorUnits) * 9_000,
                    largest: largest
                )
            )
        }
        let history = try history(target: largest.minorUnits, transactions: [])

        let statistics = try GoalStatistics(
            of: history.goal,
            totals: [
                total(.income, "2027-01-01"), total(.income, "2027-01-02"),
                total(.expense, "2027-02-01"), total(.expense, "2027-02-02"),
            ],
            query: StatisticsQuery(asOf: day("2027-01-15"), timeZone: "UTC")
        )

        let most = Money(minorUnits: .max)
        XCTAssertEqual(statistics.incomeTotal, most)
        XCTAssertEqual(statistics.expenseTotal, most)
        XCTAssertEqual(statistics.maxExpenseAmount, largest)
        XCTAssertEqual(statistics.averageMonthlySaving, most)
        XCTAssertEqual(statistics.projectedCompletionDate, try day("2027-01-16"))
        XCTAssertEqual(statistics.series.map(\.balance), [most, .zero])
    }

    func testTheExtremesOfTheBoundsAreExact() throws {
        // 10^17 below zero and the largest target: what remains times 90 is just within 64 bits, and
        // times the ten thousand of progress it is not.
        let largest = Money.largestAmount.minorUnits
        let history = try history(target: largest, date: "2027-01-16", transactions: [])
        let goal = history.goal
        let indebted = Goal(
            id: goal.id,
            title: goal.title,
            note: goal.note,
            currency: goal.currency,
            targetAmount: goal.targetAmount,
            startingAmount: .zero,
            plannedCompletionDate: goal.plannedCompletionDate,
            status: .active,
            completedAt: nil,
            savedAmount: Money.savedAmounts.lowerBound,
            transactionCount: 0,
            revision: 1,
            createdAt: goal.createdAt,
            updatedAt: goal.updatedAt
        )
        let remaining = Money(minorUnits: 100_000_000_000_000_000 + largest)

        let statistics = try GoalStatistics(
            of: indebted,
            totals: [
                TransactionTotal(
                    days: day("2027-01-15")...day("2027-01-15"),
                    type: .income,
                    category: nil,
                    amounts: TransactionTotal.Amounts(
                        count: 1,
                        sum: 1,
                        largest: Money(minorUnits: 1)
                    )
                )
            ],
            query: StatisticsQuery(asOf: day("2027-01-15"), timeZone: "UTC")
        )

        XCTAssertEqual(statistics.remainingAmount, remaining)
        XCTAssertEqual(statistics.requiredMonthlySaving, remaining)
        XCTAssertEqual(
            statistics.projection,
            [
                GoalStatistics.Instalment(
                    date: try day("2027-01-16"),
                    saving: remaining,
                    balance: Money(minorUnits: largest)
                )
            ]
        )
        XCTAssertNil(statistics.projectedCompletionDate)
    }

    func testNeedsDaysOnlyWhereAMonthIsCut() throws {
        let cut = try StatisticsFilter(from: day("2025-03-02"), to: day("2027-06-29"))
        let whole = try StatisticsFilter(from: day("2025-03-01"), to: day("2027-06-30"))

        XCTAssertEqual(try monthsNeedingDays(cut), ["2025-03", "2027-06"])
        XCTAssertEqual(try monthsNeedingDays(whole), [])
    }

    func testRecentDaysAreThe90ThroughAsOf() throws {
        let query = try StatisticsQuery(asOf: day("2027-01-15"), timeZone: "UTC")

        XCTAssertEqual(query.recentDays, try day("2026-10-18")...day("2027-01-15"))
    }

    func testTheEndsOfTheCalendarNeedNoDaysBeyondThem() throws {
        for asOf in [CalendarDay.earliest, .latest] {
            let history = try history(transactions: [
                (.income, 900, asOf.description, nil), (.expense, 300, "2027-01-01", nil),
            ])
            let query = StatisticsQuery(asOf: asOf, timeZone: "UTC")

            let statistics = history.statisticsFromTotals(query)

            XCTAssertTrue(query.recentDays.contains(asOf))
            XCTAssertEqual(statistics, history.statisticsFromRows(query))
        }
    }
}

extension StatisticsTests {
    private typealias Entry = (
        type: Transaction.Kind, minorUnits: Int64, date: String, category: String?
    )

    private func history(
        target: Int64 = 100_000,
        starting: Int64 = 0,
        date: String? = nil,
        transactions: [Entry]
    ) throws -> History {
        try History(
            NewGoal(
                id: Goal.ID(high: 1, low: 2),
                title: XCTUnwrap(Title("New bike")),
                currency: XCTUnwrap(Currency("EUR")),
                targetAmount: Money(minorUnits: target),
                startingAmount: Money(minorUnits: starting),
                plannedCompletionDate: date.map { try day($0) }
            ),
            transactions: transactions.enumerated().map { index, entry in
                try NewTransaction(
                    id: Transaction.ID(high: 3, low: UInt64(index)),
                    type: entry.type,
                    amount: Money(minorUnits: entry.minorUnits),
                    date: day(entry.date),
                    category: entry.category.map { try XCTUnwrap(Category($0)) }
                )
            }
        )
    }

    private func statistics(
        _ history: History,
        _ filter: StatisticsFilter = StatisticsFilter()
    ) throws -> GoalStatistics {
        try history.statisticsFromRows(
            StatisticsQuery(asOf: day("2027-01-15"), timeZone: "UTC", filter: filter)
        )
    }

    private func monthsNeedingDays(_ filter: StatisticsFilter) throws -> [String] {
        try (2024 * 12..<2029 * 12)
            .map { try XCTUnwrap(CalendarMonth(monthsSinceYearZero: $0)) }
            .filter(filter.needsDays)
            .map(\.description)
    }
}
