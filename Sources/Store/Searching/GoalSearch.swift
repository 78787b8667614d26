internal import Goals
internal import SQLite

// A search by the index: the goals that have all parts of a term, and those that are not indexed yet,
// are looked at one by one and sorted. This pays while they are few. Of many, the first page is sooner
// full by going along the order.

extension Database {
    /// Up to how many candidates are looked at.
    ///
    /// To look at so many, and at the goals that fill a page of 50 where a hundred thousand have so
    /// many among them, takes about as long.
    private static let mostCandidates = 4_000

    /// What is to be asked of the index for a term, if it leads to few goals.
    func match(for term: SearchTerm, of account: AccountID) throws -> String? {
        guard let match = SearchGrams(ofTerm: term.folded)?.match(of: account) else { return nil }
        let candidates = try row(
            """
            SELECT count(*)
            FROM (SELECT 1 FROM goal_search WHERE goal_search MATCH ? LIMIT ?)
            """,
            match,
            Database.mostCandidates + 1
        ) { row in try row[0] as Int }
        return candidates ?? 0 <= Database.mostCandidates ? match : nil
    }
}

extension GoalOrder {
    /// The page of a search by the index.
    ///
    /// The parameters are those of ``statement``, what is asked of the index, and the name of the field.
    /// Up and down are a literal each, as there, since no part of a statement is put together.
    var searchStatement: StaticString {
        if sort.descending {
            """
            WITH candidates (candidate) AS (
                SELECT rowid FROM goal_search WHERE goal_search MATCH ?8
                UNION ALL
                SELECT number FROM goals INDEXED BY goals_by_number
                WHERE number > (SELECT indexed_number FROM store) AND account = ?1
            ), hits AS (
                SELECT id, sequence,
                    CASE ?9
                        WHEN 'updatedAt' THEN updated_at
                        WHEN 'createdAt' THEN created_at
                        WHEN 'title' THEN title_key
                        WHEN 'plannedCompletionDate' THEN planned_day_or_first
                    END AS key
                FROM candidates CROSS JOIN goals INDEXED BY goals_by_number
                WHERE number = candidate AND account = ?1
                    AND (?4 IS NULL OR instr(?4, status) > 0)
                    AND (?5 IS NULL OR currency = ?5)
                    AND (instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            )
            SELECT id, sequence, key
            FROM hits
            WHERE (key, id) < (?2, ?3)
            ORDER BY key DESC, id DESC
            LIMIT ?7
            """
        } else {
            """
            WITH candidates (candidate) AS (
                SELECT rowid FROM goal_search WHERE goal_search MATCH ?8
                UNION ALL
                SELECT number FROM goals INDEXED BY goals_by_number
                WHERE number > (SELECT indexed_number FROM store) AND account = ?1
            ), hits AS (
                SELECT id, sequence,
                    CASE ?9
                        WHEN 'updatedAt' THEN updated_at
                        WHEN 'createdAt' THEN created_at
                        WHEN 'title' THEN title_key
                        WHEN 'plannedCompletionDate' THEN planned_day_or_last
                    END AS key
                FROM candidates CROSS JOIN goals INDEXED BY goals_by_number
                WHERE number = candidate AND account = ?1
                    AND (?4 IS NULL OR instr(?4, status) > 0)
                    AND (?5 IS NULL OR currency = ?5)
                    AND (instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            )
            SELECT id, sequence, key
            FROM hits
            WHERE (key, id) > (?2, ?3)
            ORDER BY key, id
            LIMIT ?7
            """
        }
    }
}
