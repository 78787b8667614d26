public import Goals
internal import SQLite

// Reads that take microseconds. Each sees the store as of one moment.

extension GoalStore {
    public func goal(_ id: Goal.ID, of account: AccountID) throws -> Lookup<Goal> {
        try read { database in
            try database.snapshot { try database.storedGoal(id, of: account).map(\.value) }
        }
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
    /// Reads every transaction of the goal: beyond ten thousand or so it belongs
    /// ``inBackground(_:)``.
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
                        totals: try database.totals(of: goal, of: account)
                    )
                }
            }
        }
    }
}

extension Database {
    /// The totals of a goal's transactions by day, type and category.
    ///
    /// The sum is taken of the amounts' high and low 32 bits apart: a sum of whole amounts could
    /// leave 64 bits, which SQLite answers with an error.
    fileprivate func totals(of goal: Goal.ID, of account: AccountID) throws -> [TransactionTotal] {
        try rows(
            """
            SELECT day, type, category, count(*), sum(amount >> 32), sum(amount & 4294967295),
                max(amount)
            FROM transactions
            WHERE account = ? AND goal = ?
            GROUP BY day, type, category
            """,
            account.rawValue,
            goal.stored
        ) { row in try TransactionTotal(row, in: goal) }
    }
}
