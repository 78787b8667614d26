public import Goals

/// A thing as a change has left it.
public enum RecordedChange: Hashable, Sendable {
    case goal(Goal)
    case transaction(Transaction, Currency)

    /// A goal is gone, with all of its transactions, of which none is told apart.
    case goalDeleted(Goal.ID, revision: Int)
    case transactionDeleted(Transaction.ID, in: Goal.ID, revision: Int)
}

/// A place in the order of an account's changes.
public struct ChangePosition: Hashable, Sendable {
    /// Which order: a number means nothing in another one, such as that of an older backup.
    public let history: Int64

    /// The number of the last change before this place.
    public let number: Int64

    /// The number that the latest change had when the client began to read from the start.
    ///
    /// Of what was deleted before, the client never knew; so it may be forgotten.
    public let start: Int64

    public init(history: Int64, number: Int64, start: Int64) {
        self.history = history
        self.number = number
        self.start = start
    }
}

/// Some changes in their order, each thing once and as it is now.
public struct ChangePage: Hashable, Sendable {
    public let changes: [Entry]

    /// Where to go on.
    public let next: ChangePosition

    /// Whether there is more already.
    public let hasMore: Bool

    public struct Entry: Hashable, Sendable {
        public let change: RecordedChange

        /// The place right after it.
        public let position: ChangePosition
    }
}
