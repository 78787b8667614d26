internal import Goals
internal import SQLite

// What must add up with something else in the file: totals, deletions, counts, the order of changes.

extension Examination {
    /// Holds the totals of each goal against its transactions, goal by goal.
    ///
    /// Those that versions 2 and 3 had are not looked at: they are made anew when the file is served.
    mutating func examineTotals() throws {
        var number = 0
        try database.forEachRow("SELECT account, id FROM goals") { row in
            let account = AccountID(rawValue: try row[0])
            let goal = Goal.ID(stored: try row[1])
            do {
                number += try examineTotals(of: goal, of: account)
            } catch let damage as DamagedRow {
                try note(damage.description)
            }
        }
        note("monthly totals", number)
    }

    /// - Returns: How many months there are.
    private mutating func examineTotals(of goal: Goal.ID, of account: AccountID) throws -> Int {
        let expected = try database.calculatedTotals(of: goal, of: account)
        let present = try database.storedTotals(of: goal, of: account)
        for month in Set(expected.keys).union(present.keys).sorted() {
            try expect(
                present[month]?.isSame(as: expected[month]) ?? false,
                "The totals of goal \(goal) for \(month) are not those of its transactions."
            )
        }
        return present.count
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
