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
    /// If it was the largest, the next is looked for before the commit: that takes the longer the more
    /// transactions the month has, and is done once for however many commands.
    func takeFromTotals(_ transaction: Transaction, of account: AccountID) throws {
        let month = TotalsKey(of: transaction, account)
        do {
            var totals = try self.totals(month) ?? MonthTotals()
            try totals.takeFromDay(transaction)
            let wasLargest: Bool
            if totals.index(of: transaction.category) != nil {
                wasLargest = try totals.takeFromCategory(transaction)
            } else {
                let key = month.with(transaction.category)
                guard var others = try self.totals(key) else { throw MonthTotals.Missing() }
                wasLargest = try others.takeFromCategory(transaction)
                set(others, key)
            }
            set(totals, month)
            if wasLargest { setLargestUnknown(of: MonthTotals.Group(of: transaction), in: month) }
        } catch is MonthTotals.Missing {
            throw DamagedRow(
                description: "The totals of goal \(month.goal) for \(month.month) in the data file "
                    + "lack transaction \(transaction.id)."
            )
        }
    }

    /// Finds the largest amounts of groups of which the largest has left.
    func findLargest(of groups: Set<MonthTotals.Group>, in month: TotalsKey) throws {
        // One may have had an equal, and is found without a look at the month.
        if groups.count == 1, let group = groups.first {
            let key = try key(of: group, in: month)
            guard let amount = try totals(key)?[largestOf: group],
                try !database.hasSoon(amount, of: group, in: month)
            else { return }
        }
        let amounts = try database.largestAmounts(in: month)
        for group in groups {
            let key = try key(of: group, in: month)
            guard var totals = try totals(key), totals[largestOf: group] != nil else { continue }
            totals[largestOf: group] = amounts[group]
            set(totals, key)
        }
    }

    /// The row that has a group, if any has.
    private func key(of group: MonthTotals.Group, in month: TotalsKey) throws -> TotalsKey {
        let isInMonth = try totals(month)?.index(of: group.category) != nil
        return isInMonth ? month : month.with(group.category)
    }
}

extension MonthTotals.Group {
    fileprivate init(of transaction: Transaction) {
        self.init(type: transaction.type, category: transaction.category)
    }
}

extension Database {
    /// Whether a group has a transaction of an amount among the first few that have the amount, of whatever
    /// month.
    fileprivate func hasSoon(
        _ amount: Money,
        of group: MonthTotals.Group,
        in month: TotalsKey
    ) throws -> Bool {
        let found = try row(
            """
            SELECT 1
            FROM (
                SELECT day, type, category
                FROM transactions INDEXED BY transactions_by_amount
                WHERE account = ? AND goal = ? AND amount = ?
                LIMIT 100
            )
            WHERE day BETWEEN ? AND ? AND type = ? AND category IS ?
            LIMIT 1
            """,
            month.account.rawValue,
            month.goal.stored,
            amount.minorUnits,
            month.month.firstDay.stored,
            month.month.lastDay.stored,
            group.type.rawValue,
            group.category?.text
        ) { _ in true }
        return found != nil
    }

    /// The largest amount of each group that has transactions in a month.
    fileprivate func largestAmounts(in month: TotalsKey) throws -> [MonthTotals.Group: Money] {
        var amounts: [MonthTotals.Group: Money] = [:]
        try forEachRow(
            """
            SELECT type, category, max(amount)
            FROM transactions INDEXED BY transactions_by_day
            WHERE account = ? AND goal = ? AND day BETWEEN ? AND ?
            GROUP BY type, category
            """,
            month.account.rawValue,
            month.goal.stored,
            month.month.firstDay.stored,
            month.month.lastDay.stored
        ) { row in
            let group = try MonthTotals.Group(row, in: month.goal)
            amounts[group] = Money(minorUnits: try row[2])
        }
        return amounts
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
