internal import Goals
internal import SQLite

extension Database {
    /// The totals of a goal's transactions: by the month, but by the day where the query needs that.
    func totals(
        of goal: Goal.ID,
        for query: StatisticsQuery,
        of account: AccountID
    ) throws -> [TransactionTotal] {
        let monthly = try rows(
            """
            SELECT month, type, nullif(category, ''), count, sum_high, sum_low, largest
            FROM monthly_totals
            WHERE account = ? AND goal = ?
            """,
            account.rawValue,
            goal.stored
        ) { row in try TransactionTotal(ofMonth: row, in: goal) }
        var totals = monthly.filter { !query.needsDays(in: $0.days.lowerBound.month) }
        let months = monthly.map(\.days.lowerBound.month).filter(query.needsDays(in:))
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
