public import Goals
internal import SQLite

extension GoalStore {
    /// Forgets answers whose time is over, and deletions that are older than they are kept for.
    ///
    /// Goes in small pieces, between which other commands have their turn.
    ///
    /// - Parameters:
    ///   - moment: What expired by then goes.
    ///   - deletionsBefore: Deletions before this moment go.
    /// - Returns: How much went.
    /// - Throws: ``StoreError`` if it could not be written; what went before is gone.
    @discardableResult
    public func forgetExpired(at moment: Moment, deletionsBefore: Moment) async throws -> Int {
        var total = 0
        while true {
            let count = try await write { transaction in
                try transaction.forgetAnswers(expiredAt: moment)
                    + transaction.forgetDeletions(before: deletionsBefore)
            }
            total += count
            if count == 0 { return total }
        }
    }
}

extension Database {
    /// Deletes kept answers, from the first on, but no more of them than takes a few milliseconds: a long
    /// one has hundreds of pages, each of which is written to.
    ///
    /// - Returns: How many; one at least, if there is any.
    func dropSome(of answers: [KeptAnswerRow]) throws -> Int {
        var (count, bytes) = (0, 0)
        for answer in answers {
            guard count == 0 || bytes + answer.bytes <= bytesAtOnce else { break }
            try drop(answer)
            (count, bytes) = (count + 1, bytes + answer.bytes)
        }
        return count
    }
}

/// How many rows go at once: commands that wait meanwhile wait for a few milliseconds.
private let rowsAtOnce = 200

/// How many bytes of bodies.
private let bytesAtOnce = 1_024 * 1_024

extension WriteTransaction {
    fileprivate func forgetAnswers(expiredAt moment: Moment) throws -> Int {
        let answers = try database.rows(
            """
            SELECT rowid, account, length(body) FROM kept_answers
            WHERE expires_at <= ?
            ORDER BY expires_at
            LIMIT ?
            """,
            moment.millisecondsSinceEpoch,
            rowsAtOnce
        ) { row in try KeptAnswerRow(row) }
        if !answers.isEmpty { try willWrite() }
        return try database.dropSome(of: answers)
    }

    /// Forgets deletions, and notes up to which number the order of changes has gaps now.
    fileprivate func forgetDeletions(before moment: Moment) throws -> Int {
        let tombstones = try database.rows(
            """
            SELECT account, goal, entry, sequence FROM tombstones
            WHERE deleted_at < ?
            ORDER BY deleted_at
            LIMIT ?
            """,
            moment.millisecondsSinceEpoch,
            rowsAtOnce
        ) { row in
            (
                account: try row[0] as Int64, goal: try row[1] as Bytes16,
                entry: try row[2] as [UInt8], number: try row[3] as Int64
            )
        }
        if !tombstones.isEmpty { try willWrite() }
        for tombstone in tombstones {
            try database.run(
                "DELETE FROM tombstones WHERE account = ? AND goal = ? AND entry = ?",
                tombstone.account,
                tombstone.goal,
                tombstone.entry
            )
            try database.run(
                "UPDATE accounts SET forgotten = max(forgotten, ?2) WHERE id = ?1",
                tombstone.account,
                tombstone.number
            )
        }
        return tombstones.count
    }
}
