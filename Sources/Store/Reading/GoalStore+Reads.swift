public import Goals
internal import SQLite

// Reads that take microseconds. Each sees the store as of one moment.

extension GoalStore {
    public func goal(_ id: Goal.ID, of account: AccountID) throws -> Lookup<Goal> {
        // One look finds a goal that is there, and is a moment of its own. One that is not there never
        // was or is gone for ever: both looks may then be of different moments.
        try read { try $0.storedGoal(id, of: account).map(\.value) }
    }

    /// The currency of a goal, which never changes.
    public func currency(of goal: Goal.ID, of account: AccountID) throws -> Lookup<Currency> {
        try read { try $0.currency(of: goal, of: account) }
    }

    /// A transaction of a goal; deleted, if the goal is.
    public func transaction(
        _ id: Transaction.ID,
        in goal: Goal.ID,
        of account: AccountID
    ) throws -> Lookup<Transaction> {
        try read { database in
            try database.snapshot {
                switch try database.existence(of: goal, of: account) {
                case .found: try database.storedTransaction(id, in: goal, of: account).map(\.value)
                case .deleted: .deleted
                case .absent: .absent
                }
            }
        }
    }

    /// A page of an account's goals, as the bytes that are made of them.
    ///
    /// Takes long if the query is not bounded, and then belongs ``inBackground(_:)``.
    public func goals(
        _ query: GoalQuery,
        of account: AccountID,
        item: ItemMaker
    ) throws -> Page<[UInt8]> {
        try read { try $0.goals(query, of: account, item: item) }
    }

    /// Makes the bytes that a list has of a goal, or remembers them from an earlier list.
    ///
    /// It is told which goal it is, and the number of its last change in the order of the account's,
    /// which is all that remembering takes: no two changes ever have the same. And it can read the goal.
    public typealias ItemMaker =
        @Sendable (
            _ id: Goal.ID,
            _ change: Int,
            _ goal: () throws -> Goal
        ) throws -> ListedGoal

    /// A page of a goal's transactions.
    ///
    /// Takes long if the query is not bounded, and then belongs ``inBackground(_:)``.
    public func transactions(
        _ query: TransactionQuery,
        in goal: Goal.ID,
        of account: AccountID
    ) throws -> Lookup<Page<Transaction>> {
        try read { database in
            try database.snapshot {
                try database.existence(of: goal, of: account).map {
                    try database.transactions(query, in: goal, of: account)
                }
            }
        }
    }

    /// A goal and the totals that a report of it is calculated from, of one moment.
    ///
    /// Reads the totals of the months, and the transactions of the months that the filter cuts: if these
    /// may be ten thousand or more, it belongs ``inBackground(_:)``.
    ///
    /// - Throws: ``LongHistory`` if there are more than `most` of the one or may be of the other.
    public func ledger(
        of goal: Goal.ID,
        for query: StatisticsQuery,
        of account: AccountID,
        upTo most: Int = .max
    ) throws -> Lookup<Ledger> {
        try read { database in
            try database.snapshot {
                try database.storedGoal(goal, of: account).map { stored in
                    try database.ledger(of: stored.value, for: query, of: account, upTo: most)
                }
            }
        }
    }
}
