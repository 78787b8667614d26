internal import SQLite

/// Makes the connections to one store.
enum Connections: Sendable {
    case file(DataFile)
    case memory

    /// How long a connection waits for the lock of a process that is not ours.
    static let busyTimeoutMilliseconds = 5_000

    /// Opens a connection that writes; there must be one at most.
    ///
    /// A file has the version that it has; see ``DataFile/prepare(on:notice:)``. A log is worth its name only if a commit waits for the disk: `synchronous = FULL`.
    func openWriter() throws -> Database {
        let database: Database
        switch self {
        case .memory:
            database = try Database(at: ":memory:", mode: .create)
            try Connections.configure(database)
            try Schema.migrate(database)
            return database
        case .file(let file):
            try checkPlace()
            database = try Database(at: file.path, mode: .readWrite)
            try Connections.configure(database)
            try file.checkOwnership(of: database)
        }
        try database.set("PRAGMA journal_mode = WAL", "PRAGMA journal_mode", expecting: "wal")
        try database.set("PRAGMA synchronous = FULL", "PRAGMA synchronous", expecting: 2)
        // What the log is cut to when it starts over. In bytes.
        try database.set(
            "PRAGMA journal_size_limit = 8388608",
            "PRAGMA journal_size_limit",
            expecting: 8_388_608
        )
        return database
    }

    /// Opens a connection that only reads, and never folds in the log.
    func openReader() throws -> Database {
        guard case .file(let file) = self else {
            preconditionFailure("A store in memory has the one connection alone.")
        }
        try checkPlace()
        return try Connections.openReader(at: file.path)
    }

    /// Opens a connection that only reads to a file which somebody else may be writing.
    static func openReader(at path: String) throws -> Database {
        let database = try Database(at: path, mode: .readOnly)
        try configure(database)
        try database.set("PRAGMA query_only = ON", "PRAGMA query_only", expecting: 1)
        return database
    }

    /// Opens a connection that writes to a file which a server has, and leaves the log to that one.
    static func openBesideServer(at path: String) throws -> Database {
        let database = try Database(at: path, mode: .readWrite)
        database.keepLogOnClose()
        try configure(database)
        try database.set("PRAGMA journal_mode = WAL", "PRAGMA journal_mode", expecting: "wal")
        try database.set("PRAGMA synchronous = FULL", "PRAGMA synchronous", expecting: 2)
        return database
    }

    /// Checks that the file is still the one that was claimed.
    ///
    /// - Throws: ``StoreError/storage(_:)`` if it was removed or replaced.
    func checkPlace() throws {
        guard case .file(let file) = self, !file.isInPlace else { return }
        throw StoreError.storage(.fileGone)
    }

    /// What is the same for all connections: each has to be told.
    private static func configure(_ database: Database) throws {
        database.setBusyTimeout(milliseconds: Connections.busyTimeoutMilliseconds)
        try database.set("PRAGMA foreign_keys = ON", "PRAGMA foreign_keys", expecting: 1)
        try database.set("PRAGMA trusted_schema = OFF", "PRAGMA trusted_schema", expecting: 0)
        try database.set("PRAGMA cell_size_check = ON", "PRAGMA cell_size_check", expecting: 1)
        try database.set("PRAGMA temp_store = MEMORY", "PRAGMA temp_store", expecting: 2)
        // At most 2 MiB of pages for each connection.
        try database.set("PRAGMA cache_size = -2048", "PRAGMA cache_size", expecting: -2048)
        // Damage under a memory map would be a signal in place of an error.
        try database.run("PRAGMA mmap_size = 0")
    }
}
