public import Goals
internal import SQLite

extension GoalStore {
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
        try database.run(
            """
            INSERT OR REPLACE INTO kept_answers (
                account, key, request, status, fields, body, expires_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            account.rawValue,
            key,
            answer.request,
            answer.status,
            answer.fields,
            answer.body,
            expiry.millisecondsSinceEpoch
        )
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
