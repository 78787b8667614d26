/// How saving for a goal goes, as of a day: a snapshot.
///
/// Every figure follows from the goal, its transactions and the query, and from nothing else: no
/// clock is read and no store is asked. The same input gives the same snapshot for ever.
///
/// The query's filter decides which transactions are *shown*: it acts on the counts and totals, on
/// the income and expense of ``series``, and on ``categories``. All other figures are facts that no
/// filter changes.
public struct GoalStatistics: Hashable, Sendable {
    public let goalID: Goal.ID

    /// The revision of the goal that the snapshot is of.
    public let revision: Int

    public let asOf: CalendarDay
    public let timeZone: String
    public let currency: Currency
    public let targetAmount: Money?

    /// The starting amount and all income, less all expenses, whatever their date.
    public let savedAmount: Money

    /// What is still to be saved: negative beyond the target, `nil` without one.
    public let remainingAmount: Money?

    /// The share of the target that is saved; `nil` without one.
    public let progress: Progress?

    /// The days to the planned date, negative when it is past; `nil` if there is none.
    public let daysUntilCompletion: Int?

    /// What must be saved in 30 days, again and again, to reach the target by the planned date.
    ///
    /// `nil` without a target or a date; zero if nothing remains or the date is past. Rounded up, and
    /// never more than what remains.
    public let requiredMonthlySaving: Money?

    public let outlook: Outlook

    /// What was saved in 30 days, on average of late, rounded down.
    public let averageMonthlySaving: Money

    /// The day on which the target is reached if saving goes on at its pace.
    ///
    /// `nil` if there is no target, nothing remains, the pace leads nowhere, or the day would be
    /// after the last that there is.
    public let projectedCompletionDate: CalendarDay?

    public let transactionCount: Int
    public let incomeCount: Int
    public let expenseCount: Int
    public let incomeTotal: Money
    public let expenseTotal: Money
    public let maxExpenseAmount: Money

    /// The months from the first transaction on, without holes, the earliest first.
    public let series: [Month]

    /// The categories shown, those with the greatest expenses first.
    public let categories: [CategoryTotal]

    /// The instalments that reach the target by the planned date, the earliest first.
    public let projection: [Instalment]
}

extension GoalStatistics {
    public enum Outlook: String, CaseIterable, Hashable, Sendable {
        /// There is no target.
        case openEnded
        /// Nothing remains to be saved.
        case reached
        /// There is no planned date.
        case unscheduled
        /// The planned date is past.
        case overdue
        /// At its pace, saving is done by the planned date.
        case onTrack
        case behind
    }

    /// A calendar month.
    public struct Month: Hashable, Sendable {
        public let month: CalendarMonth
        public let income: Money
        public let expense: Money

        /// What was saved at the end of the month, whatever the filter.
        public let balance: Money

        public init(month: CalendarMonth, income: Money, expense: Money, balance: Money) {
            self.month = month
            self.income = income
            self.expense = expense
            self.balance = balance
        }
    }

    /// The transactions of one category, or of none.
    public struct CategoryTotal: Hashable, Sendable {
        public let category: Category?
        public let income: Money
        public let expense: Money
        public let count: Int

        public init(category: Category?, income: Money, expense: Money, count: Int) {
            self.category = category
            self.income = income
            self.expense = expense
            self.count = count
        }
    }

    /// What is to be saved by a day, and how much is saved then.
    public struct Instalment: Hashable, Sendable {
        public let date: CalendarDay
        public let saving: Money
        public let balance: Money

        public init(date: CalendarDay, saving: Money, balance: Money) {
            self.date = date
            self.saving = saving
            self.balance = balance
        }
    }
}
