/// Something a person saves for, and how much is saved.
///
/// How saving goes is not the goal's to say: that is what ``GoalStatistics`` are for.
public struct Goal: Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<Goal>

    public let id: ID
    public let title: Title
    public let note: Note
    public let currency: Currency

    /// The amount to be saved, more than nothing; `nil` if the goal is open-ended.
    public let targetAmount: Money?

    /// What was saved before the first transaction.
    public let startingAmount: Money

    public let plannedCompletionDate: CalendarDay?
    public let status: Status

    /// When the goal was completed; `nil` unless it is.
    public let completedAt: Moment?

    /// The starting amount and all income, less all expenses, whatever their date.
    public let savedAmount: Money

    public let transactionCount: Int

    /// 1 at first, and one more with each change to the goal or its transactions.
    public let revision: Int

    public let createdAt: Moment

    /// When the goal or one of its transactions last changed; never goes back.
    public let updatedAt: Moment

    public init(
        id: ID,
        title: Title,
        note: Note,
        currency: Currency,
        targetAmount: Money?,
        startingAmount: Money,
        plannedCompletionDate: CalendarDay?,
        status: Status,
        completedAt: Moment?,
        savedAmount: Money,
        transactionCount: Int,
        revision: Int,
        createdAt: Moment,
        updatedAt: Moment
    ) {
        self.id = id
        self.title = title
        self.note = note
        self.currency = currency
        self.targetAmount = targetAmount
        self.startingAmount = startingAmount
        self.plannedCompletionDate = plannedCompletionDate
        self.status = status
        self.completedAt = completedAt
        self.savedAmount = savedAmount
        self.transactionCount = transactionCount
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension Goal {
    /// What is still to be saved: negative beyond the target, `nil` without one.
    public var remainingAmount: Money? {
        targetAmount.map { $0 - savedAmount }
    }

    public enum Status: String, CaseIterable, Hashable, Sendable {
        case active
        case paused
        case completed
        case archived

        /// The other statuses that a goal of this status may be given.
        public var allowedMoves: [Status] {
            switch self {
            case .active: [.paused, .completed, .archived]
            case .paused: [.active, .completed, .archived]
            case .completed: [.active, .archived]
            case .archived: [.active]
            }
        }
    }
}
