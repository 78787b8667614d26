internal import Goals
internal import SQLite

// One statement for each order of goals, so that each is a literal and its plan can be tested: it
// goes along an index from the place where the last page ended, and sorts nothing. The conditions
// that are not set are NULL, and cost next to nothing.

extension Database {
    func goals(_ query: GoalQuery, of account: AccountID) throws -> Page<Goal> {
        let order = GoalOrder(query.sort)
        let bounds = PageBounds(after: query.after, or: order.start)
        var room = PageRoom(limit: query.limit)
        let rows = try leadingRows(
            order.statement,
            account.rawValue,
            bounds.key,
            bounds.id,
            // No status is part of another's name.
            query.statuses.isEmpty ? nil : query.statuses.map(\.rawValue).joined(separator: " "),
            query.currency?.code,
            SearchTerm(query.search)?.folded,
            query.limit + 1
        ) { row -> (item: Goal, position: Position)? in
            let goal = try Goal(row)
            guard room.take(goal.title.text.utf8.count + goal.note.text.utf8.count) else {
                return nil
            }
            return (
                item: goal,
                position: Position(
                    key: try order.sortKey(row),
                    high: goal.id.high,
                    low: goal.id.low
                )
            )
        }
        return Page(rows, in: room)
    }
}

/// An order of goals in SQL.
struct GoalOrder {
    private let sort: GoalSort

    init(_ sort: GoalSort) {
        self.sort = sort
    }

    /// What comes before the sort key of any goal.
    var start: PageBounds.Key {
        switch (sort.field, sort.descending) {
        case (.title, false): .lowestText
        case (.title, true): .aboveAllText
        case (_, false): .lowestInteger
        case (_, true): .highestInteger
        }
    }

    /// Reads the sort key, which follows the columns of the goal.
    func sortKey(_ row: borrowing Row) throws -> Position.SortKey {
        switch sort.field {
        case .title: .text(try row[14])
        case .updatedAt, .createdAt, .plannedCompletionDate: .integer(try row[14])
        }
    }

    /// The parameters are the account, the sort key and the identifier to go on from, the statuses,
    /// the currency, the folded search term, and how many rows.
    var statement: StaticString {
        switch (sort.field, sort.descending) {
        case (.updatedAt, false):
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                updated_at
            FROM goals INDEXED BY goals_by_update
            WHERE account = ?1 AND (updated_at, id) > (?2, ?3)
                AND (?4 IS NULL OR instr(?4, status) > 0)
                AND (?5 IS NULL OR currency = ?5)
                AND (?6 IS NULL OR instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            ORDER BY updated_at, id
            LIMIT ?7
            """
        case (.updatedAt, true):
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                updated_at
            FROM goals INDEXED BY goals_by_update
            WHERE account = ?1 AND (updated_at, id) < (?2, ?3)
                AND (?4 IS NULL OR instr(?4, status) > 0)
                AND (?5 IS NULL OR currency = ?5)
                AND (?6 IS NULL OR instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            ORDER BY updated_at DESC, id DESC
            LIMIT ?7
            """
        case (.createdAt, false):
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                created_at
            FROM goals INDEXED BY goals_by_creation
            WHERE account = ?1 AND (created_at, id) > (?2, ?3)
                AND (?4 IS NULL OR instr(?4, status) > 0)
                AND (?5 IS NULL OR currency = ?5)
                AND (?6 IS NULL OR instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            ORDER BY created_at, id
            LIMIT ?7
            """
        case (.createdAt, true):
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                created_at
            FROM goals INDEXED BY goals_by_creation
            WHERE account = ?1 AND (created_at, id) < (?2, ?3)
                AND (?4 IS NULL OR instr(?4, status) > 0)
                AND (?5 IS NULL OR currency = ?5)
                AND (?6 IS NULL OR instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            ORDER BY created_at DESC, id DESC
            LIMIT ?7
            """
        case (.title, false):
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                title_key
            FROM goals INDEXED BY goals_by_title
            WHERE account = ?1 AND (title_key, id) > (?2, ?3)
                AND (?4 IS NULL OR instr(?4, status) > 0)
                AND (?5 IS NULL OR currency = ?5)
                AND (?6 IS NULL OR instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            ORDER BY title_key, id
            LIMIT ?7
            """
        case (.title, true):
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                title_key
            FROM goals INDEXED BY goals_by_title
            WHERE account = ?1 AND (title_key, id) < (?2, ?3)
                AND (?4 IS NULL OR instr(?4, status) > 0)
                AND (?5 IS NULL OR currency = ?5)
                AND (?6 IS NULL OR instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            ORDER BY title_key DESC, id DESC
            LIMIT ?7
            """
        case (.plannedCompletionDate, false):
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                planned_day_or_last
            FROM goals INDEXED BY goals_by_planned_day
            WHERE account = ?1 AND (planned_day_or_last, id) > (?2, ?3)
                AND (?4 IS NULL OR instr(?4, status) > 0)
                AND (?5 IS NULL OR currency = ?5)
                AND (?6 IS NULL OR instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            ORDER BY planned_day_or_last, id
            LIMIT ?7
            """
        case (.plannedCompletionDate, true):
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at,
                planned_day_or_first
            FROM goals INDEXED BY goals_by_planned_day_descending
            WHERE account = ?1 AND (planned_day_or_first, id) < (?2, ?3)
                AND (?4 IS NULL OR instr(?4, status) > 0)
                AND (?5 IS NULL OR currency = ?5)
                AND (?6 IS NULL OR instr(title_search, ?6) > 0 OR instr(note_search, ?6) > 0)
            ORDER BY planned_day_or_first DESC, id DESC
            LIMIT ?7
            """
        }
    }
}
