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

    private let lock: Mutex<LockFile?>

    /// Takes possession of a file; makes it, and its folder, if there is none.
    ///
    /// - Throws: ``OpeningError`` if the file is not ours to use.
    init(at name: String) throws {
        self.name = name
        // SQLite must not take a name for anything but one: not `:memory:`, nor `file:` and options.
        path = name.hasPrefix("/") ? name : "./" + name
        guard !name.hasSuffix("/") else { throw OpeningError.notAFile(name) }
        do {
            try FileSystem.makeFolder(at: FileSystem.folder(of: path))
            guard let lock = try LockFile.acquire(at: path + ".lock") else {
                throw OpeningError.inUse(name)
            }
            self.lock = Mutex(lock)
            identity = try DataFile.claim(path, name: name)
        } catch let error as SystemError {
            throw OpeningError.system(name, error)
        } catch let error as SQLiteError {
            throw OpeningError.sqlite(name, error)
        }
    }

    /// Whether the file still has its name, and no other file has it instead.
    var isInPlace: Bool {
        FileSystem.identity(of: path) == identity
    }

    /// Lets another process have the file.
    func release() {
        lock.withLock { $0 = nil }
    }

    /// Checks what is there, or makes what is not.
    private static func claim(_ path: String, name: String) throws -> FileSystem.Identity {
        // Lock and log stand beside the one name: a server that comes by another one would see
        // neither, and two that write the same file lose each other's commits.
        guard !FileSystem.isAlias(path) else { throw OpeningError.alias(name) }
        switch try DatabaseFile(at: path) {
        case .absent:
            guard FileSystem.size(of: path + "-wal") ?? 0 == 0 else {
                throw OpeningError.logWithoutFile(name)
            }
            try create(path)
        case .notAFile:
            throw OpeningError.notAFile(name)
        case .empty:
            throw OpeningError.empty(name)
        case .foreign:
            throw OpeningError.foreign(name)
        case .database(let applicationID, let userVersion):
            try check(name, applicationID: Int(applicationID), version: Int(userVersion))
        }
        guard FileSystem.isWritable(path) else { throw OpeningError.readOnly(name) }
        guard let identity = FileSystem.identity(of: path) else {
            throw OpeningError.inUse(name)
        }
        return identity
    }

    /// Makes the file under another name, and gives it its own when it is whole.
    ///
    /// A start that is cut short so leaves no file that the next one would have to refuse.
    private static func create(_ path: String) throws {
        let draft = path + ".new"
        try FileSystem.remove(draft)
        try FileSystem.remove(draft + "-journal")
        // Nobody but its owner reads it, and SQLite gives the log the same permissions.
        try FileSystem.makeFile(at: draft)
        do {
            let database = try Database(at: draft, mode: .readWrite)
            try database.set("PRAGMA synchronous = FULL", "PRAGMA synchronous", expecting: 2)
            try Schema.migrate(database)
        }
        try FileSystem.rename(draft, to: path)
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
