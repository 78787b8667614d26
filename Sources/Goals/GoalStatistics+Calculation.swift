extension GoalStatistics {
    /// Calculates how saving for a goal goes.
    ///
    /// The figures are exact, since products have 128 bits. Only a sum beyond 64 bits, for which it
    /// takes thousands of the largest amounts, stays at the end of what ``Money`` holds.
    ///
    /// - Parameters:
    ///   - goal: The goal with its saved amount.
    ///   - totals: All transactions of the goal, in any order. A total of more than a day may stand
    ///     only for a month for which ``StatisticsFilter/needsDays(in:)`` is false.
    ///   - recent: What the pace follows from.
    ///   - query: The day and the filter.
    public init(
        of goal: Goal,
        totals: [TransactionTotal],
        recent: RecentSaving,
        query: StatisticsQuery
    ) {
        let ledger = LedgerSummary(of: totals, filter: query.filter)
        let pace = Pace(of: recent, asOf: query.asOf)
        let remaining = goal.remainingAmount
        let days = goal.plannedCompletionDate.map { query.asOf.days(until: $0) }
        let required = Goals.requiredMonthlySaving(for: remaining, in: days)
        let projected = pace.day(ofSaving: remaining, after: query.asOf)

        goalID = goal.id
        revision = goal.revision
        asOf = query.asOf
        timeZone = query.timeZone
        currency = goal.currency

        targetAmount = goal.targetAmount
        savedAmount = goal.savedAmount
        remainingAmount = remaining
        progress = goal.targetAmount.map { Progress(saved: goal.savedAmount, target: $0) }
        daysUntilCompletion = days
        requiredMonthlySaving = required
        averageMonthlySaving = pace.monthlySaving
        projectedCompletionDate = projected
        outlook = Outlook(
            remaining: remaining,
            days: days,
            daysProjected: projected.map { query.asOf.days(until: $0) }
        )

        transactionCount = ledger.shown.count
        incomeCount = ledger.shown.incomeCount
        expenseCount = ledger.shown.expenseCount
        incomeTotal = Money(clamping: ledger.shown.income)
        expenseTotal = Money(clamping: ledger.shown.expense)
        maxExpenseAmount = ledger.shown.largestExpense

        series = monthlySeries(of: ledger, startingAmount: goal.startingAmount, query: query)
        categories = categoryTotals(ledger.categories)
        projection = instalments(
            of: required,
            until: days,
            asOf: query.asOf,
            remaining: remaining,
            saved: goal.savedAmount
        )
    }
}
