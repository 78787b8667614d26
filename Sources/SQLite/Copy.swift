internal import CSQLite

extension Database {
    /// Copies the database, as of one moment, into a file of its own.
    ///
    /// The copy has no log beside it, and is on the disk when this returns. Others may read and write
    /// the database meanwhile.
    ///
    /// - Parameter path: A file that exists; what it holds is lost.
    /// - Throws: ``SQLiteError`` if the database can't be read or the file can't be written.
    public func copy(to path: String) throws {
        let copy = try Database(at: path, mode: .readWrite)
        try copy.set("PRAGMA synchronous = FULL", "PRAGMA synchronous", expecting: 2)
        guard let backup = sqlite3_backup_init(copy.connection, "main", connection, "main") else {
            throw SQLiteError(of: copy.connection, path)
        }
        let step = sqlite3_backup_step(backup, -1)
        let finish = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, finish == SQLITE_OK else {
            throw SQLiteError(
                extendedCode: step == SQLITE_DONE ? finish : step,
                message: String(cString: sqlite3_errstr(step == SQLITE_DONE ? finish : step)),
                context: path
            )
        }
        // What has a log would need one beside it to be read.
        try copy.set("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode", expecting: "delete")
    }
}
