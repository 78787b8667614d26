internal import Goals
internal import SQLite

extension Database {
    /// A goal with what its report is calculated from.
    func ledger(
        of goal: Goal,
        for query: StatisticsQuery,
        of account: AccountID
    ) throws -> Ledger {
        let monthly = try monthlyTotals(of: goal.id, of: account)
        return Ledger(
            goal: goal,
            totals: try totals(monthly, by: query.filter, of: goal.id, of: account),
            recent: try recentSaving(monthly, for: query, of: goal.id, of: account)
        )
    }

    private func monthlyTotals(
        of goal: Goal.ID,
        of account: AccountID
    ) throws -> [TransactionTotal] {
        try rows(
            """
            SELECT month, type, nullif(category, ''), count, sum_high, sum_low, largest
            FROM monthly_totals
            WHERE account = ? AND goal = ?
            """,
            account.rawValue,
            goal.stored
        ) { row in try TransactionTotal(ofMonth: row, in: goal) }
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

    /// What was saved of late: the totals of the months that are wholly of late, and the transactions
    /// of one or two that are in part.
    private func recentSaving(
        _ monthly: [TransactionTotal],
        for query: StatisticsQuery,
        of goal: Goal.ID,
        of account: AccountID
    ) throws -> RecentSaving {
        var net: Int128 = 0
        var partialMonths: Set<ClosedRange<CalendarDay>> = []
        for total in monthly where total.days.overlaps(query.recentDays) {
            let days = total.days.clamped(to: query.recentDays)
            if days == total.days {
                net += total.net
            } else {
                partialMonths.insert(days)
            }
        }
        for days in partialMonths {
            net += try self.net(of: goal, in: days, of: account)
        }
        return RecentSaving(
            net: net,
            firstDay: try firstDay(of: goal, through: query.asOf, of: account)
        )
    }

    /// Income less expenses of some days.
    ///
    /// Summed in two parts, since a sum of whole amounts could leave 64 bits; see ``Schema``.
    private func net(
        of goal: Goal.ID,
        in days: ClosedRange<CalendarDay>,
        of account: AccountID
    ) throws -> Int128 {
        let sum = try row(
            netStatement,
            account.rawValue,
            goal.stored,
            days.lowerBound.stored,
            days.upperBound.stored
        ) { row in Int128(try row[0] as Int64) << 32 + Int128(try row[1] as Int64) }
        return sum ?? 0
    }

    private func firstDay(
        of goal: Goal.ID,
        through last: CalendarDay,
        of account: AccountID
    ) throws -> CalendarDay? {
        try row(
            """
            SELECT day
            FROM transactions INDEXED BY transactions_by_day
            WHERE account = ? AND goal = ? AND day <= ?
            ORDER BY day
            LIMIT 1
            """,
            account.rawValue,
            goal.stored,
            last.stored
        ) { row in try CalendarDay(storedIn: row, in: goal) }
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

/// Income less expenses of some days, from the index alone.
let netStatement: StaticString = """
    SELECT ifnull(sum(effect >> 32), 0), ifnull(sum(effect & 4294967295), 0)
    FROM (
        SELECT CASE type WHEN 'income' THEN amount ELSE -amount END AS effect
        FROM transactions INDEXED BY transactions_by_day
        WHERE account = ? AND goal = ? AND day BETWEEN ? AND ?
    )
    """
