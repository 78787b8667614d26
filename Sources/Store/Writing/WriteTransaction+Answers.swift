public import Goals
internal import SQLite

extension GoalStore {
    /// The most that the kept answers of one account come to, in bytes: some 100,000 new transactions.
    public static let mostKeptBytes = 64 * 1_024 * 1_024

    /// The answer that was given to the command with a key, if there was one and it is still kept.
    public func keptAnswer(
        for key: String,
        of account: AccountID,
        at moment: Moment
    ) throws -> KeptAnswer? {
        try read { try $0.keptAnswer(for: key, of: account, at: moment) }
    }
}

extension WriteTransaction {
    /// The answer that was given to the command with a key, if there was one and it is still kept.
    public func keptAnswer(for key: String, of account: AccountID) throws -> KeptAnswer? {
        try database.keptAnswer(for: key, of: account, at: moment)
    }

    /// Keeps an answer under a key, under which there is none, in the transaction of what it tells of.
    ///
    /// The answers of an account may come to ``GoalStore/mostKeptBytes``; the oldest make room.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - key: The key, which is the client's choice.
    ///   - expiry: Until when it is kept.
    ///   - account: Whose it is.
    /// - Throws: What the database does.
    public func keep(
        _ answer: KeptAnswer,
        for key: String,
        until expiry: Moment,
        of account: AccountID
    ) throws {
        try willWrite()
        // One that has expired may still be there.
        if let expired = try database.keptAnswerRow(for: key, of: account) {
            try database.drop(expired)
        }
        try database.run(
            """
            INSERT INTO kept_answers (account, key, request, status, fields, body, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            account.rawValue,
            key,
            answer.request,
            answer.status,
            answer.fields,
            answer.body,
            expiry.millisecondsSinceEpoch
        )
        var total = try database.addKeptBytes(answer.body.count, of: account.rawValue)
        while total > GoalStore.mostKeptBytes,
            let oldest = try database.oldestKeptAnswerRow(of: account)
        {
            total = try database.drop(oldest)
        }
    }
}

/// Where a kept answer is, and how large.
struct KeptAnswerRow {
    let id: Int64
    let account: Int64
    let bytes: Int

    init(_ row: borrowing Row) throws {
        id = try row[0]
        account = try row[1]
        bytes = try row[2]
    }
}

extension Database {
    /// Deletes a kept answer.
    ///
    /// - Returns: The bytes that the account still has of others.
    @discardableResult
    func drop(_ answer: KeptAnswerRow) throws -> Int {
        try run("DELETE FROM kept_answers WHERE rowid = ?", answer.id)
        return try addKeptBytes(-answer.bytes, of: answer.account)
    }

    fileprivate func addKeptBytes(_ bytes: Int, of account: Int64) throws -> Int {
        try row(
            "UPDATE accounts SET kept_bytes = kept_bytes + ?2 WHERE id = ?1 RETURNING kept_bytes",
            account,
            bytes
        ) { row in try row[0] } ?? 0
    }

    fileprivate func keptAnswerRow(for key: String, of account: AccountID) throws -> KeptAnswerRow?
    {
        try row(
            "SELECT rowid, account, length(body) FROM kept_answers WHERE account = ? AND key = ?",
            account.rawValue,
            key
        ) { row in try KeptAnswerRow(row) }
    }

    fileprivate func oldestKeptAnswerRow(of account: AccountID) throws -> KeptAnswerRow? {
        try row(
            """
            SELECT rowid, account, length(body)
            FROM kept_answers INDEXED BY kept_answers_by_account
            WHERE account = ?
            ORDER BY expires_at
            LIMIT 1
            """,
            account.rawValue
        ) { row in try KeptAnswerRow(row) }
    }
}

extension Database {
    fileprivate func keptAnswer(
        for key: String,
        of account: AccountID,
        at moment: Moment
    ) throws -> KeptAnswer? {
        try row(
            """
            SELECT request, status, fields, body
            FROM kept_answers
            WHERE account = ? AND key = ? AND expires_at > ?
            """,
            account.rawValue,
            key,
            moment.millisecondsSinceEpoch
        ) { row in
            KeptAnswer(
                request: try row[0],
                status: try row[1],
                fields: try row[2],
                body: try row[3]
            )
        }
    }
}
