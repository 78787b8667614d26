/// Money that was put aside for a goal, or taken from what was saved.
public struct Transaction: Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<Transaction>

    public let id: ID
    public let goalID: Goal.ID
    public let type: Kind

    /// How much it was, more than nothing whichever way it went.
    public let amount: Money

    public let date: CalendarDay
    public let category: Category?
    public let note: Note

    /// 1 at first, and one more with each change.
    public let revision: Int

    public let createdAt: Moment

    /// When it last changed; never goes back.
    public let updatedAt: Moment

    public init(
        id: ID,
        goalID: Goal.ID,
        type: Kind,
        amount: Money,
        date: CalendarDay,
        category: Category?,
        note: Note,
        revision: Int,
        createdAt: Moment,
        updatedAt: Moment
    ) {
        self.id = id
        self.goalID = goalID
        self.type = type
        self.amount = amount
        self.date = date
        self.category = category
        self.note = note
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension Transaction {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Adds to what is saved.
        case income
        /// Takes from it.
        case expense
    }

    /// What the transaction adds to the saved amount: negative for an expense.
    public var effect: Money {
        switch type {
        case .income: amount
        case .expense: .zero - amount
        }
    }
}
