internal import Goals
internal import SQLite

/// A value and the fingerprint of what it was created from.
struct Stored<Value> {
    let value: Value
    let creation: Int64

    /// The same thing after a change.
    func with(_ changed: Value) -> Stored {
        Stored(value: changed, creation: creation)
    }
}

// Lookups ask for the thing first, and for its tombstone only if it is not there.

extension Database {
    func storedGoal(_ id: Goal.ID, of account: AccountID) throws -> Lookup<Stored<Goal>> {
        let goal = try row(
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                creation
            FROM goals
            WHERE account = ? AND id = ?
            """,
            account.rawValue,
            id.stored
        ) { row in Stored(value: try Goal(row), creation: try row[14]) }
        if let goal { return .found(goal) }
        return try hasTombstone(id, of: account) ? .deleted : .absent
    }

    /// A transaction of a goal that is there.
    func storedTransaction(
        _ id: Transaction.ID,
        in goal: Goal.ID,
        of account: AccountID
    ) throws -> Lookup<Stored<Transaction>> {
        let transaction = try row(
            """
            SELECT id, type, amount, day, category, note, revision, created_at, updated_at, creation
            FROM transactions
            WHERE account = ? AND goal = ? AND id = ?
            """,
            account.rawValue,
            goal.stored,
            id.stored
        ) { row in Stored(value: try Transaction(row, in: goal), creation: try row[9]) }
        if let transaction { return .found(transaction) }
        return try hasTombstone(id, in: goal, of: account) ? .deleted : .absent
    }

    /// The currency of a goal, without reading the rest of it.
    func currency(of goal: Goal.ID, of account: AccountID) throws -> Lookup<Currency> {
        let currency = try row(
            "SELECT currency FROM goals WHERE account = ? AND id = ?",
            account.rawValue,
            goal.stored
        ) { row in try Currency(ofGoal: goal, in: row) }
        if let currency { return .found(currency) }
        return try hasTombstone(goal, of: account) ? .deleted : .absent
    }

    /// Whether there is a goal, without reading it.
    func existence(of goal: Goal.ID, of account: AccountID) throws -> Lookup<Void> {
        let found: Void? = try row(
            "SELECT 1 FROM goals WHERE account = ? AND id = ?",
            account.rawValue,
            goal.stored
        ) { _ in }
        if found != nil { return .found(()) }
        return try hasTombstone(goal, of: account) ? .deleted : .absent
    }

    private func hasTombstone(_ goal: Goal.ID, of account: AccountID) throws -> Bool {
        try row(
            "SELECT 1 FROM tombstones WHERE account = ? AND goal = ? AND entry = x''",
            account.rawValue,
            goal.stored
        ) { _ in true } ?? false
    }

    private func hasTombstone(
        _ transaction: Transaction.ID,
        in goal: Goal.ID,
        of account: AccountID
    ) throws -> Bool {
        try row(
            "SELECT 1 FROM tombstones WHERE account = ? AND goal = ? AND entry = ?",
            account.rawValue,
            goal.stored,
            transaction.stored
        ) { _ in true } ?? false
    }

    /// The date of the newest change that is there to be seen; the epoch if there is none.
    func latestMoment() throws -> Moment {
        // One look into the index for each account.
        let latest = try rows(
            """
            SELECT (SELECT max(updated_at) FROM goals WHERE account = accounts.id)
            FROM accounts
            """
        ) { row in try row[0] as Int64? }
        return Moment(millisecondsSinceEpoch: latest.compactMap(\.self).max() ?? 0)
    }
}
