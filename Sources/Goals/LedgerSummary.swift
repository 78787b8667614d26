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

    init(of totals: some Sequence<TransactionTotal>, filter: StatisticsFilter) {
        for total in totals {
            let isShown = filter.shows(total)
            months[total.days.lowerBound.month, default: MonthFlow()].add(total, isShown: isShown)
            if isShown {
                shown.add(total)
                categories[total.category, default: Flow()].add(total)
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
