public import Goals

/// Which transactions of a goal to list, in which order, and how many of them.
public struct TransactionQuery: Hashable, Sendable {
    public var type: Transaction.Kind?
    public var category: CategoryCondition?

    /// The first day, inclusive.
    public var from: CalendarDay?

    /// The last day, inclusive.
    public var to: CalendarDay?

    /// Transactions whose note or category contains this text, as it was typed.
    public var search: String?

    public var sort: TransactionSort

    /// How many at most; 1 or more.
    public var limit: Int

    /// Only transactions after this place in the same order.
    public var after: Position?

    public init(
        type: Transaction.Kind? = nil,
        category: CategoryCondition? = nil,
        from: CalendarDay? = nil,
        to: CalendarDay? = nil,
        search: String? = nil,
        sort: TransactionSort = TransactionSort(.date, descending: true),
        limit: Int = 50,
        after: Position? = nil
    ) {
        self.type = type
        self.category = category
        self.from = from
        self.to = to
        self.search = search
        self.sort = sort
        self.limit = limit
        self.after = after
    }

    /// Whether an index leads to the page, so that it takes microseconds however long the ledger is.
    ///
    /// Others look at transactions that they do not list, and belong into the background.
    public var isBounded: Bool {
        guard type == nil, category == nil, SearchTerm(search) == nil else { return false }
        return sort.field == .date || (from == nil && to == nil)
    }
}

/// An order of transactions.
///
/// Transactions of equal keys are in the order of their identifiers.
public struct TransactionSort: Hashable, Sendable {
    public let field: Field
    public let descending: Bool

    public init(_ field: Field, descending: Bool = false) {
        self.field = field
        self.descending = descending
    }

    public enum Field: String, CaseIterable, Sendable {
        case date
        case amount
        case createdAt
    }
}
