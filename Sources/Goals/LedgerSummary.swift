/// What the figures of a report need to know of a goal's transactions, gathered in one pass.
///
/// Sums have 128 bits here: a goal's saved amount is bounded, but how much has come and gone is not.
struct LedgerSummary {
    /// The transactions that the filter shows.
    private(set) var shown = Flow()

    /// Those that it shows by category; no category is a key, too.
    private(set) var categories: [Category?: Flow] = [:]

    /// The months that have transactions, shown or not.
    private(set) var months: [CalendarMonth: MonthFlow] = [:]

    /// The day of the first transaction dated no later than `asOf`.
    ///
    /// Of a month taken together it is the first day of the month.
    private(set) var firstDayThroughAsOf: CalendarDay?

    /// Income less expenses in the longest window that the pace is taken from.
    private(set) var recentNet: Int128 = 0

    /// Counts and sums of some transactions.
    struct Flow {
        private(set) var incomeCount = 0
        private(set) var expenseCount = 0
        private(set) var income: Int128 = 0
        private(set) var expense: Int128 = 0
        private(set) var largestExpense = Money.zero

        var count: Int { incomeCount + expenseCount }
    }

    struct MonthFlow {
        fileprivate(set) var shown = Flow()

        /// Income less expenses, whatever the filter.
        fileprivate(set) var net: Int128 = 0
    }

    init(of totals: some Sequence<TransactionTotal>, query: StatisticsQuery) {
        for total in totals {
            let firstDay = total.days.lowerBound
            let isShown = query.filter.shows(total)
            months[firstDay.month, default: MonthFlow()].add(total, isShown: isShown)
            if isShown {
                shown.add(total)
                categories[total.category, default: Flow()].add(total)
            }
            if firstDay <= query.asOf {
                firstDayThroughAsOf = min(firstDay, firstDayThroughAsOf ?? firstDay)
            }
            if query.isOfLate(firstDay) {
                recentNet += total.net
            }
        }
    }
}

extension LedgerSummary.Flow {
    fileprivate mutating func add(_ total: TransactionTotal) {
        switch total.type {
        case .income:
            incomeCount += total.count
            income += total.sum
        case .expense:
            expenseCount += total.count
            expense += total.sum
            largestExpense = max(largestExpense, total.largest)
        }
    }
}

extension LedgerSummary.MonthFlow {
    fileprivate mutating func add(_ total: TransactionTotal, isShown: Bool) {
        net += total.net
        if isShown {
            shown.add(total)
        }
    }
}

extension TransactionTotal {
    /// What the transactions add to the saved amount: negative for expenses.
    fileprivate var net: Int128 {
        switch type {
        case .income: sum
        case .expense: -sum
        }
    }
}
