internal import Goals
internal import SQLite

// The totals of the months follow every change of a transaction, within the same transaction of the
// database. See `Schema` for their rows.

extension PendingFacts {
    /// Adds a transaction, which is there already, to the totals of its month.
    func addToTotals(_ transaction: Transaction, of account: AccountID) throws {
        let month = TotalsKey(of: transaction, account)
        var totals = try self.totals(month) ?? MonthTotals()
        totals.addToDay(transaction)
        if let others = try self.others(with: transaction, beside: totals, month) {
            set(others, month.with(transaction.category))
        } else {
            totals.addToCategory(transaction)
        }
        set(totals, month)
    }

    /// The row of a transaction's category with the transaction, unless it belongs into that of the month.
    private func others(
        with transaction: Transaction,
        beside totals: MonthTotals,
        _ month: TotalsKey
    ) throws -> MonthTotals? {
        guard let category = transaction.category, totals.index(of: category) == nil else {
            return nil
        }
        var others = try self.totals(month.with(category))
        if others == nil, !totals.hasRoom(for: category) { others = MonthTotals() }
        others?.addToCategory(transaction)
        return others
    }

    /// Takes a transaction, which is gone already, out of the totals of its month.
    ///
    /// If it was the only one of the largest amount, the next is looked for among the transactions of the
    /// month, which takes the longer the more there are.
    func takeFromTotals(_ transaction: Transaction, of account: AccountID) throws {
        let month = TotalsKey(of: transaction, account)
        do {
            var totals = try self.totals(month) ?? MonthTotals()
            try totals.takeFromDay(transaction)
            if totals.index(of: transaction.category) != nil {
                try take(transaction, from: &totals, of: account)
            } else {
                let key = month.with(transaction.category)
                guard var others = try self.totals(key) else { throw MonthTotals.Missing() }
                try take(transaction, from: &others, of: account)
                set(others, key)
            }
            set(totals, month)
        } catch is MonthTotals.Missing {
            throw DamagedRow(
                description: "The totals of goal \(month.goal) for \(month.month) in the data file "
                    + "lack transaction \(transaction.id)."
            )
        }
    }

    private func take(
        _ transaction: Transaction,
        from totals: inout MonthTotals,
        of account: AccountID
    ) throws {
        try totals.takeFromCategory(transaction) {
            try database.largestAmount(like: transaction, of: account)
        }
    }
}

extension Database {
    /// The largest amount in the month, type and category of a transaction, which had it.
    fileprivate func largestAmount(
        like transaction: Transaction,
        of account: AccountID
    ) throws -> Money {
        let month = transaction.date.month
        let isStillThere = try row(
            """
            SELECT 1
            FROM transactions INDEXED BY transactions_by_amount
            WHERE account = ? AND goal = ? AND amount = ? AND day BETWEEN ? AND ? AND type = ?
                AND category IS ?
            LIMIT 1
            """,
            account.rawValue,
            transaction.goalID.stored,
            transaction.amount.minorUnits,
            month.firstDay.stored,
            month.lastDay.stored,
            transaction.type.rawValue,
            transaction.category?.text
        ) { _ in true }
        if isStillThere != nil { return transaction.amount }
        let largest = try row(
            """
            SELECT ifnull(max(amount), 0)
            FROM transactions INDEXED BY transactions_by_day
            WHERE account = ? AND goal = ? AND day BETWEEN ? AND ? AND type = ? AND category IS ?
            """,
            account.rawValue,
            transaction.goalID.stored,
            month.firstDay.stored,
            month.lastDay.stored,
            transaction.type.rawValue,
            transaction.category?.text
        ) { row in Money(minorUnits: try row[0]) }
        return largest ?? .zero
    }
}

// MARK: - All at once

extension Database {
    /// The totals of a goal as they are stored, those of each month together.
    func storedTotals(
        of goal: Goal.ID,
        of account: AccountID
    ) throws -> [CalendarMonth: MonthTotals] {
        var totals: [CalendarMonth: MonthTotals] = [:]
        try forEachRow(
            "SELECT month, totals FROM monthly_totals WHERE account = ? AND goal = ?",
            account.rawValue,
            goal.stored
        ) { row in
            let month = try CalendarMonth(storedIn: row, in: goal)
            totals[month, default: MonthTotals()].join(try MonthTotals(row, of: month, in: goal))
        }
        return totals
    }

    /// Calculates the totals of a goal from its transactions.
    func calculatedTotals(
        of goal: Goal.ID,
        of account: AccountID
    ) throws -> [CalendarMonth: MonthTotals] {
        var totals: [CalendarMonth: MonthTotals] = [:]
        try forEachRow(
            """
            SELECT id, type, amount, day, category, note, revision, created_at, updated_at
            FROM transactions
            WHERE account = ? AND goal = ?
            """,
            account.rawValue,
            goal.stored
        ) { row in
            let transaction = try Transaction(row, in: goal)
            totals[transaction.date.month, default: MonthTotals()].add(transaction)
        }
        return totals
    }

    /// Writes the totals of all goals, of which there are none yet.
    ///
    /// Takes memory for those of one goal at a time.
    func writeAllTotals() throws {
        try forEachRow("SELECT account, id FROM goals") { row in
            let account = AccountID(rawValue: try row[0])
            let goal = Goal.ID(stored: try row[1])
            for (month, totals) in try calculatedTotals(of: goal, of: account) {
                let key = TotalsKey(account: account, goal: goal, month: month)
                let rows = totals.split()
                try write(rows.month, key)
                for totals in rows.categories {
                    try write(
                        MonthTotals(days: [], categories: [totals]),
                        key.with(totals.category)
                    )
                }
            }
        }
    }
}

// MARK: - Rows

/// Which row of the totals is meant.
struct TotalsKey: Hashable {
    let account: AccountID
    let goal: Goal.ID
    let month: CalendarMonth

    /// The category that has a row of its own; empty in the row of the month.
    var category = ""

    init(account: AccountID, goal: Goal.ID, month: CalendarMonth) {
        self.account = account
        self.goal = goal
        self.month = month
    }

    init(of transaction: Transaction, _ account: AccountID) {
        self.init(account: account, goal: transaction.goalID, month: transaction.date.month)
    }

    func with(_ category: Category?) -> TotalsKey {
        var key = self
        key.category = category?.text ?? ""
        return key
    }
}

extension Database {
    func totals(_ key: TotalsKey) throws -> MonthTotals? {
        try row(
            """
            SELECT month, totals
            FROM monthly_totals
            WHERE account = ? AND goal = ? AND month = ? AND category = ?
            """,
            key.account.rawValue,
            key.goal.stored,
            key.month.monthsSinceYearZero,
            key.category
        ) { row in try MonthTotals(row, of: key.month, in: key.goal) }
    }

    /// Writes a row, or deletes it if nothing is left of it.
    func write(_ totals: MonthTotals, _ key: TotalsKey) throws {
        guard totals != MonthTotals() else {
            try run(
                """
                DELETE FROM monthly_totals
                WHERE account = ? AND goal = ? AND month = ? AND category = ?
                """,
                key.account.rawValue,
                key.goal.stored,
                key.month.monthsSinceYearZero,
                key.category
            )
            return
        }
        try run(
            """
            INSERT INTO monthly_totals (account, goal, month, category, totals)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET totals = excluded.totals
            """,
            key.account.rawValue,
            key.goal.stored,
            key.month.monthsSinceYearZero,
            key.category,
            totals.bytes
        )
    }
}
