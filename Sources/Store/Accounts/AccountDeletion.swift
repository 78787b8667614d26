internal import Goals
internal import SQLite

/// What was deleted with an account.
public struct AccountDeletion: Hashable, Sendable {
    public internal(set) var goals = 0
    public internal(set) var transactions = 0

    /// Notes of goals and transactions that were deleted before.
    public internal(set) var notes = 0

    /// Answers that were kept for retries.
    public internal(set) var answers = 0
    public internal(set) var tokens = 0
}

extension AccountBook {
    /// Deletes an account and all that it has, and overwrites that in the file.
    ///
    /// Nobody is let in to it from the first moment. Then its data goes in pieces, between which a
    /// server writes for others; each piece leaves a file in which everything adds up. The account
    /// itself goes last, so that a deletion that was cut short can be done again, and goes on.
    ///
    /// - Parameters:
    ///   - name: The account.
    ///   - pause: Waits for a moment between two pieces. A server that waits for the file looks for it
    ///     every now and then, and would hardly ever find it free if the next piece came at once.
    /// - Returns: What was deleted this time.
    /// - Throws: ``AccountError`` if there is no such account, or it is the default one;
    ///   ``OpeningError`` if the file can't be written.
    public func deleteAccount(
        _ name: Label,
        pause: () -> Void = {}
    ) throws -> AccountDeletion {
        try overwriteWhatIsDeleted()
        let account = try change { changes in
            let account = try changes.account(name)
            guard account != .default else { throw AccountError.defaultIsForEver }
            try changes.beginDeletion(of: account)
            return account
        }
        var deletion = AccountDeletion()
        while try deletePiece(of: account, &deletion) { pause() }
        return deletion
    }

    /// Deletes some of what an account has, or the account once it has nothing.
    ///
    /// - Returns: Whether the account is still there.
    func deletePiece(of account: AccountID, _ deletion: inout AccountDeletion) throws -> Bool {
        let (piece, isDone) = try transaction { changes in
            var piece = AccountDeletion()
            let isDone = try changes.database.deletePiece(of: account, &piece, &rewritingRounds)
            return (piece, isDone)
        }
        deletion.goals += piece.goals
        deletion.transactions += piece.transactions
        deletion.notes += piece.notes
        deletion.answers += piece.answers
        deletion.tokens += piece.tokens
        return !isDone
    }
}

/// About how many rows go in one transaction, for which a server has to wait.
private let rowsAtOnce = 1_000

/// How many bytes of a goal's texts take as long to be taken out of the index as a row does.
private let textBytesPerRow = 16

extension Database {
    /// - Returns: Whether there is nothing left, the account included.
    fileprivate func deletePiece(
        of account: AccountID,
        _ piece: inout AccountDeletion,
        _ rewritingRounds: inout Int?
    ) throws -> Bool {
        var rows = rowsAtOnce
        while rows > 0, let goal = try firstGoal(of: account) {
            rows -= try delete(goal, of: account, atMost: rows, &piece)
        }
        guard rows > 0 else { return false }
        piece.notes = try deleteTombstones(of: account, atMost: rows)
        rows -= piece.notes
        guard rows > 0 else { return false }
        piece.answers = try deleteAnswers(of: account, atMost: rows)
        guard piece.answers == 0, try rewriteIndex(&rewritingRounds) else { return false }
        try run("DELETE FROM tokens WHERE account = ?", account.rawValue)
        piece.tokens = changedRows
        try run("DELETE FROM accounts WHERE id = ?", account.rawValue)
        return true
    }

    private func firstGoal(of account: AccountID) throws -> Goal? {
        try row(
            """
            SELECT id, title, note, currency, target_amount, starting_amount, planned_day, status,
                completed_at, saved_amount, transaction_count, revision, created_at, updated_at
            FROM goals
            WHERE account = ?
            ORDER BY id
            LIMIT 1
            """,
            account.rawValue
        ) { row in try Goal(row) }
    }

    /// Deletes a goal with its transactions, or only some of these if there are many.
    ///
    /// - Returns: How many rows that were, or as much work as how many.
    private func delete(
        _ goal: Goal,
        of account: AccountID,
        atMost most: Int,
        _ piece: inout AccountDeletion
    ) throws -> Int {
        guard goal.transactionCount >= most else {
            try run(
                "DELETE FROM monthly_totals WHERE account = ? AND goal = ?",
                account.rawValue,
                goal.id.stored
            )
            try run(
                "DELETE FROM transactions WHERE account = ? AND goal = ?",
                account.rawValue,
                goal.id.stored
            )
            let transactions = changedRows
            try removeTexts(of: goal.id, of: account)
            try run(
                "DELETE FROM goals WHERE account = ? AND id = ?",
                account.rawValue,
                goal.id.stored
            )
            try count(goals: 1, transactions: transactions, out: account, &piece)
            let textBytes = goal.title.text.utf8.count + goal.note.text.utf8.count
            return transactions + 1 + textBytes / textBytesPerRow
        }
        let transactions = try smallestTransactions(of: goal, of: account, atMost: most)
        let facts = PendingFacts(on: self)
        for transaction in transactions {
            try run(
                "DELETE FROM transactions WHERE account = ? AND goal = ? AND id = ?",
                account.rawValue,
                goal.id.stored,
                transaction.id.stored
            )
            try facts.takeFromTotals(transaction, of: account)
        }
        try facts.write()
        try run(
            """
            UPDATE goals
            SET saved_amount = ?3, transaction_count = transaction_count - ?4
            WHERE account = ?1 AND id = ?2
            """,
            account.rawValue,
            goal.id.stored,
            transactions.reduce(goal.savedAmount) { $0.without($1) }.minorUnits,
            transactions.count
        )
        try count(goals: 0, transactions: transactions.count, out: account, &piece)
        return transactions.count
    }

    /// Some transactions without which the saved amount of a goal stays within its bounds.
    ///
    /// From the smallest on: the largest of a month, which its totals know, then goes last, and nobody has
    /// to look for the next.
    private func smallestTransactions(
        of goal: Goal,
        of account: AccountID,
        atMost most: Int
    ) throws -> [Transaction] {
        func smallest(_ type: Transaction.Kind?) throws -> [Transaction] {
            try rows(
                """
                SELECT id, type, amount, day, category, note, revision, created_at, updated_at
                FROM transactions INDEXED BY transactions_by_amount
                WHERE account = ? AND goal = ? AND (?3 IS NULL OR type = ?3)
                ORDER BY amount, id
                LIMIT ?
                """,
                account.rawValue,
                goal.id.stored,
                type?.rawValue,
                most
            ) { row in try Transaction(row, in: goal.id) }
        }

        let transactions = try smallest(nil)
        var saved = transactions.reduce(goal.savedAmount) { $0.without($1) }
        guard !Money.savedAmounts.contains(saved) else { return transactions }
        // What is left once all income or all expenses are gone comes to no more than it did with them.
        var incomes = try smallest(.income)[...]
        var expenses = try smallest(.expense)[...]
        saved = goal.savedAmount
        return (0..<most).compactMap { _ in
            let takesIncome = expenses.isEmpty || (saved > .zero && !incomes.isEmpty)
            guard let next = takesIncome ? incomes.popFirst() : expenses.popFirst() else {
                return nil
            }
            saved = saved.without(next)
            return next
        }
    }

    private func count(
        goals: Int,
        transactions: Int,
        out account: AccountID,
        _ piece: inout AccountDeletion
    ) throws {
        try run(
            "UPDATE accounts SET goals = goals - ?2, transactions = transactions - ?3 WHERE id = ?1",
            account.rawValue,
            goals,
            transactions
        )
        piece.goals += goals
        piece.transactions += transactions
    }

    private func deleteTombstones(of account: AccountID, atMost most: Int) throws -> Int {
        let keys = try rows(
            "SELECT goal, entry FROM tombstones WHERE account = ? LIMIT ?",
            account.rawValue,
            most
        ) { row in (goal: try row[0] as Bytes16, entry: try row[1] as [UInt8]) }
        for key in keys {
            try run(
                "DELETE FROM tombstones WHERE account = ? AND goal = ? AND entry = ?",
                account.rawValue,
                key.goal,
                key.entry
            )
        }
        return keys.count
    }

    private func deleteAnswers(of account: AccountID, atMost most: Int) throws -> Int {
        let answers = try rows(
            "SELECT rowid, account, length(body) FROM kept_answers WHERE account = ? LIMIT ?",
            account.rawValue,
            most
        ) { row in try KeptAnswerRow(row) }
        return try dropSome(of: answers)
    }
}

extension Money {
    /// A saved amount once a transaction is gone.
    fileprivate func without(_ transaction: Transaction) -> Money {
        transaction.type == .income ? self - transaction.amount : self + transaction.amount
    }
}
