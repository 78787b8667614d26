internal import CSQLite

extension Database {
    /// Sets what a pragma stands for, and checks that SQLite has taken it.
    ///
    /// SQLite passes over a pragma that it does not know or will not follow without a word, which is
    /// why each is read back.
    ///
    /// - Parameters:
    ///   - assignment: The pragma with its value, such as `PRAGMA foreign_keys = ON`.
    ///   - question: The pragma without it, whose answer is checked.
    ///   - expected: What it must answer.
    /// - Throws: ``SQLiteError`` if it answers something else.
    public func set<Value: SQLiteValue & Equatable>(
        _ assignment: StaticString,
        _ question: StaticString,
        expecting expected: Value
    ) throws {
        try runScript(assignment)
        let answer = try row(question) { row in try row[0] as Value }
        guard answer == expected else {
            throw SQLiteError(
                extendedCode: SQLITE_ERROR,
                message: "answered \(answer.map { "\($0)" } ?? "nothing") instead of \(expected)",
                context: "\(assignment)"
            )
        }
    }

    /// Sets how long to wait for a lock of another connection before an error says `SQLITE_BUSY`.
    public func setBusyTimeout(milliseconds: Int) {
        sqlite3_busy_timeout(connection, Int32(clamping: milliseconds))
    }

    /// Leaves the log as it is when the connection closes, even if it is the last one.
    ///
    /// For a file that turns out not to be ours to write to.
    public func keepLogOnClose() {
        goalpost_sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
}
