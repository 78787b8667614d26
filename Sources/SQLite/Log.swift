internal import CSQLite

// The write-ahead log: how long it has grown, and folding it into the database.

extension Database {
    /// How many pages the log held after this connection's last commit.
    public var logPages: Int {
        Int(log.pointee)
    }

    /// How far a checkpoint goes.
    public enum Checkpoint: Sendable {
        /// Folds in what it can without waiting for a reader.
        case passive

        /// Waits for readers, and folds in all, so that the next commit starts the log over.
        case restarting

        /// Waits for readers, folds in all, and cuts the log to no bytes.
        case truncating
    }

    /// Folds the log into the database.
    ///
    /// - Returns: Whether all of it was folded in.
    @discardableResult
    public func checkpoint(_ checkpoint: Checkpoint) throws -> Bool {
        let mode =
            switch checkpoint {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restarting: SQLITE_CHECKPOINT_RESTART
            case .truncating: SQLITE_CHECKPOINT_TRUNCATE
            }
        var pages: Int32 = 0
        var folded: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(connection, nil, mode, &pages, &folded)
        guard code == SQLITE_OK || code == SQLITE_BUSY else {
            throw SQLiteError(of: connection, "checkpoint")
        }
        return code == SQLITE_OK && pages == folded
    }

    /// Starts to count ``logPages``, which takes the place of SQLite's automatic checkpoints.
    func watchLog() {
        sqlite3_wal_hook(
            connection,
            { log, _, _, pages in
                log?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            },
            log
        )
    }
}
