/// What becomes of one property: it keeps its value, or is set to another.
///
/// Two levels are needed because clearing is a change, too: `.set(nil)` of an optional property.
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case set(Value)

    /// What the property's value is after the change.
    public func applied(to value: Value) -> Value {
        switch self {
        case .keep: value
        case .set(let new): new
        }
    }
}

/// What is to change about a goal; amounts are within the bounds that ``NewGoal`` names.
public struct GoalChanges: Hashable, Sendable {
    public var title: Change<Title>
    public var note: Change<Note>
    public var targetAmount: Change<Money?>
    public var startingAmount: Change<Money>
    public var plannedCompletionDate: Change<CalendarDay?>
    public var status: Change<Goal.Status>

    public init(
        title: Change<Title> = .keep,
        note: Change<Note> = .keep,
        targetAmount: Change<Money?> = .keep,
        startingAmount: Change<Money> = .keep,
        plannedCompletionDate: Change<CalendarDay?> = .keep,
        status: Change<Goal.Status> = .keep
    ) {
        self.title = title
        self.note = note
        self.targetAmount = targetAmount
        self.startingAmount = startingAmount
        self.plannedCompletionDate = plannedCompletionDate
        self.status = status
    }
}

/// What is to change about a transaction; its amount is within the bounds of ``NewTransaction``.
public struct TransactionChanges: Hashable, Sendable {
    public var type: Change<Transaction.Kind>
    public var amount: Change<Money>
    public var date: Change<CalendarDay>
    public var category: Change<Category?>
    public var note: Change<Note>

    public init(
        type: Change<Transaction.Kind> = .keep,
        amount: Change<Money> = .keep,
        date: Change<CalendarDay> = .keep,
        category: Change<Category?> = .keep,
        note: Change<Note> = .keep
    ) {
        self.type = type
        self.amount = amount
        self.date = date
        self.category = category
        self.note = note
    }
}
