/// What a caller wants to know about a goal: as of which day, and which transactions to show.
public struct StatisticsQuery: Hashable, Sendable {
    public let asOf: CalendarDay

    /// The name of the zone that the day was taken from, which is shown and decides nothing.
    public let timeZone: String

    public let filter: StatisticsFilter

    public init(asOf: CalendarDay, timeZone: String, filter: StatisticsFilter = .init()) {
        self.asOf = asOf
        self.timeZone = timeZone
        self.filter = filter
    }
}

/// Which transactions a report shows.
///
/// What is left out still counts in the facts of the goal.
public struct StatisticsFilter: Hashable, Sendable {
    public var onlyExpenses: Bool

    /// The first day shown.
    public var from: CalendarDay?

    /// The last day shown.
    public var to: CalendarDay?

    public var category: CategoryCondition?

    public init(
        onlyExpenses: Bool = false,
        from: CalendarDay? = nil,
        to: CalendarDay? = nil,
        category: CategoryCondition? = nil
    ) {
        self.onlyExpenses = onlyExpenses
        self.from = from
        self.to = to
        self.category = category
    }
}

/// Which category a transaction must have.
public enum CategoryCondition: Hashable, Sendable {
    /// None at all. Not called `none`, which an optional condition would take for its own.
    case uncategorized
    case equals(Category)
}

extension StatisticsFilter {
    /// Whether the days of a month must be told apart: if `from` or `to` cuts it.
    ///
    /// For all other months the totals of the whole month do.
    public func needsDays(in month: CalendarMonth) -> Bool {
        let (first, last) = (month.firstDay, month.lastDay)
        let isCutByFrom = from.map { first < $0 && $0 <= last } ?? false
        let isCutByTo = to.map { first <= $0 && $0 < last } ?? false
        return isCutByFrom || isCutByTo
    }
}

extension StatisticsFilter {
    /// Whether a report shows what the total is of.
    func shows(_ total: TransactionTotal) -> Bool {
        guard !onlyExpenses || total.type == .expense else { return false }
        if let from, total.days.lowerBound < from { return false }
        if let to, total.days.upperBound > to { return false }
        return switch category {
        case nil: true
        case .uncategorized?: total.category == nil
        case .equals(let category)?: total.category == category
        }
    }
}
