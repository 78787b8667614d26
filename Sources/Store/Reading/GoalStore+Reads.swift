public import Goals
internal import SQLite

// Reads that take microseconds. Each sees the store as of one moment.

extension GoalStore {
    public func goal(_ id: Goal.ID, of account: AccountID) throws -> Lookup<Goal> {
        // One look finds a goal that is there, and is a moment of its own. One that is not there never
        // was or is gone for ever: both looks may then be of different moments.
        try read { try $0.storedGoal(id, of: account).map(\.value) }
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

    /// A page of an account's goals.
    ///
    /// Takes long if the query is not bounded, and then belongs ``inBackground(_:)``.
    public func goals(_ query: GoalQuery, of account: AccountID) throws -> Page<Goal> {
        try read { try $0.goals(query, of: account) }
    }

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
    /// Reads the totals of the months, and the transactions of the few months that the query needs by
    /// the day: if these may be ten thousand or more, it belongs ``inBackground(_:)``.
    public func ledger(
        of goal: Goal.ID,
        for query: StatisticsQuery,
        of account: AccountID
    ) throws -> Lookup<Ledger> {
        try read { database in
            try database.snapshot {
                try database.storedGoal(goal, of: account).map { stored in
                    Ledger(
                        goal: stored.value,
                        totals: try database.totals(of: goal, for: query, of: account)
                    )
                }
            }
        }
    }
}
