internal import Goals
internal import SQLite

// The index of what goals' texts contain; `Schema.version5` says how it is made. Goals come in behind a
// mark, `store.indexed_number`, and are indexed many at a time: for each commit that changes the index,
// FTS5 writes a piece of it that it has to merge with others later, which for a single goal costs more than
// all else. A search looks at the few goals behind the mark itself.

/// How many goals wait to be indexed together.
private let mostWaitingGoals = 64

/// From how many bytes of text on a goal is indexed at once, with those that wait.
///
/// So neither a search nor the command that indexes them all has more than some 64 KiB to look at.
private let longTextBytes = 1_024

extension Database {
    /// The number that the next goal gets, and the mark.
    ///
    /// The number is behind the mark even if the goals before that are gone.
    func nextGoalNumber() throws -> (number: Int64, mark: Int64) {
        let found = try row(
            """
            SELECT 1 + max(
                    indexed_number,
                    ifnull((SELECT max(number) FROM goals WHERE number IS NOT NULL), 0)
                ),
                indexed_number
            FROM store
            """
        ) { row in (number: try row[0] as Int64, mark: try row[1] as Int64) }
        guard let found else {
            throw DamagedRow(description: "The data file has lost the only row of a table.")
        }
        return found
    }

    /// Indexes the goals that wait, if a new one makes them enough.
    func indexTexts(after mark: Int64, upTo number: Int64, bytes: Int) throws {
        guard number - mark >= mostWaitingGoals || bytes >= longTextBytes else { return }
        try indexTexts(after: mark, upTo: number)
    }

    /// Indexes the goals of some numbers, and moves the mark there.
    func indexTexts(after mark: Int64, upTo number: Int64) throws {
        try forEachRow(
            """
            SELECT number, account, title_search, note_search
            FROM goals INDEXED BY goals_by_number
            WHERE number > ?1 AND number <= ?2
            ORDER BY number
            """,
            mark,
            number
        ) { row in
            let grams = SearchGrams(of: try row[2], try row[3])
            try addToIndex(grams, number: try row[0], of: AccountID(rawValue: try row[1]))
        }
        try run("UPDATE store SET indexed_number = ?", number)
    }

    /// Has the index follow new texts of a goal; to be called before these are written.
    ///
    /// A goal that waits goes on waiting, unless it gets long texts.
    func reindexTexts(
        of goal: Goal.ID,
        of account: AccountID,
        title: String?,
        note: String?
    ) throws {
        guard title != nil || note != nil else { return }
        var searched = try searched(goal, of: account)
        let bytes = [title, note].compactMap(\.?.utf8.count).reduce(0, +)
        if searched == nil, bytes >= longTextBytes {
            let next = try nextGoalNumber()
            try indexTexts(after: next.mark, upTo: next.number - 1)
            searched = try self.searched(goal, of: account)
        }
        guard let old = searched else { return }
        let new = SearchGrams(of: title ?? old.title, note ?? old.note)
        let added = new.subtracting(old.grams)
        let removed = old.grams.subtracting(new)
        // Both even if one is of no parts: FTS5 counts the rows that come and go.
        guard added != removed else { return }
        try removeFromIndex(removed, number: old.number, of: account)
        try addToIndex(added, number: old.number, of: account)
    }

    /// Takes a goal out of the index; to be called before it is deleted.
    func removeTexts(of goal: Goal.ID, of account: AccountID) throws {
        guard let old = try searched(goal, of: account) else { return }
        try removeFromIndex(old.grams, number: old.number, of: account)
    }

    /// What the index has of a goal; `nil` if it is behind the mark.
    private func searched(_ goal: Goal.ID, of account: AccountID) throws -> Searched? {
        try row(
            """
            SELECT number, title_search, note_search
            FROM goals
            WHERE account = ? AND id = ? AND number <= (SELECT indexed_number FROM store)
            """,
            account.rawValue,
            goal.stored
        ) { row in Searched(number: try row[0], title: try row[1], note: try row[2]) }
    }

    private struct Searched {
        let number: Int64
        let title: String
        let note: String

        var grams: SearchGrams { SearchGrams(of: title, note) }
    }

    private func addToIndex(
        _ grams: SearchGrams,
        number: Int64,
        of account: AccountID
    ) throws {
        try run(
            "INSERT INTO goal_search (rowid, grams) VALUES (?, ?)",
            number,
            grams.words(of: account)
        )
    }

    /// Tells the index which parts it has of a goal that it shall have no longer: it keeps no texts.
    private func removeFromIndex(
        _ grams: SearchGrams,
        number: Int64,
        of account: AccountID
    ) throws {
        try run(
            "INSERT INTO goal_search (goal_search, rowid, grams) VALUES ('delete', ?, ?)",
            number,
            grams.words(of: account)
        )
    }
}

// MARK: - Without a trace

extension Database {
    /// How many pages of the index are written anew in one transaction, for which a server has to wait.
    private static let pagesAtOnce = 500

    /// Writes some of the index anew, so that what was taken out of it is nowhere in it any more.
    ///
    /// What is taken out is at first only marked so, until the pieces of the index that have it and those that
    /// have the mark are merged.
    ///
    /// - Parameter rounds: How often this may be called before it is done; `nil` the first time. Where a
    ///   server goes on writing there is always something to merge, but what was there first comes
    ///   first.
    /// - Returns: Whether all of it is done.
    /// - Throws: `SQLiteError` if the file can't be written.
    func rewriteIndex(_ rounds: inout Int?) throws -> Bool {
        let changes = totalChangedRows
        // A number below zero has all pieces merged, and not only those of a size.
        try run(
            "INSERT INTO goal_search (goal_search, rank) VALUES ('merge', ?)",
            rounds == nil ? -Database.pagesAtOnce : Database.pagesAtOnce
        )
        // One change is that command itself.
        guard totalChangedRows - changes > 1 else { return true }
        let left = try rounds ?? 2 * indexPages() / Database.pagesAtOnce + 4
        rounds = left - 1
        return left == 1
    }

    private func indexPages() throws -> Int {
        try row("SELECT count(*) FROM goal_search_data") { row in try row[0] } ?? 0
    }
}
