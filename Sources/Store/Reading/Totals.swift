internal import Goals
internal import SQLite

extension Database {
    /// A goal with what its report is calculated from.
    func ledger(
        of goal: Goal,
        for query: StatisticsQuery,
        of account: AccountID
    ) throws -> Ledger {
        var months = LedgerReader(recentDays: query.recentDays)
        try forEachRow(
            """
            SELECT month, totals
            FROM monthly_totals
            WHERE account = ? AND goal = ?
            ORDER BY month, category
            """,
            account.rawValue,
            goal.id.stored
        ) { row in try months.read(row, in: goal.id) }
        return Ledger(
            goal: goal,
            totals: try totals(months.totals, by: query.filter, of: goal.id, of: account),
            recent: RecentSaving(
                net: months.recentNet,
                firstDay: months.firstDay.flatMap { $0 <= query.asOf ? $0 : nil }
            )
        )
    }

    /// The totals of months, but of days where a filter cuts the month.
    private func totals(
        _ monthly: [TransactionTotal],
        by filter: StatisticsFilter,
        of goal: Goal.ID,
        of account: AccountID
    ) throws -> [TransactionTotal] {
        guard filter.from != nil || filter.to != nil else { return monthly }
        var totals = monthly.filter { !filter.needsDays(in: $0.days.lowerBound.month) }
        let months = monthly.map(\.days.lowerBound.month).filter(filter.needsDays(in:))
        for month in Set(months) {
            totals += try dailyTotals(of: goal, in: month, of: account)
        }
        return totals
    }

    private func dailyTotals(
        of goal: Goal.ID,
        in month: CalendarMonth,
        of account: AccountID
    ) throws -> [TransactionTotal] {
        try rows(
            """
            SELECT day, type, category, count(*), sum(amount >> 32), sum(amount & 4294967295),
                max(amount)
            FROM transactions
            WHERE account = ? AND goal = ? AND day BETWEEN ? AND ?
            GROUP BY day, type, category
            """,
            account.rawValue,
            goal.stored,
            month.firstDay.stored,
            month.lastDay.stored
        ) { row in try TransactionTotal(ofDay: row, in: goal) }
    }
}

/// Reads the totals of a goal's months, the earliest first, in one pass.
private struct LedgerReader {
    /// The days that tell the pace of saving.
    let recentDays: ClosedRange<CalendarDay>

    private(set) var totals: [TransactionTotal] = []

    /// Income less expenses of those days: from months where they are wholly of late, and else from
    /// their days.
    private(set) var recentNet: Int128 = 0

    /// The first day that has a transaction.
    private(set) var firstDay: CalendarDay?

    private var categories: [Category] = []

    init(recentDays: ClosedRange<CalendarDay>) {
        self.recentDays = recentDays
    }

    mutating func read(_ row: borrowing Row, in goal: Goal.ID) throws {
        let month = try CalendarMonth(storedIn: row, in: goal)
        do {
            var reader = MonthTotalsReader(try row[1])
            try read(&reader, of: month)
        } catch is MonthTotals.Unreadable {
            throw DamagedRow(totalsOf: goal, in: month)
        }
    }

    private mutating func read(_ reader: inout MonthTotalsReader, of month: CalendarMonth) throws {
        let days = month.days
        let isRecent =
            recentDays.lowerBound <= days.lowerBound && days.upperBound <= recentDays.upperBound
        for category in try reader.categories(&categories) {
            if isRecent { recentNet += category.income.amount - category.expense.amount }
            for type in [Transaction.Kind.income, .expense] where category[type].count > 0 {
                totals.append(
                    TransactionTotal(
                        days: days,
                        type: type,
                        category: category.category,
                        count: category[type].count,
                        sum: category[type].amount,
                        largest: category[type].largest
                    )
                )
            }
        }
        guard firstDay == nil || !isRecent && days.overlaps(recentDays) else { return }
        for day in try reader.days() {
            guard let date = month.day(day.number) else { throw MonthTotals.Unreadable() }
            if firstDay == nil { firstDay = date }
            if !isRecent, recentDays.contains(date) { recentNet += day.net }
        }
    }
}
