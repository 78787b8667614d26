import TestRandom
import XCTest

@testable import Goals

/// What holds for every history, tried on random ones.
final class StatisticsPropertiesTests: XCTestCase {
    func testTotalsGiveTheSameAnswerAsSingleTransactions() throws {
        try forRandomHistories { history, query, message in
            XCTAssertEqual(
                history.statisticsFromTotals(query),
                history.statisticsFromRows(query),
                message
            )
        }
    }

    func testTheOrderOfTransactionsDoesNotMatter() throws {
        try forRandomHistories { history, query, message in
            let totals = history.transactions.map(TransactionTotal.init)
            XCTAssertEqual(
                GoalStatistics(of: history.goal, totals: Array(totals.reversed()), query: query),
                history.statisticsFromRows(query),
                message
            )
        }
    }

    func testWhatIsSavedIsTheStartAndIncomeLessExpenses() throws {
        try forRandomHistories { history, query, message in
            let all = StatisticsQuery(asOf: query.asOf, timeZone: query.timeZone)
            let statistics = history.statisticsFromRows(all)

            XCTAssertEqual(
                statistics.savedAmount,
                history.goal.startingAmount + statistics.incomeTotal - statistics.expenseTotal,
                message
            )
            XCTAssertEqual(
                statistics.series.last?.balance,
                history.transactions.isEmpty ? nil : statistics.savedAmount,
                message
            )
        }
    }

    func testTheFilterChangesNoFact() throws {
        try forRandomHistories { history, query, message in
            let all = StatisticsQuery(asOf: query.asOf, timeZone: query.timeZone)
            let filtered = history.statisticsFromRows(query)
            let unfiltered = history.statisticsFromRows(all)

            XCTAssertEqual(Facts(filtered), Facts(unfiltered), message)
            let balances = Dictionary(
                uniqueKeysWithValues: unfiltered.series.map { ($0.month, $0.balance) }
            )
            for month in filtered.series {
                XCTAssertEqual(month.balance, balances[month.month], message)
            }
        }
    }

    func testSeriesAndCategoriesAddUpToTheTotals() throws {
        try forRandomHistories { history, query, message in
            let statistics = history.statisticsFromRows(query)
            let totals = [statistics.incomeTotal, statistics.expenseTotal]

            XCTAssertEqual(
                [
                    statistics.series.map(\.income).reduce(.zero, +),
                    statistics.series.map(\.expense).reduce(.zero, +),
                ],
                totals,
                message
            )
            XCTAssertEqual(
                [
                    statistics.categories.map(\.income).reduce(.zero, +),
                    statistics.categories.map(\.expense).reduce(.zero, +),
                ],
                totals,
                message
            )
            XCTAssertEqual(
                statistics.categories.map(\.count).reduce(0, +),
                statistics.transactionCount,
                message
            )
            XCTAssertEqual(
                statistics.incomeCount + statistics.expenseCount,
                statistics.transactionCount,
                message
            )
        }
    }

    func testTheSeriesHasNoHoles() throws {
        try forRandomHistories { history, query, message in
            let months = history.statisticsFromRows(query).series.map(\.month)
            let dates = history.transactions.map(\.date)
            guard let first = dates.min(), let last = dates.max() else {
                return XCTAssertEqual(months, [], message)
            }
            let start = max(first.month, query.filter.from?.month ?? .earliest)
            let end = min(
                max(last.month, query.asOf.month),
                query.filter.to?.month ?? .latest
            )

            var expected: [CalendarMonth] = []
            var month: CalendarMonth? = start
            while let current = month, current <= end {
                expected.append(current)
                month = current.next
            }
            XCTAssertEqual(months, expected, message)
        }
    }

    func testTheProjectionAddsUpToWhatRemains() throws {
        try forRandomHistories { history, query, message in
            let statistics = history.statisticsFromRows(query)
            guard
                let required = statistics.requiredMonthlySaving, required > .zero,
                let plannedDate = history.goal.plannedCompletionDate
            else { return XCTAssertEqual(statistics.projection, [], message) }

            XCTAssertEqual(
                statistics.projection.map(\.saving).reduce(.zero, +),
                statistics.remainingAmount,
                message
            )
            XCTAssertEqual(statistics.projection.last?.balance, statistics.targetAmount, message)
            XCTAssertTrue(
                statistics.projection.dropLast().allSatisfy { $0.saving == required },
                message
            )
            XCTAssertTrue(
                statistics.projection.allSatisfy {
                    .zero < $0.saving && $0.saving <= required && $0.date <= plannedDate
                },
                message
            )
            for (index, instalment) in statistics.projection.enumerated() {
                let due = query.asOf.adding(days: 30 * (index + 1)) ?? plannedDate
                XCTAssertEqual(instalment.date, min(due, plannedDate), message)
            }
        }
    }

    func testTheRequiredSavingIsTheLeastThatCoversWhatRemains() throws {
        try forRandomHistories { history, query, message in
            let statistics = history.statisticsFromRows(query)
            guard
                let required = statistics.requiredMonthlySaving, required > .zero,
                let remaining = statistics.remainingAmount,
                let days = statistics.daysUntilCompletion
            else { return }
            let thirtieths = Int128(remaining.minorUnits) * 30
            let months = Int128(max(days, 30))

            XCTAssertLessThanOrEqual(required, remaining, message)
            XCTAssertGreaterThanOrEqual(Int128(required.minorUnits) * months, thirtieths, message)
            XCTAssertLessThan(Int128(required.minorUnits - 1) * months, thirtieths, message)
        }
    }

    func testTheOutlookFollowsFromTheFigures() throws {
        var outlooks: Set<GoalStatistics.Outlook> = []
        try forRandomHistories { history, query, message in
            let statistics = history.statisticsFromRows(query)
            let planned = history.goal.plannedCompletionDate
            let remaining = statistics.remainingAmount

            let fitting: Bool =
                switch statistics.outlook {
                case .openEnded: remaining == nil
                case .reached: remaining.map { $0 <= .zero } ?? false
                case .unscheduled: remaining.map { $0 > .zero } ?? false && planned == nil
                case .overdue: planned.map { $0 < query.asOf } ?? false
                case .onTrack:
                    planned.flatMap { planned in
                        statistics.projectedCompletionDate.map { $0 <= planned }
                    } ?? false
                case .behind:
                    planned.map { planned in
                        planned >= query.asOf
                            && statistics.projectedCompletionDate.map { $0 > planned } ?? true
                    } ?? false
                }

            XCTAssertTrue(fitting, "\(statistics.outlook), \(message)")
            outlooks.insert(statistics.outlook)
        }
        XCTAssertEqual(outlooks, Set(GoalStatistics.Outlook.allCases))
    }

    func testProgressIsOneOnlyWhenTheTargetIsReached() throws {
        try forRandomHistories { history, query, message in
            let statistics = history.statisticsFromRows(query)

            XCTAssertEqual(
                statistics.progress.map { $0 >= GoalStatistics.Progress(tenThousandths: 10_000) },
                statistics.remainingAmount.map { $0 <= .zero },
                message
            )
        }
    }

    private func forRandomHistories(
        _ body: (History, StatisticsQuery, _ message: String) throws -> Void
    ) throws {
        for seed in UInt64(0)..<600 {
            var generator = SplitMix64(seed: seed)
            let random = try RandomHistory(using: &generator)
            try body(random.history, random.query, "seed \(seed)")
        }
    }
}

/// The figures that no filter changes.
private struct Facts: Hashable {
    let amounts: [Money?]
    let progress: GoalStatistics.Progress?
    let days: Int?
    let outlook: GoalStatistics.Outlook
    let projectedDate: CalendarDay?
    let projection: [GoalStatistics.Instalment]

    init(_ statistics: GoalStatistics) {
        amounts = [
            statistics.targetAmount,
            statistics.savedAmount,
            statistics.remainingAmount,
            statistics.requiredMonthlySaving,
            statistics.averageMonthlySaving,
        ]
        progress = statistics.progress
        days = statistics.daysUntilCompletion
        outlook = statistics.outlook
        projectedDate = statistics.projectedCompletionDate
        projection = statistics.projection
    }
}
