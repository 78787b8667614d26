internal import Goals
internal import SQLite

extension Database {
    /// A goal with what its report is calculated from.
    func ledger(
        of goal: Goal,
        for query: StatisticsQuery,
        of account: AccountID,
        upTo most: Int
    ) throws -> Ledger {
        let readsTransactions = query.filter.from != nil || query.filter.to != nil
        guard !readsTransactions || goal.transactionCount <= most else { throw LongHistory() }
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
        ) { row in
            guard months.rows < most else { throw LongHistory() }
            try months.read(row, in: goal.id)
        }
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

    /// How many rows were read.
    private(set) var rows = 0

    /// Income less expenses of those days: from months where they are wholly of late, and else from
    /// their days.
    private(set) var recentNet: Int128 = 0

    /// The first day that has a transaction.
    private(set) var firstDay: CalendarDay?

    private var categories = KnownCategories()

    init(recentDays: ClosedRange<CalendarDay>) {
        self.recentDays = recentDays
        // Those of two years of five categories, which is more than most goals have.
        totals.reserveCapacity(256)
    }

    mutating func read(_ row: borrowing Row, in goal: Goal.ID) throws {
        rows += 1
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
        for _ in 0..<(try reader.categoryCount()) {
            let category = try reader.category(&categories)
            if isRecent { recentNet += category.income.sum - category.expense.sum }
            append(category.income, of: .income, category.category, days)
            append(category.expense, of: .expense, category.category, days)
        }
        guard firstDay == nil || !isRecent && days.overlaps(recentDays) else { return }
        for day in try reader.days() {
            guard let date = month.day(day.number) else { throw MonthTotals.Unreadable() }
            if firstDay == nil { firstDay = date }
            if !isRecent, recentDays.contains(date) { recentNet += day.net }
        }
    }

    private mutating func append(
        _ amounts: TransactionTotal.Amounts,
        of type: Transaction.Kind,
        _ category: Category?,
        _ days: ClosedRange<CalendarDay>
    ) {
        guard amounts.count > 0 else { return }
        totals.append(
            TransactionTotal(
                days: days,
                type: type,
                category: category,
                amounts: amounts
            )
        )
    }
}
