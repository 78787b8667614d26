public import Goals
internal import SQLite

extension WriteTransaction {
    /// Records a transaction.
    ///
    /// - Parameters:
    ///   - new: The transaction.
    ///   - isNewID: Whether its identifier was made for it (``Identifier/version7(at:using:)``), and is
    ///     not a client's choice. No other can have it then, and none is looked for.
    ///   - goalID: The goal that it belongs to.
    ///   - today: The day of a transaction that has none of its own.
    ///   - account: Whose goal it is.
    /// - Returns: The transaction; the one that is there if the same was recorded before.
    /// - Throws: ``StoreError/identifierTaken`` if another was recorded under the identifier,
    ///   ``StoreError/transactionDeleted`` if it is gone.
    public func record(
        _ new: NewTransaction,
        isNewID: Bool = false,
        in goalID: Goal.ID,
        today: CalendarDay,
        of account: AccountID
    ) throws -> Creation<Transaction> {
        let goal = try storedGoal(goalID, of: account)
        let fingerprint = Int64(bitPattern: new.fingerprint)
        let found =
            isNewID ? .absent : try database.storedTransaction(new.id, in: goalID, of: account)
        switch found {
        case .found(let stored) where stored.creation == fingerprint:
            return .existing(stored.value)
        case .found:
            throw StoreError.identifierTaken
        case .deleted:
            throw StoreError.transactionDeleted
        case .absent:
            let transaction = Transaction(new, in: goalID, today: today, at: moment)
            let changed = try ruled { () throws(RuleViolation) in
                try goal.value.recording(transaction, at: moment)
            }
            let number = try willChange(goalID, of: account, things: 2, transactions: 1)
            try database.insert(
                transaction,
                new,
                creation: fingerprint,
                number: number - 1,
                of: account
            )
            try facts.addToTotals(transaction, of: account)
            facts.set(goal.with(changed), number: number, of: account)
            return .created(transaction)
        }
    }

    /// Changes a transaction.
    ///
    /// - Returns: The transaction as it is now.
    public func update(
        _ id: Transaction.ID,
        in goalID: Goal.ID,
        with changes: TransactionChanges,
        if precondition: Precondition,
        of account: AccountID
    ) throws -> Transaction {
        let goal = try storedGoal(goalID, of: account)
        let transaction = try transaction(id, in: goalID, of: account)
        try precondition.check(transaction.revision)
        let changed = transaction.applying(changes, at: moment)
        guard changed != transaction else { return transaction }
        let changedGoal = try ruled { () throws(RuleViolation) in
            try goal.value.replacing(transaction, with: changed, at: moment)
        }
        let number = try willChange(goalID, of: account, things: 2)
        try database.update(changed, changes, number: number - 1, of: account)
        if TransactionTotal(transaction) != TransactionTotal(changed) {
            try facts.takeFromTotals(transaction, of: account)
            try facts.addToTotals(changed, of: account)
        }
        facts.set(goal.with(changedGoal), number: number, of: account)
        return changed
    }

    /// Deletes a transaction.
    ///
    /// Its identifier is known as deleted for as long as deletions are kept.
    public func delete(
        _ id: Transaction.ID,
        in goalID: Goal.ID,
        if precondition: Precondition,
        of account: AccountID
    ) throws {
        let goal = try storedGoal(goalID, of: account)
        let transaction = try transaction(id, in: goalID, of: account)
        try precondition.check(transaction.revision)
        let changedGoal = try ruled { () throws(RuleViolation) in
            try goal.value.removing(transaction, at: moment)
        }
        let number = try willChange(goalID, of: account, things: 2, transactions: -1)
        try database.delete(transaction, at: moment, number: number - 1, of: account)
        try facts.takeFromTotals(transaction, of: account)
        facts.set(goal.with(changedGoal), number: number, of: account)
    }

    /// A transaction that a command is for.
    private func transaction(
        _ id: Transaction.ID,
        in goal: Goal.ID,
        of account: AccountID
    ) throws -> Transaction {
        switch try database.storedTransaction(id, in: goal, of: account) {
        case .found(let stored): return stored.value
        case .deleted: throw StoreError.transactionDeleted
        case .absent: throw StoreError.transactionAbsent
        }
    }
}

// MARK: - Statements

extension Database {
    fileprivate func insert(
        _ transaction: Transaction,
        _ new: NewTransaction,
        creation: Int64,
        number: Int64,
        of account: AccountID
    ) throws {
        try run(
            """
            INSERT INTO transactions (
                account, goal, id, sequence, revision, created_at, updated_at, type, amount, day,
                creation, category, category_search, note, note_search
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            account.rawValue,
            transaction.goalID.stored,
            transaction.id.stored,
            number,
            transaction.revision,
            transaction.createdAt.millisecondsSinceEpoch,
            transaction.updatedAt.millisecondsSinceEpoch,
            transaction.type.rawValue,
            transaction.amount.minorUnits,
            transaction.date.stored,
            creation,
            transaction.category?.text,
            new.categorySearch,
            transaction.note.text,
            new.noteSearch
        )
    }

    fileprivate func update(
        _ transaction: Transaction,
        _ changes: TransactionChanges,
        number: Int64,
        of account: AccountID
    ) throws {
        try run(
            """
            UPDATE transactions
            SET revision = ?4, updated_at = ?5, type = ?6, amount = ?7, day = ?8, category = ?9,
                category_search = iif(?10, ?11, category_search), note = ?12,
                note_search = ifnull(?13, note_search), sequence = ?14
            WHERE account = ?1 AND goal = ?2 AND id = ?3
            """,
            account.rawValue,
            transaction.goalID.stored,
            transaction.id.stored,
            transaction.revision,
            transaction.updatedAt.millisecondsSinceEpoch,
            transaction.type.rawValue,
            transaction.amount.minorUnits,
            transaction.date.stored,
            transaction.category?.text,
            changes.categorySearch == .keep ? 0 : 1,
            changes.categorySearch.applied(to: nil),
            transaction.note.text,
            changes.noteSearch.new,
            number
        )
    }

    fileprivate func delete(
        _ transaction: Transaction,
        at moment: Moment,
        number: Int64,
        of account: AccountID
    ) throws {
        try run(
            "DELETE FROM transactions WHERE account = ? AND goal = ? AND id = ?",
            account.rawValue,
            transaction.goalID.stored,
            transaction.id.stored
        )
        try run(
            """
            INSERT INTO tombstones (account, goal, entry, revision, deleted_at, sequence)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            account.rawValue,
            transaction.goalID.stored,
            transaction.id.stored,
            transaction.revision + 1,
            moment.millisecondsSinceEpoch,
            number
        )
    }
}
