public import Goals

/// What is known of an identifier.
public enum Lookup<Value> {
    case found(Value)

    /// It named something once. That is remembered for as long as deletions are kept.
    case deleted

    /// It has never named anything.
    case absent

    /// The value with another in its place, if there is one.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Lookup<Other> {
        switch self {
        case .found(let value): .found(try transform(value))
        case .deleted: .deleted
        case .absent: .absent
        }
    }
}

extension Lookup: Sendable where Value: Sendable {}
extension Lookup: Equatable where Value: Equatable {}

/// Says that there is more to read of a goal than was to be read.
public struct LongHistory: Error {}

/// A goal and its history, of one moment.
public struct Ledger: Hashable, Sendable {
    public let goal: Goal

    /// The totals of its transactions by type and category, of months and of days, in no order.
    public let totals: [TransactionTotal]

    /// What the pace of saving follows from.
    public let recent: RecentSaving
}
