internal import Goals
internal import SQLite

// One statement for each order of transactions, as for goals. In the order of the days the first and
// the last of them bound the way along the index; in the others they are conditions like the rest,
// which the plus sign says.

extension Database {
    /// A page of the transactions of a goal that is there.
    func transactions(
        _ query: TransactionQuery,
        in goal: Goal.ID,
        of account: AccountID
    ) throws -> Page<Transaction> {
        let order = TransactionOrder(query.sort)
        let bounds = PageBounds(after: query.after, or: order.start)
        var room = PageRoom(limit: query.limit)
        let rows = try leadingRows(
            order.statement,
            account.rawValue,
            goal.stored,
            bounds.key,
            bounds.id,
            (query.from ?? .earliest).stored,
            (query.to ?? .latest).stored,
            query.type?.rawValue,
            query.category?.stored,
            SearchTerm(query.search)?.folded,
            query.limit + 1
        ) { row -> (item: Transaction, position: Position)? in
            let transaction = try Transaction(row, in: goal)
            let category = transaction.category?.text ?? ""
            guard room.take(category.utf8.count + transaction.note.text.utf8.count) else {
                return nil
            }
            return (
                item: transaction,
                position: Position(
                    key: order.sortKey(of: transaction),
                    high: transaction.id.high,
                    low: transaction.id.low
                )
            )
        }
        return Page(rows, in: room)
    }
}

extension CategoryCondition {
    /// The category as the statements compare it: no category is empty.
    fileprivate var stored: String {
        switch self {
        case .uncategorized: ""
        case .equals(let category): category.text
        }
    }
}

/// An order of transactions in SQL.
struct TransactionOrder {
    private let sort: TransactionSort

    init(_ sort: TransactionSort) {
        self.sort = sort
    }

    /// What comes before the sort key of any transaction.
    var start: PageBounds.Key {
        sort.descending ? .highestInteger : .lowestInteger
    }

    func sortKey(of transaction: Transaction) -> Position.SortKey {
        switch sort.field {
        case .date: .integer(transaction.date.stored)
        case .amount: .integer(transaction.amount.minorUnits)
        case .createdAt: .integer(transaction.createdAt.millisecondsSinceEpoch)
        }
    }

    /// The parameters are the account, the goal, the sort key and the identifier to go on from, the
    /// first and the last day, the type, the category, the folded search term, and how many rows.
    var statement: StaticString {
        switch (sort.field, sort.descending) {
        case (.date, false):
            """
            SELECT id, type, amount, day, category, note, revision, created_at, updated_at
            FROM transactions INDEXED BY transactions_by_day
            WHERE account = ?1 AND goal = ?2 AND (day, id) > (?3, ?4)
                AND day >= ?5 AND day <= ?6
                AND (?7 IS NULL OR type = ?7)
                AND (?8 IS NULL OR ifnull(category, '') = ?8)
                AND (?9 IS NULL OR instr(note_search, ?9) > 0 OR instr(category_search, ?9) > 0)
            ORDER BY day, id
            LIMIT ?10
            """
        case (.date, true):
            """
            SELECT id, type, amount, day, category, note, revision, created_at, updated_at
            FROM transactions INDEXED BY transactions_by_day
            WHERE account = ?1 AND goal = ?2 AND (day, id) < (?3, ?4)
                AND day >= ?5 AND day <= ?6
                AND (?7 IS NULL OR type = ?7)
                AND (?8 IS NULL OR ifnull(category, '') = ?8)
                AND (?9 IS NULL OR instr(note_search, ?9) > 0 OR instr(category_search, ?9) > 0)
            ORDER BY day DESC, id DESC
            LIMIT ?10
            """
        case (.amount, false):
            """
            SELECT id, type, amount, day, category, note, revision, created_at, updated_at
            FROM transactions INDEXED BY transactions_by_amount
            WHERE account = ?1 AND goal = ?2 AND (amount, id) > (?3, ?4)
                AND +day >= ?5 AND +day <= ?6
                AND (?7 IS NULL OR type = ?7)
                AND (?8 IS NULL OR ifnull(category, '') = ?8)
                AND (?9 IS NULL OR instr(note_search, ?9) > 0 OR instr(category_search, ?9) > 0)
            ORDER BY amount, id
            LIMIT ?10
            """
        case (.amount, true):
            """
            SELECT id, type, amount, day, category, note, revision, created_at, updated_at
            FROM transactions INDEXED BY transactions_by_amount
            WHERE account = ?1 AND goal = ?2 AND (amount, id) < (?3, ?4)
                AND +day >= ?5 AND +day <= ?6
                AND (?7 IS NULL OR type = ?7)
                AND (?8 IS NULL OR ifnull(category, '') = ?8)
                AND (?9 IS NULL OR instr(note_search, ?9) > 0 OR instr(category_search, ?9) > 0)
            ORDER BY amount DESC, id DESC
            LIMIT ?10
            """
        case (.createdAt, false):
            """
            SELECT id, type, amount, day, category, note, revision, created_at, updated_at
            FROM transactions INDEXED BY transactions_by_creation
            WHERE account = ?1 AND goal = ?2 AND (created_at, id) > (?3, ?4)
                AND +day >= ?5 AND +day <= ?6
                AND (?7 IS NULL OR type = ?7)
                AND (?8 IS NULL OR ifnull(category, '') = ?8)
                AND (?9 IS NULL OR instr(note_search, ?9) > 0 OR instr(category_search, ?9) > 0)
            ORDER BY created_at, id
            LIMIT ?10
            """
        case (.createdAt, true):
            """
            SELECT id, type, amount, day, category, note, revision, created_at, updated_at
            FROM transactions INDEXED BY transactions_by_creation
            WHERE account = ?1 AND goal = ?2 AND (created_at, id) < (?3, ?4)
                AND +day >= ?5 AND +day <= ?6
                AND (?7 IS NULL OR type = ?7)
                AND (?8 IS NULL OR ifnull(category, '') = ?8)
                AND (?9 IS NULL OR instr(note_search, ?9) > 0 OR instr(category_search, ?9) > 0)
            ORDER BY created_at DESC, id DESC
            LIMIT ?10
            """
        }
    }
}
