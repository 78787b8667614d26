// One pure function for each figure that is not simply a sum.

/// The days that count as a month where a rate is meant and not a month of the calendar.
private let daysPerMonth = 30

extension GoalStatistics.Progress {
    /// The share of a target that is saved: saved / target, rounded down, and never below zero.
    ///
    /// - Precondition: The target is more than nothing.
    init(saved: Money, target: Money) {
        let saved = Int128(max(saved, .zero).minorUnits)
        self.init(tenThousandths: saved * 10_000 / Int128(target.minorUnits))
    }
}

/// What must be saved in a month: remaining × 30 / max(days, 30), rounded up.
///
/// Since no fewer days than a month count, it is never more than what remains.
///
/// - Returns: `nil` without a target or a date; zero if nothing remains or the date is past.
func requiredMonthlySaving(for remaining: Money?, in days: Int?) -> Money? {
    guard let remaining, let days else { return nil }
    guard remaining > .zero, days >= 0 else { return .zero }
    let monthsOfMoney = Int128(remaining.minorUnits) * Int128(daysPerMonth)
    return Money(
        clamping: monthsOfMoney.dividedRoundingUp(by: Int128(max(days, daysPerMonth)))
    )
}

extension GoalStatistics.Outlook {
    /// Decides the outlook: the first case that fits wins.
    init(remaining: Money?, days: Int?, daysProjected: Int?) {
        self =
            switch (remaining, days, daysProjected) {
            case (nil, _, _): .openEnded
            case (let remaining?, _, _) where remaining <= .zero: .reached
            case (_, nil, _): .unscheduled
            case (_, let days?, _) where days < 0: .overdue
            case (_, let days?, let daysProjected?) where daysProjected <= days: .onTrack
            case (_, _, _): .behind
            }
    }
}

/// The months from that of the first transaction to that of the last or of `asOf`, whichever is
/// later, as far as the filter's days reach.
///
/// Balances are added up from the very first month, shown or not.
func monthlySeries(
    of ledger: LedgerSummary,
    startingAmount: Money,
    query: StatisticsQuery
) -> [GoalStatistics.Month] {
    var flows = ledger.months[...]
    guard let first = flows.first?.month, let last = flows.last?.month else { return [] }
    let shown = (query.filter.from?.month ?? .earliest, query.filter.to?.month ?? .latest)

    var series: [GoalStatistics.Month] = []
    var balance = Int128(startingAmount.minorUnits)
    var month: CalendarMonth? = first
    while let current = month, current <= max(last, query.asOf.month), current <= shown.1 {
        var (income, expense): (Int128, Int128) = (0, 0)
        while flows.first?.month == current {
            let flow = flows.removeFirst()
            income += flow.income
            expense += flow.expense
            balance += flow.net
        }
        if current >= shown.0 {
            series.append(
                GoalStatistics.Month(
                    month: current,
                    income: Money(clamping: income),
                    expense: Money(clamping: expense),
                    balance: Money(clamping: balance)
                )
            )
        }
        month = current.next
    }
    return series
}

/// The categories by expense, then by income, the greatest first; equal ones by their Unicode
/// scalars, and last what has no category.
func categoryTotals(
    _ flows: Tally<Category?, LedgerSummary.Flow>
) -> [GoalStatistics.CategoryTotal] {
    flows.entries
        .map { category, flow in
            GoalStatistics.CategoryTotal(
                category: category,
                income: Money(clamping: flow.income),
                expense: Money(clamping: flow.expense),
                count: flow.count
            )
        }
        .sorted { first, second in
            guard first.expense == second.expense else { return first.expense > second.expense }
            guard first.income == second.income else { return first.income > second.income }
            guard let category = first.category else { return false }
            return second.category.map(category.precedesByScalars) ?? true
        }
}

/// The instalments that reach the target on the planned date.
///
/// Of n = max(1, ceil(days / 30)) instalments all but the last come 30 days apart, and the last comes
/// on the date itself. Each is the required saving, cut to what is left, and when nothing is left
/// there are no more. They add up to what remains: the required saving is at least a 30th of it for
/// each of the days, or all of it, and n times that is enough.
func instalments(
    of required: Money?,
    until days: Int?,
    asOf: CalendarDay,
    remaining: Money?,
    saved: Money
) -> [GoalStatistics.Instalment] {
    guard let required, required > .zero, let days, let remaining else { return [] }

    var projection: [GoalStatistics.Instalment] = []
    var left = remaining
    var day = 0
    while left > .zero, let date = asOf.adding(days: min(day + daysPerMonth, days)) {
        let saving = min(required, left)
        left -= saving
        day += daysPerMonth
        projection.append(
            GoalStatistics.Instalment(
                date: date,
                saving: saving,
                balance: saved + (remaining - left)
            )
        )
    }
    return projection
}
