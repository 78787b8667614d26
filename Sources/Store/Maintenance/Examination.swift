internal import Goals
internal import SQLite

/// The examination of one database, from its pages to what the figures must add up to.
struct Examination {
    let database: Database
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
        if try Schema.version(of: database) >= 4 { try examineTotals() }
        try examineTombstones()
        if try Schema.version(of: database) >= 3 { try examineAccounts() }
        if try Schema.version(of: database) >= 5 { try examineSearch() }
    }

    mutating func noteDamage(_ error: SQLiteError) {
        findings.append("The database is damaged: \(error.message).")
    }

    mutating func note(_ finding: String) throws {
        findings.append(finding)
        if findings.count >= DataCheck.mostFindings { throw Enough() }
    }

    mutating func note(_ things: String, _ number: Int) {
        counts.append(DataCheck.Count(number: number, things: things))
    }

    /// Notes a finding unless something holds.
    mutating func expect(
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
