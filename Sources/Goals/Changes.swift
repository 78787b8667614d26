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

    /// The same change of another property, which is made of this one.
    func map<Other>(_ transform: (Value) -> Other) -> Change<Other> {
        switch self {
        case .keep: .keep
        case .set(let new): .set(transform(new))
        }
    }

    /// The new value; `nil` if the property keeps its own.
    public var new: Value? {
        switch self {
        case .keep: nil
        case .set(let new): new
        }
    }
}

/// What is to change about a goal; amounts are within the bounds that ``NewGoal`` names.
public struct GoalChanges: Hashable, Sendable {
    public let title: Change<Title>
    public let note: Change<Note>
    public let targetAmount: Change<Money?>
    public let startingAmount: Change<Money>
    public let plannedCompletionDate: Change<CalendarDay?>
    public let status: Change<Goal.Status>

    /// The title and the note as they are searched, if they change; made here for the reason that
    /// those of ``NewGoal`` are.
    public let titleSearch, noteSearch: Change<String>

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
        titleSearch = title.map { TextFolding.fold($0.text) }
        noteSearch = note.map { TextFolding.fold($0.text) }
    }
}

/// What is to change about a transaction; its amount is within the bounds of ``NewTransaction``.
public struct TransactionChanges: Hashable, Sendable {
    public let type: Change<Transaction.Kind>
    public let amount: Change<Money>
    public let date: Change<CalendarDay>
    public let category: Change<Category?>
    public let note: Change<Note>

    /// The category and the note as they are searched, if they change.
    public let categorySearch: Change<String?>
    public let noteSearch: Change<String>

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
        categorySearch = category.map { ($0?.text).map(TextFolding.fold) }
        noteSearch = note.map { TextFolding.fold($0.text) }
    }
}
