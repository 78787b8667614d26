internal import Goals
internal import SQLite

/// The examination of one database, from its pages to what the figures must add up to.
struct Examination {
    private let database: Database
    private(set) var counts: [DataCheck.Count] = []
    private(set) var findings: [String] = []

    /// Says that there are as many findings as are of use.
    struct Enough: Error {}

    init(_ database: Database) {
        self.database = database
    }

    mutating func run() throws {
        try examinePages()
        try examineGoals()
        try examineTransactions()
        if try Schema.version(of: database) >= 2 { try examineTotals() }
        try examineTombstones()
        if try Schema.version(of: database) >= 3 { try examineAccounts() }
    }

    mutating func noteDamage(_ error: SQLiteError) {
        findings.append("The database is damaged: \(error.message).")
    }

    private mutating func note(_ finding: String) throws {
        findings.append(finding)
        if findings.count >= DataCheck.mostFindings { throw Enough() }
    }

    private mutating func note(_ things: String, _ number: Int) {
        counts.append(DataCheck.Count(number: number, things: things))
    }

    /// Notes a finding unless something holds.
    private mutating func expect(
        _ holds: Bool,
        _ finding: @autoclosure () -> String
    ) throws {
        if !holds { try note(finding()) }
    }
}

// MARK: - The database

extension Examination {
    /// Lets SQLite look at its own pages, indexes and references.
    private mutating func examinePages() throws {
        let messages = try database.rows("PRAGMA integrity_check(100)") { row in
            try row[0] as String
        }
        for message in messages where message != "ok" {
            try note("The database is damaged: \(message).")
        }
        // What the indexes say can't be relied on from here.
        guard messages == ["ok"] else { throw Enough() }
        let strays = try database.rows("PRAGMA foreign_key_check") { row in try row[0] as String }
        for table in strays {
            try note("A row of \(table) belongs to nothing that is there.")
        }
    }
}

// MARK: - Goals

extension Examination {
    private mutating func examineGoals() throws {
        var number = 0
        try database.forEachRow(
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                title_search, note_search,
                (
                    SELECT count(*)
                    FROM transactions AS entry
                    WHERE entry.account = goals.account AND entry.goal = goals.id
                ),
                (
                    SELECT ifnull(sum(iif(type = 'income', amount >> 32, -(amount >> 32))), 0)
                    FROM transactions AS entry
                    WHERE entry.account = goals.account AND entry.goal = goals.id
                ),
                (
                    SELECT ifnull(
                        sum(
                            iif(type = 'income', amount & 4294967295, -(amount & 4294967295))
                        ),
                        0
                    )
                    FROM transactions AS entry
                    WHERE entry.account = goals.account AND entry.goal = goals.id
                ),
                (
                    SELECT ifnull(max(updated_at), 0)
                    FROM transactions AS entry
                    WHERE entry.account = goals.account AND entry.goal = goals.id
                ),
                creation
            FROM goals
            """
        ) { row in
            number += 1
            do {
                try examine(
                    Goal(row),
                    titleSearch: row[14],
                    noteSearch: row[15],
                    count: row[16],
                    // In two parts, since not every sum of whole amounts has 64 bits.
                    net: (row[17] as Int64) &<< 32 &+ row[18],
                    latest: row[19],
                    creation: row[20]
                )
            } catch let damage as DamagedRow {
                try note(damage.description)
            }
        }
        note("goals", number)
    }

    private mutating func examine(
        _ goal: Goal,
        titleSearch: String,
        noteSearch: String,
        count: Int,
        net: Int64,
        latest: Int64,
        creation: Int64
    ) throws {
        let name = "Goal \(goal.id)"
        try expect(
            goal.savedAmount == goal.startingAmount + Money(minorUnits: net),
            "\(name) has saved \(goal.savedAmount.minorUnits) minor units, but its starting amount "
                + "and its transactions make \(goal.startingAmount.minorUnits + net)."
        )
        try expect(
            goal.transactionCount == count,
            "\(name) counts \(goal.transactionCount) transactions, but has \(count)."
        )
        try expect(
            Money.savedAmounts.contains(goal.savedAmount),
            "\(name) has a saved amount out of bounds."
        )
        try expect(
            (Money.zero...Money.largestAmount).contains(goal.startingAmount),
            "\(name) has a starting amount out of bounds."
        )
        try expect(
            goal.targetAmount.map { .zero < $0 && $0 <= .largestAmount } ?? true,
            "\(name) has a target amount out of bounds."
        )
        try expect(
            goal.revision > 1 || Int64(bitPattern: goal.asCreated.fingerprint) == creation,
            "\(name) is not what it was created as, though nothing has changed it."
        )
        // Each transaction that was recorded has raised the revision.
        try expect(
            goal.revision > goal.transactionCount,
            "\(name) has revision \(goal.revision) after \(goal.transactionCount) transactions."
        )
        try expect(
            goal.createdAt <= goal.updatedAt
                && latest <= goal.updatedAt.millisecondsSinceEpoch,
            "\(name) was changed after the moment that it gives for its last change."
        )
        try expect(
            (goal.status == .completed) == (goal.completedAt != nil),
            "\(name) is \(goal.status.rawValue), which its moment of completion contradicts."
        )
        try expect(
            Title(goal.title.text)?.text.isSame(as: goal.title.text) ?? false,
            "\(name) has a title that is none there can be."
        )
        try expect(
            Note(goal.note.text) != nil,
            "\(name) has a note that is none there can be."
        )
        try expect(
            titleSearch.isSame(as: TextFolding.fold(goal.title.text))
                && noteSearch.isSame(as: TextFolding.fold(goal.note.text)),
            "\(name) has search text that is not that of its title and note."
        )
    }
}

// MARK: - Transactions

extension Examination {
    private mutating func examineTransactions() throws {
        var number = 0
        try database.forEachRow(
            """
            SELECT id, type, amount, day, category, note, revision, created_at, updated_at,
                category_search, note_search, goal, creation
            FROM transactions
            """
        ) { row in
            number += 1
            do {
                try examine(
                    Transaction(row, in: Goal.ID(stored: row[11])),
                    categorySearch: row[9],
                    noteSearch: row[10],
                    creation: row[12]
                )
            } catch let damage as DamagedRow {
                try note(damage.description)
            }
        }
        note("transactions", number)
    }

    private mutating func examine(
        _ transaction: Transaction,
        categorySearch: String?,
        noteSearch: String,
        creation: Int64
    ) throws {
        let name = "Transaction \(transaction.id) of goal \(transaction.goalID)"
        try expect(
            .zero < transaction.amount && transaction.amount <= .largestAmount,
            "\(name) has an amount out of bounds."
        )
        try expect(
            transaction.createdAt <= transaction.updatedAt,
            "\(name) was changed before it was recorded."
        )
        try expect(
            transaction.category.map { Category($0.text)?.text.isSame(as: $0.text) ?? false }
                ?? true,
            "\(name) has a category that is none there can be."
        )
        try expect(
            Note(transaction.note.text) != nil,
            "\(name) has a note that is none there can be."
        )
        try expect(
            transaction.revision > 1
                || transaction.asRecorded.contains {
                    Int64(bitPattern: $0.fingerprint) == creation
                },
            "\(name) is not what it was recorded as, though nothing has changed it."
        )
        let category = transaction.category.map { TextFolding.fold($0.text) }
        try expect(
            (categorySearch ?? "").isSame(as: category ?? "")
                && (categorySearch == nil) == (category == nil)
                && noteSearch.isSame(as: TextFolding.fold(transaction.note.text)),
            "\(name) has search text that is not that of its category and note."
        )
    }
}

// MARK: - What is derived

extension Examination {
    /// Holds the totals of each goal against its transactions, goal by goal: to sort all transactions there
    /// are would take memory for all of them.
    private mutating func examineTotals() throws {
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

    private mutating func examineTombstones() throws {
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
    private mutating func examineAccounts() throws {
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
    private mutating func examineAccess() throws {
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

extension Goal {
    /// What a goal that nothing has changed was created as.
    fileprivate var asCreated: NewGoal {
        NewGoal(
            id: id,
            title: title,
            note: note,
            currency: currency,
            targetAmount: targetAmount,
            startingAmount: startingAmount,
            plannedCompletionDate: plannedCompletionDate
        )
    }
}

extension Transaction {
    /// What a transaction that nothing has changed was recorded as: with its day, or without one.
    fileprivate var asRecorded: [NewTransaction] {
        [date, nil].map { date in
            NewTransaction(
                id: id,
                type: type,
                amount: amount,
                date: date,
                category: category,
                note: note
            )
        }
    }
}

extension String {
    /// Whether two texts have the same bytes, which strings that are equal need not have.
    fileprivate func isSame(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
