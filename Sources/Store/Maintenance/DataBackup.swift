public import Goals
internal import SQLite

/// Copies of a data file, made and put back as a whole.
public enum DataBackup {
    /// Copies a data file, which a running server may be using, as of one moment.
    ///
    /// - Parameters:
    ///   - name: The data file.
    ///   - copy: The name of a file that does not exist. It appears only when it is whole.
    /// - Returns: What the examination of the copy came to.
    /// - Throws: ``OpeningError``, which says in a sentence what is in the way.
    @discardableResult
    public static func write(of name: String, to copy: String) throws -> DataCheck {
        try DataFile.reading(name) { database in
            do {
                return try database.writeCopy(to: copy)
            } catch let error as SystemError {
                throw OpeningError.system(copy, error)
            } catch let error as SQLiteError {
                throw OpeningError.sqlite(copy, error)
            }
        }
    }

    /// What was put back, and what became of what was there.
    public struct Restoration: Hashable, Sendable {
        public let check: DataCheck

        /// The name under which the file that was replaced is kept; `nil` if there was none.
        public let kept: String?
    }

    /// Puts a copy in the place of a data file, which no server may be using.
    ///
    /// - Parameters:
    ///   - copy: The copy, which is left as it is.
    ///   - name: The data file. If there is one, it is kept under another name.
    ///   - day: The day that the kept file is named for.
    /// - Returns: What is there now, and what became of what was.
    /// - Throws: ``OpeningError``, which says in a sentence what is in the way.
    @discardableResult
    public static func restore(
        _ copy: String,
        to name: String,
        on day: CalendarDay
    ) throws -> Restoration {
        guard !name.hasSuffix("/") else { throw OpeningError.notAFile(name) }
        let path = DataFile.path(of: name)
        do {
            try FileSystem.makeFolder(at: FileSystem.folder(of: path))
            guard !FileSystem.isAlias(path) else { throw OpeningError.alias(name) }
            guard try DatabaseFile(at: path) != .notAFile else { throw OpeningError.notAFile(name) }
            guard let beside = try LockFile.acquire(at: path + ".lock") else {
                throw OpeningError.inUse(name)
            }
            return try withExtendedLifetime(beside) {
                guard let identity = FileSystem.identity(of: path) else {
                    return try fill(path, name: name, with: copy)
                }
                guard identity != FileSystem.identity(of: DataFile.path(of: copy)) else {
                    throw OpeningError.taken(name)
                }
                guard let file = try FileLock.acquire(on: path) else {
                    throw OpeningError.inUse(name)
                }
                return try withExtendedLifetime(file) {
                    try replace(path, name: name, with: copy, on: day)
                }
            }
        } catch let error as SystemError {
            throw OpeningError.system(name, error)
        }
    }

    /// Puts a copy where there is nothing.
    private static func fill(
        _ path: String,
        name: String,
        with copy: String
    ) throws -> Restoration {
        // A log without its file belongs to nothing that could be put back.
        guard FileSystem.size(of: path + "-wal") ?? 0 == 0 else {
            throw OpeningError.logWithoutFile(name)
        }
        return try DataFile.reading(copy) { database in
            try database.withCopy(for: name) { draft, check in
                try beginNewHistory(in: draft)
                // Who restores need not be who runs the server.
                try FileSystem.giveFile(draft, toOwnerOf: FileSystem.folder(of: path))
                try FileSystem.rename(draft, to: path)
                return Restoration(check: check, kept: nil)
            }
        }
    }

    /// Puts a copy where there is a file, and keeps that.
    private static func replace(
        _ path: String,
        name: String,
        with copy: String,
        on day: CalendarDay
    ) throws -> Restoration {
        try DataFile.reading(copy) { database in
            try database.withCopy(for: name) { draft, check in
                try beginNewHistory(in: draft)
                try foldInLog(of: path, name: name)
                try FileSystem.giveFile(draft, toOwnerOf: path)
                let kept = unusedName(beside: name, "replaced-\(day)")
                // The file has both names until the copy takes one: wherever this is cut short, a
                // server finds nothing else than what was there, and says that it has two names.
                try FileSystem.link(path, as: kept)
                if FileSystem.size(of: path + "-wal") ?? 0 > 0 {
                    try FileSystem.rename(path + "-wal", to: kept + "-wal")
                }
                try FileSystem.remove(path + "-wal")
                try FileSystem.remove(path + "-shm")
                try FileSystem.rename(draft, to: path)
                return Restoration(check: check, kept: kept)
            }
        }
    }

    /// Lets clients that have seen more than the copy has know that they must read all anew.
    ///
    /// A copy of an earlier version has no order of changes yet, and gets one when it is upgraded.
    private static func beginNewHistory(in draft: String) throws {
        let database = try Database(at: draft, mode: .readWrite)
        guard try Schema.version(of: database) >= 3 else { return }
        try database.set("PRAGMA synchronous = FULL", "PRAGMA synchronous", expecting: 2)
        try database.run("UPDATE accounts SET history = random()")
    }

    /// Folds a log that a crash has left into its file; if it is damaged, both are kept as they are.
    ///
    /// - Throws: ``OpeningError`` if somebody reads by the log for longer than that can wait.
    private static func foldInLog(of path: String, name: String) throws {
        guard let database = try? Database(at: path, mode: .readWrite) else { return }
        database.setBusyTimeout(milliseconds: Connections.busyTimeoutMilliseconds)
        do {
            // A connection that has read nothing yet does not know of the log.
            _ = try Schema.version(of: database)
            if try database.checkpoint(.truncating) { return }
        } catch {
            // What is damaged cannot be folded in, and is kept.
            return database.keepLogOnClose()
        }
        database.keepLogOnClose()
        throw OpeningError.beingRead(name)
    }
}
