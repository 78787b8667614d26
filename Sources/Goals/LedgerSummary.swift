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
        let isUnfiltered = filter == StatisticsFilter()
        var days: ClosedRange<CalendarDay>?
        for index in totals.indices {
            if totals[index].days != days {
                days = totals[index].days
                months.append(MonthFlow(month: totals[index].days.lowerBound.month))
            }
            // All but the category, of which only the filter and the sums by category take a copy.
            let (type, amounts) = (totals[index].type, totals[index].amounts)
            let isShown = isUnfiltered || filter.shows(totals[index])
            months[months.count - 1].add(amounts, of: type, isShown: isShown)
            if isShown {
                shown.add(amounts, of: type)
                categories.update(totals[index].category) { $0.add(amounts, of: type) }
            }
        }
        months.sort { $0.month < $1.month }
    }
}

extension LedgerSummary.Flow {
    fileprivate mutating func add(
        _ amounts: TransactionTotal.Amounts,
        of type: Transaction.Kind
    ) {
        switch type {
        case .income:
            incomeCount += amounts.count
            income += amounts.sum
        case .expense:
            expenseCount += amounts.count
            expense += amounts.sum
            largestExpense = max(largestExpense, amounts.largest)
        }
    }
}

extension LedgerSummary.MonthFlow {
    fileprivate mutating func add(
        _ amounts: TransactionTotal.Amounts,
        of type: Transaction.Kind,
        isShown: Bool
    ) {
        switch type {
        case .income:
            net += amounts.sum
            if isShown { income += amounts.sum }
        case .expense:
            net -= amounts.sum
            if isShown { expense += amounts.sum }
        }
    }
}
