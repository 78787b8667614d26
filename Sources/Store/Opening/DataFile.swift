internal import Goals
internal import SQLite
internal import Synchronization

/// The file that a store is in, locked for this process.
///
/// What is not ours is refused before SQLite opens it, and stays as it is.
final class DataFile: Sendable {
    /// The path as SQLite is given it.
    let path: String

    private let name: String

    /// The file that was claimed, whatever name it has meanwhile.
    private let identity: FileSystem.Identity

    private let locks: Mutex<Locks?>

    /// By which other processes tell of what they change in the file.
    let changes: ChangeCounter

    /// What keeps other servers away.
    ///
    /// The one lock is for those that are given the same name, the other for those that come to the
    /// file by another one: they would write the log beside that, and each would overwrite what the
    /// other has committed.
    private struct Locks {
        let beside: LockFile
        let file: FileLock
    }

    /// Takes possession of a file; makes it, and its folder, if there is none.
    ///
    /// - Throws: ``OpeningError`` if the file is not ours to use.
    init(at name: String) throws {
        self.name = name
        path = DataFile.path(of: name)
        guard !name.hasSuffix("/") else { throw OpeningError.notAFile(name) }
        do {
            try FileSystem.makeFolder(at: FileSystem.folder(of: path))
            guard let beside = try LockFile.acquire(at: path + ".lock") else {
                throw OpeningError.inUse(name)
            }
            identity = try DataFile.claim(path, name: name)
            guard let file = try FileLock.acquire(on: path) else {
                throw OpeningError.inUse(name)
            }
            locks = Mutex(Locks(beside: beside, file: file))
            changes = beside.changes
        } catch let error as SystemError {
            throw OpeningError.system(name, error)
        } catch let error as SQLiteError {
            throw OpeningError.sqlite(name, error)
        }
    }

    /// The path of a file as SQLite is given it.
    ///
    /// SQLite must not take a name for anything but one: not `:memory:`, nor `file:` and options.
    static func path(of name: String) -> String {
        name.hasPrefix("/") ? name : "./" + name
    }

    /// Whether the file still has its name, and no other file has it instead.
    var isInPlace: Bool {
        FileSystem.identity(of: path) == identity
    }

    /// Lets another process have the file; all connections must be closed.
    func release() {
        locks.withLock { $0 = nil }
    }

    /// Checks what is there, or makes what is not.
    private static func claim(_ path: String, name: String) throws -> FileSystem.Identity {
        // The log stands beside the one name: who comes by another one would not see it.
        guard !FileSystem.isAlias(path) else { throw OpeningError.alias(name) }
        if try !isPresent(path, name: name) {
            guard FileSystem.size(of: path + "-wal") ?? 0 == 0 else {
                throw OpeningError.logWithoutFile(name)
            }
            try create(path)
        }
        guard FileSystem.isWritable(path) else { throw OpeningError.readOnly(name) }
        // It is gone again if somebody has just removed it.
        guard let identity = FileSystem.identity(of: path) else {
            throw OpeningError.absent(name)
        }
        return identity
    }

    /// Whether there is a file, which then is one of ours.
    ///
    /// - Throws: ``OpeningError`` if there is something else.
    private static func isPresent(_ path: String, name: String) throws -> Bool {
        switch try DatabaseFile(at: path) {
        case .absent: return false
        case .notAFile: throw OpeningError.notAFile(name)
        case .empty: throw OpeningError.empty(name)
        case .foreign: throw OpeningError.foreign(name)
        case .database(let applicationID, let userVersion):
            try check(name, applicationID: Int(applicationID), version: Int(userVersion))
            return true
        }
    }

    /// Makes the file under another name, and gives it its own when it is whole.
    ///
    /// A start that is cut short so leaves no file that the next one would have to refuse, but at most
    /// a draft that is in nobody's way.
    private static func create(_ path: String) throws {
        // Nobody but its owner reads it, and SQLite gives the log the same permissions.
        let draft = try FileSystem.makeDraft(of: path)
        do {
            try fill(draft)
            try FileSystem.rename(draft, to: path)
        } catch {
            // The error tells more than that a draft was left behind.
            try? FileSystem.remove(draft)
            throw error
        }
    }

    /// Makes the tables in an empty file, which is on the disk and closed when this returns.
    private static func fill(_ path: String) throws {
        let database = try Database(at: path, mode: .readWrite)
        try database.set("PRAGMA synchronous = FULL", "PRAGMA synchronous", expecting: 2)
        try Schema.migrate(database)
    }

    /// Checks again what the log may have in place of the file's header.
    ///
    /// If the file is refused, its log is left as it is.
    func checkOwnership(of database: Database) throws {
        do {
            try DataFile.check(
                name,
                applicationID: Schema.applicationID(of: database),
                version: Schema.version(of: database)
            )
        } catch {
            database.keepLogOnClose()
            throw error
        }
    }

    private static func check(_ name: String, applicationID: Int, version: Int) throws {
        guard applicationID == Int(Schema.applicationID) else { throw OpeningError.foreign(name) }
        guard version <= Schema.version else {
            throw OpeningError.newer(name, version: version)
        }
        guard version > 0 else { throw OpeningError.foreign(name) }
    }
}

// MARK: - Getting ready to write

extension DataFile {
    /// Makes sure that the file is sound and of this program's version.
    ///
    /// All of its pages are looked at if it is small, or to be upgraded. For a large file that takes
    /// minutes, in which nobody would be served: there, damage is met where it is, or found by
    /// `goalpost check`. One that was cut short SQLite itself knows by its size.
    ///
    /// An older one is upgraded; how it was is kept beside it.
    ///
    /// - Parameters:
    ///   - day: The day that the kept copy is named for.
    ///   - notice: Told in sentences what is done to the file.
    /// - Throws: ``OpeningError`` if it is damaged or can't be upgraded; it is then as it was.
    func prepare(on day: CalendarDay, notice: (String) -> Void) throws {
        let database = try Connections.file(self).openWriter()
        do {
            let version = try Schema.version(of: database)
            if version < Schema.version || FileSystem.size(of: path) ?? 0 <= DataFile.smallBytes {
                try checkPages(database)
            }
            guard version < Schema.version else { return }
            let kept = unusedName(beside: name, "v\(version)-\(day)")
            notice(
                "Upgrading \(name) from version \(version) of its tables to \(Schema.version); a copy "
                    + "of it as it is will be \(kept)"
            )
            try database.writeCopy(to: kept)
            try Schema.migrate(database)
            notice("Upgraded \(name) to version \(Schema.version)")
        } catch {
            database.keepLogOnClose()
            throw error
        }
    }
}

extension DataFile {
    /// The size up to which all pages of a file are looked at when it is opened: some tenths of a
    /// second's work.
    private static let smallBytes = 32 * 1_024 * 1_024

    private func checkPages(_ database: Database) throws {
        let message = try database.row("PRAGMA quick_check(1)") { row in try row[0] as String }
        guard message == "ok" else { throw OpeningError.damaged(name, message ?? "nothing") }
    }
}

// MARK: - Beside a server

extension DataFile {
    /// Checks that a file is there, and that whoever has it came by the same name.
    ///
    /// What was written last is in the log, which stands beside the name that the server has.
    static func checkIsShared(_ name: String) throws {
        let path = path(of: name)
        guard try isPresent(path, name: name) else { throw OpeningError.absent(name) }
        guard !FileSystem.hasOtherNames(path) else { throw OpeningError.alias(name) }
        guard !FileLock.isHeld(on: path) || FileLock.isHeld(on: path + ".lock") else {
            throw OpeningError.inUseElsewhere(name)
        }
    }

    /// Reads a file that a server may be using, and leaves everything as it is.
    ///
    /// To read beside others, SQLite may make an index and an empty log beside the file. They are left
    /// to the next server: nobody knows who else is reading by them.
    ///
    /// - Throws: ``OpeningError`` if there is no file, or none of ours.
    static func reading<Value>(
        _ name: String,
        _ body: (Database) throws -> Value
    ) throws -> Value {
        let path = path(of: name)
        do {
            try checkIsShared(name)
            let database = try Connections.openReader(at: path)
            try check(
                name,
                applicationID: Schema.applicationID(of: database),
                version: Schema.version(of: database)
            )
            return try body(database)
        } catch let error as SystemError {
            throw OpeningError.system(name, error)
        } catch let error as SQLiteError {
            throw OpeningError.sqlite(name, error)
        }
    }
}
