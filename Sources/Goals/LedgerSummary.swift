/// What the figures of a report need to know of a goal's transactions, gathered in one pass.
///
/// Sums have 128 bits here: a goal's saved amount is bounded, but how much has come and gone is not.
struct LedgerSummary {
    /// The transactions that the filter shows.
    private(set) var shown = Flow()

    /// Those that it shows by category; no category is a key, too.
    private(set) var categories = Tally<Category?, Flow>(of: Flow())

    /// The months that have transactions, shown or not, the earliest first.
    ///
    /// A month is there as often as totals of its days came in between those of others.
    private(set) var months: [MonthFlow] = []

    /// Counts and sums of some transactions.
    struct Flow {
        private(set) var incomeCount = 0
        private(set) var expenseCount = 0
        private(set) var income: Int128 = 0
        private(set) var expense: Int128 = 0
        private(set) var largestExpense = Money.zero

        var count: Int { incomeCount + expenseCount }
    }

    /// What comes and goes in a month.
    struct MonthFlow {
        let month: CalendarMonth

        /// As far as the filter shows it.
        fileprivate(set) var income: Int128 = 0
        fileprivate(set) var expense: Int128 = 0

        /// Income less expenses, whatever the filter.
        fileprivate(set) var net: Int128 = 0
    }

    init(of totals: [TransactionTotal], filter: StatisticsFilter) {
        var days: ClosedRange<CalendarDay>?
        for total in totals {
            if total.days != days {
                days = total.days
                months.append(MonthFlow(month: total.days.lowerBound.month))
            }
            let isShown = filter.shows(total)
            months[months.count - 1].add(total, isShown: isShown)
            if isShown {
                shown.add(total)
                categories.update(total.category) { $0.add(total) }
            }
        }
        months.sort { $0.month < $1.month }
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
        guard isShown else { return }
        switch total.type {
        case .income: income += total.sum
        case .expense: expense += total.sum
        }
    }
}
