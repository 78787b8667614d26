internal import Goals
internal import SQLite

// What must add up with something else in the file: totals, deletions, counts, the order of changes.

extension Examination {
    /// Holds the totals of each goal against its transactions, goal by goal: to sort all transactions there
    /// are would take memory for all of them.
    mutating func examineTotals() throws {
        let number = try database.row("SELECT count(*) FROM monthly_totals") { row in
            try row[0] as Int
        }
        try database.forEachRow("SELECT account, id FROM goals") { row in
            let account = AccountID(rawValue: try row[0])
            try examineTotals(of: Goal.ID(stored: row[1]), of: account)
        }
        note("monthly totals", number ?? 0)
    }

    private mutating func examineTotals(of goal: Goal.ID, of account: AccountID) throws {
        // What is there and ought not to be, and what ought to be there and is not.
        try database.forEachRow(
            """
            WITH expected AS (
                SELECT strftime('%Y', day * 86400, 'unixepoch') * 12
                        + strftime('%m', day * 86400, 'unixepoch') - 1 AS month,
                    type, ifnull(category, '') AS label, count(*), sum(amount >> 32),
                    sum(amount & 4294967295), max(amount)
                FROM transactions
                WHERE account = ?1 AND goal = ?2
                GROUP BY month, type, label
            ), present AS (
                SELECT month, type, category, count, sum_high, sum_low, largest
                FROM monthly_totals
                WHERE account = ?1 AND goal = ?2
            )
            SELECT DISTINCT month
            FROM (
                SELECT * FROM (SELECT * FROM expected EXCEPT SELECT * FROM present)
                UNION ALL
                SELECT * FROM (SELECT * FROM present EXCEPT SELECT * FROM expected)
            )
            """,
            account.rawValue,
            goal.stored
        ) { row in
            let month = CalendarMonth(monthsSinceYearZero: try row[0])
            try note(
                "The totals of goal \(goal) for \(month.map { "\($0)" } ?? "no month there is") are "
                    + "not those of its transactions."
            )
        }
    }

    mutating func examineTombstones() throws {
        let number = try database.row("SELECT count(*) FROM tombstones") { row in
            try row[0] as Int
        }
        try database.forEachRow(
            """
            SELECT goal FROM tombstones
            WHERE entry = x'' AND EXISTS (
                SELECT 1 FROM goals
                WHERE goals.account = tombstones.account AND goals.id = tombstones.goal
            )
            """
        ) { row in try note("Goal \(Goal.ID(stored: row[0])) is there, though it was deleted.") }
        try database.forEachRow(
            """
            SELECT goal, entry FROM tombstones
            WHERE entry <> x'' AND EXISTS (
                SELECT 1 FROM transactions
                WHERE transactions.account = tombstones.account
                    AND transactions.goal = tombstones.goal AND transactions.id = tombstones.entry
            )
            """
        ) { row in
            try note(
                "Transaction \(Transaction.ID(stored: row[1])) of goal "
                    + "\(Goal.ID(stored: row[0])) is there, though it was deleted."
            )
        }
        try database.forEachRow(
            """
            SELECT DISTINCT goal FROM tombstones
            WHERE entry <> x'' AND NOT EXISTS (
                SELECT 1 FROM goals
                WHERE goals.account = tombstones.account AND goals.id = tombstones.goal
            )
            """
        ) { row in
            try note("Goal \(Goal.ID(stored: row[0])) lost a transaction, but is not there.")
        }
        note("deletions", number ?? 0)
    }
}

// MARK: - Accounts

extension Examination {
    /// Holds the counts of each account, and its order of changes, against what is there.
    mutating func examineAccounts() throws {
        var number = 0
        try database.forEachRow(
            """
            SELECT name, goals, transactions, sequence, forgotten,
                (SELECT count(*) FROM goals WHERE account = accounts.id),
                (SELECT count(*) FROM transactions WHERE account = accounts.id),
                (
                    SELECT max(
                        ifnull((SELECT max(sequence) FROM goals WHERE account = accounts.id), 0),
                        ifnull(
                            (SELECT max(sequence) FROM transactions WHERE account = accounts.id),
                            0
                        ),
                        ifnull(
                            (SELECT max(sequence) FROM tombstones WHERE account = accounts.id),
                            0
                        ),
                        forgotten
                    )
                ),
                kept_bytes,
                (
                    SELECT ifnull(sum(length(body)), 0) FROM kept_answers
                    WHERE account = accounts.id
                )
            FROM accounts
            """
        ) { row in
            number += 1
            let name = "Account \(try row[0] as String)"
            let (goals, transactions): (Int, Int) = (try row[1], try row[2])
            let (goalsThere, transactionsThere): (Int, Int) = (try row[5], try row[6])
            let (sequence, latest): (Int64, Int64) = (try row[3], try row[7])
            try expect(
                goals == goalsThere,
                "\(name) counts \(goals) goals, but has \(goalsThere)."
            )
            try expect(
                transactions == transactionsThere,
                "\(name) counts \(transactions) transactions, but has \(transactionsThere)."
            )
            let (keptBytes, keptBytesThere): (Int, Int) = (try row[8], try row[9])
            try expect(
                keptBytes == keptBytesThere,
                "\(name) counts \(keptBytes) bytes of kept answers, but has \(keptBytesThere)."
            )
            try expect(
                latest <= sequence,
                "\(name) has had \(sequence) changes, but one has number \(latest)."
            )
        }
        note("accounts", number)
        try examineNumbers()
        try examineAccess()
    }

    /// Looks for what would let somebody in who should not be, or nobody.
    mutating func examineAccess() throws {
        let facts = try database.row(
            """
            SELECT requires_tokens, last_account,
                (SELECT max(id) FROM accounts),
                EXISTS (SELECT 1 FROM accounts WHERE id = 1),
                EXISTS (SELECT 1 FROM tokens)
            FROM store
            """
        ) { row in try (0..<5).map { try row[$0] as Int } }
        guard let facts else {
            return try note("The file does not say whether it asks for tokens.")
        }
        try expect(facts[1] >= facts[2], "An id of an account could be used again.")
        try expect(facts[3] == 1, "The default account is not there.")
        try expect(facts[4] == 0 || facts[0] == 1, "There are tokens, but none is asked for.")
        try database.forEachRow(
            "SELECT id FROM tokens WHERE length(id) <> 16 OR id GLOB '*[^0-9a-f]*'"
        ) { row in try note("Token \(try row[0] as String) has no id that there can be.") }
    }

    /// Looks for numbers that two changes have, along the indexes, which come in order.
    private mutating func examineNumbers() throws {
        var last: (account: Int64, number: Int64) = (0, 0)
        try database.forEachRow(Examination.numbers) { row in
            let next: (account: Int64, number: Int64) = (try row[0], try row[1])
            try expect(
                next != last && next.number > 0,
                "Number \(next.number) in the order of changes of account \(next.account) is not that "
                    + "of one change."
            )
            last = next
        }
    }

    /// The numbers of all changes: three indexes, merged.
    static let numbers: StaticString = """
        SELECT account, sequence FROM goals INDEXED BY goals_by_change
        UNION ALL
        SELECT account, sequence FROM transactions INDEXED BY transactions_by_change
        UNION ALL
        SELECT account, sequence FROM tombstones INDEXED BY tombstones_by_change
        ORDER BY account, sequence
        """
}
