internal import Goals
internal import SQLite

// One statement for each order of goals, so that each is a literal and its plan can be tested: it
// goes along an index from the place where the last page ended, and sorts nothing. The conditions
// that are not set are NULL, and cost next to nothing.

extension Database {
    /// A page of goals, as the bytes that are made of them.
    ///
    /// The rows tell no more than which goal it is, and which its last change was, since the bytes of
    /// most are known: of those alone that are not, the goal is read.
    func goals(
        _ query: GoalQuery,
        of account: AccountID,
        item: GoalStore.ItemMaker
    ) throws -> Page<[UInt8]> {
        let order = GoalOrder(query.sort)
        let bounds = PageBounds(after: query.after, or: order.start)
        // No status is part of another's name.
        let statuses =
            query.statuses.isEmpty ? nil : query.statuses.map(\.rawValue).joined(separator: " ")
        let term = SearchTerm(query.search)
        var room = PageRoom(limit: query.limit)

        func read(_ row: borrowing Row) throws -> (item: [UInt8], position: Position)? {
            let id = Goal.ID(stored: try row[0])
            let listed = try item(id, try row[1]) { try listedGoal(id, of: account) }
            guard room.take(listed.textBytes) else { return nil }
            return (
                item: listed.bytes,
                position: Position(key: try order.sortKey(row), high: id.high, low: id.low)
            )
        }

        if let term, let match = try match(for: term, of: account) {
            let rows = try leadingRows(
                order.searchStatement,
                account.rawValue,
                bounds.key,
                bounds.id,
                statuses,
                query.currency?.code,
                term.folded,
                query.limit + 1,
                match,
                query.sort.field.rawValue,
                read: read
            )
            return Page(rows, in: room)
        }
        let rows = try leadingRows(
            order.statement,
            account.rawValue,
            bounds.key,
            bounds.id,
            statuses,
            query.currency?.code,
            term?.folded,
            query.limit + 1,
            read: read
        )
        return Page(rows, in: room)
    }

    /// A goal that an index has, and the table must have, too.
    private func listedGoal(_ id: Goal.ID, of account: AccountID) throws -> Goal {
        guard case .found(let stored) = try storedGoal(id, of: account) else {
            throw DamagedRow(description: "The goal \(id) in an index of the data file is nowhere.")
        }
        return stored.value
    }
}

/// An order of goals in SQL.
struct GoalOrder {
    let sort: GoalSort

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

    /// Reads the sort key, which follows the identifier and the number.
    func sortKey(_ row: borrowing Row) throws -> Position.SortKey {
        switch sort.field {
        case .title: .text(try row[2])
        case .updatedAt, .createdAt, .plannedCompletionDate: .integer(try row[2])
        }
    }

    /// The parameters are the account, the sort key and the identifier to go on from, the statuses,
    /// the currency, the folded search term, and how many rows.
    var statement: StaticString {
        switch (sort.field, sort.descending) {
        case (.updatedAt, false):
            """
            SELECT id, sequence, updated_at
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
            SELECT id, sequence, updated_at
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
            SELECT id, sequence, created_at
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
            SELECT id, sequence, created_at
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
            SELECT id, sequence, title_key
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
            SELECT id, sequence, title_key
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
            SELECT id, sequence, planned_day_or_last
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
            SELECT id, sequence, planned_day_or_first
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
