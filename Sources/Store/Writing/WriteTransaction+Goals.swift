public import Goals
internal import SQLite

extension WriteTransaction {
    /// Opens a goal.
    ///
    /// - Returns: The goal; the one that is there if the same was created before.
    /// - Throws: ``StoreError/identifierTaken`` if another was, ``StoreError/goalDeleted`` if it is
    ///   gone.
    public func create(_ new: NewGoal, of account: AccountID) throws -> Creation<Goal> {
        let fingerprint = Int64(bitPattern: new.fingerprint)
        switch try facts.storedGoal(new.id, of: account) {
        case .found(let stored) where stored.creation == fingerprint:
            return .existing(stored.value)
        case .found:
            throw StoreError.identifierTaken
        case .deleted:
            throw StoreError.goalDeleted
        case .absent:
            let goal = Goal(new, at: moment)
            let number = try willChange(goal.id, of: account, goals: 1)
            let next = try database.nextGoalNumber()
            try database.insert(
                goal,
                new,
                creation: fingerprint,
                change: number,
                number: next.number,
                of: account
            )
            try database.indexTexts(
                after: next.mark,
                upTo: next.number,
                bytes: new.titleSearch.utf8.count + new.noteSearch.utf8.count
            )
            return .created(goal)
        }
    }

    /// Changes a goal's own facts.
    ///
    /// - Returns: The goal as it is now.
    public func update(
        _ id: Goal.ID,
        with changes: GoalChanges,
        if precondition: Precondition,
        of account: AccountID
    ) throws -> Goal {
        let goal = try storedGoal(id, of: account).value
        try precondition.check(goal.revision)
        let changed = try ruled { () throws(RuleViolation) in
            try goal.applying(changes, at: moment)
        }
        guard changed != goal else { return goal }
        let number = try willChange(id, of: account)
        try facts.writeGoal(id, of: account)
        try database.reindexTexts(
            of: id,
            of: account,
            title: changes.titleSearch.new,
            note: changes.noteSearch.new
        )
        try database.update(changed, changes, number: number, of: account)
        return changed
    }

    /// Deletes a goal with its transactions.
    ///
    /// Its identifier is known as deleted for as long as deletions are kept.
    public func delete(
        _ id: Goal.ID,
        if precondition: Precondition,
        of account: AccountID
    ) throws {
        let goal = try storedGoal(id, of: account).value
        try precondition.check(goal.revision)
        let number = try willChange(
            id,
            of: account,
            goals: -1,
            transactions: -goal.transactionCount
        )
        facts.dropGoal(id, of: account)
        try database.delete(goal, at: moment, number: number, of: account)
    }

    /// A goal that a command is for.
    func storedGoal(_ id: Goal.ID, of account: AccountID) throws -> Stored<Goal> {
        switch try facts.storedGoal(id, of: account) {
        case .found(let stored): return stored
        case .deleted: throw StoreError.goalDeleted
        case .absent: throw StoreError.goalAbsent
        }
    }
}

// MARK: - Statements

extension Database {
    fileprivate func insert(
        _ goal: Goal,
        _ new: NewGoal,
        creation: Int64,
        change: Int64,
        number: Int64,
        of account: AccountID
    ) throws {
        try run(
            """
            INSERT INTO goals (
                account, id, revision, created_at, updated_at, saved_amount, transaction_count,
                status, completed_at, currency, target_amount, starting_amount, planned_day,
                creation, title, title_search, note, note_search, sequence, number
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            account.rawValue,
            goal.id.stored,
            goal.revision,
            goal.createdAt.millisecondsSinceEpoch,
            goal.updatedAt.millisecondsSinceEpoch,
            goal.savedAmount.minorUnits,
            goal.transactionCount,
            goal.status.rawValue,
            goal.completedAt?.millisecondsSinceEpoch,
            goal.currency.code,
            goal.targetAmount?.minorUnits,
            goal.startingAmount.minorUnits,
            goal.plannedCompletionDate?.stored,
            creation,
            goal.title.text,
            new.titleSearch,
            goal.note.text,
            new.noteSearch,
            change,
            number
        )
    }

    fileprivate func update(
        _ goal: Goal,
        _ changes: GoalChanges,
        number: Int64,
        of account: AccountID
    ) throws {
        try run(
            """
            UPDATE goals
            SET revision = ?3, updated_at = ?4, saved_amount = ?5, status = ?6, completed_at = ?7,
                target_amount = ?8, starting_amount = ?9, planned_day = ?10, title = ?11,
                title_search = ifnull(?12, title_search), note = ?13,
                note_search = ifnull(?14, note_search), sequence = ?15
            WHERE account = ?1 AND id = ?2
            """,
            account.rawValue,
            goal.id.stored,
            goal.revision,
            goal.updatedAt.millisecondsSinceEpoch,
            goal.savedAmount.minorUnits,
            goal.status.rawValue,
            goal.completedAt?.millisecondsSinceEpoch,
            goal.targetAmount?.minorUnits,
            goal.startingAmount.minorUnits,
            goal.plannedCompletionDate?.stored,
            goal.title.text,
            changes.titleSearch.new,
            goal.note.text,
            changes.noteSearch.new,
            number
        )
    }

    fileprivate func delete(
        _ goal: Goal,
        at moment: Moment,
        number: Int64,
        of account: AccountID
    ) throws {
        let id = goal.id.stored
        try removeTexts(of: goal.id, of: account)
        try run("DELETE FROM transactions WHERE account = ? AND goal = ?", account.rawValue, id)
        try run("DELETE FROM monthly_totals WHERE account = ? AND goal = ?", account.rawValue, id)
        try run("DELETE FROM goals WHERE account = ? AND id = ?", account.rawValue, id)
        // The goal's own tombstone takes the place of those of its transactions.
        try run("DELETE FROM tombstones WHERE account = ? AND goal = ?", account.rawValue, id)
        try run(
            """
            INSERT INTO tombstones (account, goal, entry, revision, deleted_at, sequence)
            VALUES (?, ?, x'', ?, ?, ?)
            """,
            account.rawValue,
            id,
            goal.revision + 1,
            moment.millisecondsSinceEpoch,
            number
        )
    }
}
