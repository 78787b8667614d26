internal import Goals
internal import SQLite

/// What commands have changed, and what is written once for them all, before the commit: the numbers of
/// accounts, the facts that a goal derives from its transactions, and the totals of its months.
///
/// Every recorded transaction changes all three, and commands that share a commit are often about one
/// account, and about one goal. Whoever reads such a thing in the writer's transaction asks here, and
/// whoever writes or deletes its row in another way has what is pending written before. What is not written
/// yet is lost with the transaction of the database, and must be, as its other rows are.
final class PendingFacts {
    let database: Database
    private var accounts: [AccountID: AccountNumbers] = [:]
    private var goals: [GoalKey: PendingGoal] = [:]
    private var totals: [TotalsKey: MonthTotals] = [:]

    /// The groups of each month of which the largest amount has left, and the next is not found yet.
    private var unknownLargest: [TotalsKey: Set<MonthTotals.Group>] = [:]

    private struct PendingGoal {
        let stored: Stored<Goal>

        /// The place of its last change in the order of the account's.
        let number: Int64
    }

    init(on database: Database) {
        self.database = database
    }

    /// The numbers of an account, as the commands so far have left them.
    ///
    /// - Throws: ``StoreError/accountAbsent``.
    func numbers(of account: AccountID) throws -> AccountNumbers {
        if let numbers = accounts[account] { return numbers }
        guard let numbers = try database.numbers(of: account) else {
            throw StoreError.accountAbsent
        }
        return numbers
    }

    /// Notes the numbers that an account has now.
    func set(_ numbers: AccountNumbers, of account: AccountID) {
        accounts[account] = numbers
    }

    /// A goal, as the commands so far have left it.
    func storedGoal(_ id: Goal.ID, of account: AccountID) throws -> Lookup<Stored<Goal>> {
        if let pending = goals[GoalKey(account: account, goal: id)] {
            return .found(pending.stored)
        }
        return try database.storedGoal(id, of: account)
    }

    /// Notes a goal of which its transactions have changed something.
    func set(_ goal: Stored<Goal>, number: Int64, of account: AccountID) {
        goals[GoalKey(account: account, goal: goal.value.id)] = PendingGoal(
            stored: goal,
            number: number
        )
    }

    /// A row of the totals, as the commands so far have left it; `nil` if there is none.
    func totals(_ key: TotalsKey) throws -> MonthTotals? {
        if let pending = totals[key] { return pending == MonthTotals() ? nil : pending }
        return try database.totals(key)
    }

    /// Notes what a row of the totals has now; it goes if that is nothing.
    func set(_ totals: MonthTotals, _ key: TotalsKey) {
        self.totals[key] = totals
    }

    /// Notes that the largest amount of a group is to be found before the totals of the month are written.
    func setLargestUnknown(of group: MonthTotals.Group, in month: TotalsKey) {
        unknownLargest[month, default: []].insert(group)
    }

    /// Writes all that is pending.
    func write() throws {
        for (month, groups) in unknownLargest {
            try findLargest(of: groups, in: month)
        }
        for (key, totals) in totals {
            try database.write(totals, key)
        }
        for key in goals.keys {
            try writeGoal(key)
        }
        for (account, numbers) in accounts {
            try database.update(numbers, of: account)
        }
        dropAll()
    }

    /// Writes what is pending of a goal, for whoever goes on with its row.
    func writeGoal(_ id: Goal.ID, of account: AccountID) throws {
        let key = GoalKey(account: account, goal: id)
        try writeGoal(key)
        goals[key] = nil
    }

    private func writeGoal(_ key: GoalKey) throws {
        guard let goal = goals[key] else { return }
        try database.updateLedgerFacts(
            of: goal.stored.value,
            number: goal.number,
            of: key.account
        )
    }

    /// Drops what is pending of a goal and of its months, since all of it is deleted.
    func dropGoal(_ id: Goal.ID, of account: AccountID) {
        goals[GoalKey(account: account, goal: id)] = nil
        for key in totals.keys where key.goal == id && key.account == account {
            totals[key] = nil
            unknownLargest[key] = nil
        }
    }

    /// Drops all that is pending: it is written, or the commands that it is of are undone.
    func dropAll() {
        accounts.removeAll(keepingCapacity: true)
        goals.removeAll(keepingCapacity: true)
        totals.removeAll(keepingCapacity: true)
        unknownLargest.removeAll(keepingCapacity: true)
    }
}

/// The numbers that an account counts.
struct AccountNumbers {
    /// The place of the last change in the order of the account's.
    var sequence: Int64
    var goals: Int
    var transactions: Int
}

// MARK: - Statements

extension Database {
    fileprivate func numbers(of account: AccountID) throws -> AccountNumbers? {
        try row(
            "SELECT sequence, goals, transactions FROM accounts WHERE id = ?",
            account.rawValue
        ) { row in
            AccountNumbers(sequence: try row[0], goals: try row[1], transactions: try row[2])
        }
    }

    fileprivate func update(_ numbers: AccountNumbers, of account: AccountID) throws {
        try run(
            "UPDATE accounts SET sequence = ?2, goals = ?3, transactions = ?4 WHERE id = ?1",
            account.rawValue,
            numbers.sequence,
            numbers.goals,
            numbers.transactions
        )
    }

    /// Writes what a change to its transactions has changed about a goal.
    fileprivate func updateLedgerFacts(
        of goal: Goal,
        number: Int64,
        of account: AccountID
    ) throws {
        try run(
            """
            UPDATE goals
            SET revision = ?3, updated_at = ?4, saved_amount = ?5, transaction_count = ?6,
                sequence = ?7
            WHERE account = ?1 AND id = ?2
            """,
            account.rawValue,
            goal.id.stored,
            goal.revision,
            goal.updatedAt.millisecondsSinceEpoch,
            goal.savedAmount.minorUnits,
            goal.transactionCount,
            number
        )
    }
}
