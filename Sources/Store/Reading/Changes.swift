internal import Goals
internal import SQLite

extension GoalStore {
    /// What has changed in an account since a place in the order of its changes.
    ///
    /// Each thing comes once, as it is now, at the place of its last change; so who goes on from each
    /// page's `next` ends with what there is, whatever is written meanwhile.
    ///
    /// - Parameters:
    ///   - position: The place; `nil` is the start.
    ///   - limit: How many changes at most.
    ///   - account: Whose.
    /// - Returns: The changes, and where to go on.
    /// - Throws: ``StoreError/resyncRequired`` if a deletion since then is no longer kept, or the place
    ///   is none in this store's order; ``StoreError/accountAbsent``.
    public func changes(
        after position: ChangePosition?,
        limit: Int,
        of account: AccountID
    ) throws -> ChangePage {
        try read { database in
            try database.snapshot {
                try database.changes(after: position, limit: limit, of: account)
            }
        }
    }
}

/// What is known of the order of an account's changes.
struct ChangeOrder {
    let history: Int64
    let sequence: Int64

    /// The greatest number of a deletion that is no longer kept.
    let forgotten: Int64

    /// Whether all that has changed since can be told.
    func reaches(_ position: ChangePosition) -> Bool {
        position.history == history
            && (0...sequence).contains(position.number)
            && position.start <= sequence
            && max(position.number, position.start) >= forgotten
    }
}

extension Database {
    func changeOrder(of account: AccountID) throws -> ChangeOrder {
        let order = try row(
            "SELECT history, sequence, forgotten FROM accounts WHERE id = ?",
            account.rawValue
        ) { row in
            ChangeOrder(history: try row[0], sequence: try row[1], forgotten: try row[2])
        }
        guard let order else { throw StoreError.accountAbsent }
        return order
    }

    fileprivate func changes(
        after given: ChangePosition?,
        limit: Int,
        of account: AccountID
    ) throws -> ChangePage {
        let order = try changeOrder(of: account)
        let position =
            given ?? ChangePosition(history: order.history, number: 0, start: order.sequence)
        guard order.reaches(position) else { throw StoreError.resyncRequired }

        var room = PageRoom(limit: limit)
        var entries: [ChangePage.Entry] = []
        for key in try changeKeys(after: position.number, limit: limit + 1, of: account) {
            let change = try change(key, of: account)
            guard room.take(change.textBytes) else { break }
            entries.append(
                ChangePage.Entry(change: change, position: position.moved(to: key.number))
            )
        }
        return ChangePage(
            changes: entries,
            next: room.isExceeded
                ? entries.last?.position ?? position : position.moved(to: order.sequence),
            hasMore: room.isExceeded
        )
    }

    /// What has changed, in the order of the changes: three indexes, merged.
    private func changeKeys(
        after number: Int64,
        limit: Int,
        of account: AccountID
    ) throws -> [ChangeKey] {
        try rows(
            ChangeKey.statement,
            account.rawValue,
            number,
            limit
        ) { row in
            ChangeKey(
                number: try row[0],
                isDeletion: try row[1] as Int == 1,
                goal: Goal.ID(stored: try row[2]),
                transaction: try (row[3] as Bytes16?).map { Transaction.ID(stored: $0) }
            )
        }
    }

    private func change(_ key: ChangeKey, of account: AccountID) throws -> RecordedChange {
        switch (key.transaction, key.isDeletion) {
        case (let transaction?, true):
            return .transactionDeleted(
                transaction,
                in: key.goal,
                revision: try deletedRevision(of: key, account)
            )
        case (nil, true):
            return .goalDeleted(key.goal, revision: try deletedRevision(of: key, account))
        case (let transaction?, false):
            guard
                case .found(let stored) = try storedTransaction(
                    transaction,
                    in: key.goal,
                    of: account
                ),
                case .found(let currency) = try currency(of: key.goal, of: account)
            else { throw key.isNowhere }
            return .transaction(stored.value, currency)
        case (nil, false):
            guard case .found(let stored) = try storedGoal(key.goal, of: account) else {
                throw key.isNowhere
            }
            return .goal(stored.value)
        }
    }

    private func deletedRevision(of key: ChangeKey, _ account: AccountID) throws -> Int {
        let revision = try row(
            """
            SELECT revision FROM tombstones
            WHERE account = ?1 AND goal = ?2 AND entry = ifnull(?3, x'')
            """,
            account.rawValue,
            key.goal.stored,
            key.transaction?.stored
        ) { row in try row[0] as Int }
        guard let revision else { throw key.isNowhere }
        return revision
    }
}

/// What a change is about.
struct ChangeKey {
    let number: Int64
    let isDeletion: Bool
    let goal: Goal.ID

    /// `nil` if it is about the goal itself.
    let transaction: Transaction.ID?

    static let statement: StaticString = """
        SELECT sequence, 0 AS is_deletion, id AS goal, NULL AS entry
        FROM goals INDEXED BY goals_by_change
        WHERE account = ?1 AND sequence > ?2
        UNION ALL
        SELECT sequence, 0, goal, id
        FROM transactions INDEXED BY transactions_by_change
        WHERE account = ?1 AND sequence > ?2
        UNION ALL
        SELECT sequence, 1, goal, nullif(entry, x'')
        FROM tombstones INDEXED BY tombstones_by_change
        WHERE account = ?1 AND sequence > ?2
        ORDER BY sequence
        LIMIT ?3
        """

    fileprivate var isNowhere: DamagedRow {
        DamagedRow(
            description: "Change \(number) in the data file is one of nothing that is there."
        )
    }
}

extension ChangePosition {
    fileprivate func moved(to number: Int64) -> ChangePosition {
        ChangePosition(history: history, number: number, start: start)
    }
}

extension RecordedChange {
    /// How much text of the client's there is in it.
    fileprivate var textBytes: Int {
        switch self {
        case .goal(let goal):
            goal.title.text.utf8.count + goal.note.text.utf8.count
        case .transaction(let transaction, _):
            transaction.note.text.utf8.count + (transaction.category?.text.utf8.count ?? 0)
        case .goalDeleted, .transactionDeleted: 0
        }
    }
}
