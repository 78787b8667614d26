public import Goals
internal import SQLite

/// The accounts and tokens of a data file, for who runs the server, beside it or without it.
///
/// Where a server runs, this is a second process that writes: in short transactions, between which the
/// server has its turn, and without folding in the log, which is the server's to do. After each commit
/// the server is told by the number in its lock file; see `ChangeCounter`. Where no server runs, the
/// file is locked as a server would lock it, made if there is none, and brought to this version.
///
/// Never to be opened in the process of a server that has the same file.
public final class AccountBook {
    private let name: String
    private let path: String
    private let now: () -> Moment
    private let identity: FileSystem.Identity?
    private var database: Database?

    /// The lock of a file that no server has.
    private var file: DataFile?

    /// How often more the index of texts may be rewritten, while an account is deleted.
    var rewritingRounds: Int?

    /// How long to wait for a server that commits without a pause.
    private static let patience = Duration.seconds(30)

    /// How long SQLite waits by itself.
    ///
    /// It looks at ever greater intervals, up to 100 ms. A busy server leaves the file free for instants,
    /// which so few looks would miss for seconds.
    private static let busyTimeoutMilliseconds = 20

    /// Opens the accounts of a data file, to change them.
    ///
    /// - Parameters:
    ///   - name: The data file.
    ///   - now: The clock.
    ///   - notice: Told in sentences what is done to a file of an earlier version.
    /// - Throws: ``OpeningError``, which says in a sentence what is in the way.
    public init(
        ofFileAt name: String,
        now: @escaping () -> Moment,
        notice: (String) -> Void
    ) throws {
        self.name = name
        self.now = now
        path = DataFile.path(of: name)
        do {
            do {
                let isNew = !FileSystem.isPresent(path)
                let file = try DataFile(at: name)
                self.file = file
                // Who makes the first token need not be who runs the server.
                if isNew {
                    try FileSystem.giveFile(path, toOwnerOf: FileSystem.folder(of: path))
                }
                try file.prepare(
                    on: CalendarDay(of: now(), secondsFromGMT: 0),
                    notice: notice
                )
                database = try Connections.file(file).openWriter()
            } catch let error as OpeningError where error == .inUse(name) {
                try DataFile.checkIsShared(name)
                database = try Connections.openBesideServer(at: path)
                guard try database.map(Schema.version(of:)) == Schema.version else {
                    throw OpeningError.olderInUse(name)
                }
            }
            database?.setBusyTimeout(milliseconds: AccountBook.busyTimeoutMilliseconds)
            identity = FileSystem.identity(of: path)
        } catch let error as SystemError {
            throw OpeningError.system(name, error)
        } catch let error as SQLiteError {
            throw OpeningError.sqlite(name, error)
        }
    }

    /// Closes the file, and lets a server have it.
    ///
    /// Without a server, what was written is folded into the file; beside one, that is the server's.
    deinit {
        database = nil
        file?.release()
    }

    /// Changes accounts and tokens; a running server goes by it from its next request on.
    ///
    /// - Throws: ``AccountError`` if that can't be done, and ``OpeningError`` if the file can't be
    ///   written; then nothing has changed.
    @discardableResult
    public func change<Value>(_ body: (AccountChanges) throws -> Value) throws -> Value {
        var announced: ChangeCounter.Change?
        defer { tellServer(of: announced) }
        return try transaction { changes in
            let value = try body(changes)
            announced = try ChangeCounter.open(at: path + ".lock")?.beginChange()
            return value
        }
    }

    /// Runs a transaction that no server has to be told of.
    func transaction<Value>(_ body: (AccountChanges) throws -> Value) throws -> Value {
        let end = ContinuousClock.now + AccountBook.patience
        while true {
            do {
                return try attempt(body)
            } catch SQLiteError.Code.busy where ContinuousClock.now < end {
                continue
            } catch let error as SystemError {
                throw OpeningError.system(name, error)
            } catch let error as SQLiteError {
                throw OpeningError.sqlite(name, error)
            }
        }
    }

    private func attempt<Value>(_ body: (AccountChanges) throws -> Value) throws -> Value {
        guard let database else { preconditionFailure("The file is open until this is gone") }
        return try database.transaction {
            // Another file may have been put in its place meanwhile.
            guard let identity, FileSystem.identity(of: path) == identity else {
                throw OpeningError.absent(name)
            }
            return try body(AccountChanges(on: database, at: now()))
        }
    }

    /// Has what is deleted overwritten in the file, and not only forgotten.
    func overwriteWhatIsDeleted() throws {
        try database?.set("PRAGMA secure_delete = ON", "PRAGMA secure_delete", expecting: 1)
    }

    /// Moves the number on that the server looks at.
    ///
    /// The server may be another one by now, with another lock file. One that was started after the
    /// commit has read what is there, and is told for nothing.
    private func tellServer(of announced: ChangeCounter.Change?) {
        // Cannot fail but for a lock file that is gone, or was opened a moment ago.
        guard let counter = try? ChangeCounter.open(at: path + ".lock") else { return }
        if let announced {
            counter.endChange(announced)
        } else {
            counter.noteChange()
        }
    }
}

// MARK: - Looking

extension AccountBook {
    /// The accounts of a data file, in the order in which they were made; nothing is changed.
    ///
    /// - Throws: ``OpeningError`` if there is no file, or none of this version.
    public static func accounts(ofFileAt name: String) throws -> [Account] {
        try reading(name) { try $0.accounts() }
    }

    /// The tokens of an account, or of all; nothing is changed.
    ///
    /// - Throws: ``AccountError`` if there is no such account, and ``OpeningError`` if there is no
    ///   file, or none of this version.
    public static func tokens(of account: Label?, inFileAt name: String) throws -> [TokenEntry] {
        try reading(name) { try $0.tokens(of: account) }
    }

    private static func reading<Value>(
        _ name: String,
        _ body: (Database) throws -> Value
    ) throws -> Value {
        try DataFile.reading(name) { database in
            guard try Schema.version(of: database) == Schema.version else {
                throw OpeningError.older(name)
            }
            return try body(database)
        }
    }
}
