public import Goals

/// Which goals to list, in which order, and how many of them.
public struct GoalQuery: Hashable, Sendable {
    /// Goals in one of these; in any, if there are none.
    public var statuses: Set<Goal.Status>

    /// Goals whose title or note contains this text, as it was typed.
    public var search: String?

    public var currency: Currency?
    public var sort: GoalSort

    /// How many at most; 1 or more.
    public var limit: Int

    /// Only goals after this place in the same order.
    public var after: Position?

    public init(
        statuses: Set<Goal.Status> = [],
        search: String? = nil,
        currency: Currency? = nil,
        sort: GoalSort = GoalSort(.updatedAt, descending: true),
        limit: Int = 50,
        after: Position? = nil
    ) {
        self.statuses = statuses
        self.search = search
        self.currency = currency
        self.sort = sort
        self.limit = limit
        self.after = after
    }

    /// Whether an index leads to the page, so that it takes microseconds however many goals there are.
    ///
    /// Others look at goals that they do not list, and belong into the background.
    public var isBounded: Bool {
        statuses.isEmpty && SearchTerm(search) == nil && currency == nil
    }
}

/// An order of goals.
///
/// Goals of equal keys are in the order of their identifiers.
public struct GoalSort: Hashable, Sendable {
    public let field: Field
    public let descending: Bool

    public init(_ field: Field, descending: Bool = false) {
        self.field = field
        self.descending = descending
    }

    public enum Field: String, CaseIterable, Sendable {
        case updatedAt
        case createdAt

        /// Regardless of case and accents.
        case title

        /// Goals without one are last in both directions.
        case plannedCompletionDate
    }
}
