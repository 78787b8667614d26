import XCTest

@testable import Goals

/// A goal and its transactions, brought about by the rules.
struct History {
    private(set) var goal: Goal
    private(set) var transactions: [Transaction] = []

    init(_ new: NewGoal, transactions: [NewTransaction]) throws {
        goal = Goal(new, at: Moment(millisecondsSinceEpoch: 0))
        for (index, transaction) in transactions.enumerated() {
            let moment = Moment(millisecondsSinceEpoch: Int64(index) + 1)
            let recorded = Transaction(transaction, in: goal.id, today: .earliest, at: moment)
            goal = try goal.recording(recorded, at: moment)
            self.transactions.append(recorded)
        }
    }

    /// The statistics from each transaction by itself.
    func statisticsFromRows(_ query: StatisticsQuery) -> GoalStatistics {
        GoalStatistics(of: goal, totals: transactions.map(TransactionTotal.init), query: query)
    }

    /// The statistics from as few totals as the query allows.
    func statisticsFromTotals(_ query: StatisticsQuery) -> GoalStatistics {
        GoalStatistics(
            of: goal,
            totals: totals(for: query.filter),
            recent: RecentSaving(
                ofDays: transactions.map(TransactionTotal.init),
                for: query
            ),
            query: query
        )
    }

    func totals(for filter: StatisticsFilter) -> [TransactionTotal] {
        struct Key: Hashable {
            let days: ClosedRange<CalendarDay>
            let type: Transaction.Kind
            let category: Category?
        }
        let groups = Dictionary(grouping: transactions) { transaction in
            let month = transaction.date.month
            return Key(
                days: filter.needsDays(in: month)
                    ? transaction.date...transaction.date : month.days,
                type: transaction.type,
                category: transaction.category
            )
        }
        return groups.map { key, transactions in
            TransactionTotal(
                days: key.days,
                type: key.type,
                category: key.category,
                amounts: TransactionTotal.Amounts(
                    count: transactions.count,
                    sum: transactions.reduce(0) { $0 + Int128($1.amount.minorUnits) },
                    largest: transactions.map(\.amount).max() ?? .zero
                )
            )
        }
    }
}

extension GoalStatistics {
    /// The statistics from totals of single days, which tell the pace as well.
    init(of goal: Goal, totals: [TransactionTotal], query: StatisticsQuery) {
        self.init(
            of: goal,
            totals: totals,
            recent: RecentSaving(ofDays: totals, for: query),
            query: query
        )
    }
}

extension RecentSaving {
    /// What was saved of late, day by day.
    fileprivate init(ofDays totals: [TransactionTotal], for query: StatisticsQuery) {
        var net: Int128 = 0
        var firstDay: CalendarDay?
        for total in totals {
            let day = total.days.lowerBound
            let age = day.days(until: query.asOf)
            if 0 <= age, age < 90 {
                net += total.type == .income ? total.amounts.sum : -total.amounts.sum
            }
            if 0 <= age { firstDay = min(day, firstDay ?? day) }
        }
        self.init(net: net, firstDay: firstDay)
    }
}

/// The day that a text names, in a test that knows there is one.
func day(
    _ text: String,
    file: StaticString = #filePath,
    line: UInt = #line
) throws -> CalendarDay {
    try XCTUnwrap(CalendarDay(text), "\(text) is no day", file: file, line: line)
}
