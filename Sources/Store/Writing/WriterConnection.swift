internal import Goals
internal import SQLite

/// The connection that writes, what it does with a batch of commands, and what follows a failure.
///
/// After a failed commit nobody knows what of it reached the disk, and the connection may believe
/// things of its file that are no longer so. It is closed, and the next batch opens another.
struct WriterConnection {
    /// After how many more pages the log is folded in: 4 MiB.
    private static let pagesPerCheckpoint = 1_000

    /// From how many pages on folding in waits for readers, and after how many more it does so again:
    /// 8 MiB, and 1 MiB.
    private static let pagesToWaitAt = 2_000
    private static let pagesBetweenWaits = 250

    /// How long it waits, and commits with it.
    ///
    /// A bounded read is done long before.
    private static let patienceMilliseconds = 50

    private let connections: Connections
    private let limits: GoalStore.Limits

    /// After what time no further command is taken into a transaction.
    private let groupTime: Duration
    private let now: @Sendable () -> Moment
    private var database: Database?
    private var isClosed = false

    /// The date of the last command; that of the next is no earlier.
    private var lastMoment: Moment

    /// How long the log was when it was last looked at.
    private var lastPages = 0

    /// How long the log may grow before it is folded in.
    private var checkpointPages = pagesPerCheckpoint

    init(
        _ connections: Connections,
        options: GoalStore.Options,
        now: @escaping @Sendable () -> Moment
    ) throws {
        self.connections = connections
        limits = options.limits
        groupTime = .milliseconds(options.groupMilliseconds)
        self.now = now
        let database = try connections.openWriter()
        self.database = database
        lastMoment = try database.latestMoment()
    }

    /// A batch that is on the disk.
    struct Batch: Sendable {
        /// What the first of the commands came to, in their order; those after them are still to be
        /// run, since these took long.
        let runs: [Command.Run]

        /// Whether anything had to be written, so that the disk has shown that it takes it.
        let hasWritten: Bool
    }

    /// Runs commands in one transaction, each on its own: one that throws is undone alone.
    ///
    /// It may be the first few of them only, if these take long.
    ///
    /// - Parameters:
    ///   - batch: The commands.
    ///   - announce: Called before the commit, if there are goals that it changes.
    /// - Returns: What they came to, which must not be told before it is here; or why none is kept.
    mutating func write(
        _ batch: ArraySlice<Command>,
        announce: (Set<GoalKey>) -> Void
    ) -> Result<Batch, StorageFailure> {
        do {
            let database = try openDatabase()
            do {
                return .success(try commit(batch, on: database, announce: announce))
            } catch {
                reopen()
                throw error
            }
        } catch StoreError.storage(let failure) {
            return .failure(failure)
        } catch SQLiteError.Code.full {
            return .failure(.diskFull)
        } catch  where error.tellsOfDamage {
            return .failure(.damaged)
        } catch {
            return .failure(.other("\(error)"))
        }
    }

    /// Runs commands and commits what they wrote.
    ///
    /// A savepoint for each would have SQLite copy every page that the command changes. But commands
    /// check before they write, so that those which fail have nearly always written nothing, and there
    /// is nothing to undo. Only when one has, the transaction is begun again, with savepoints.
    private mutating func commit(
        _ batch: ArraySlice<Command>,
        on database: Database,
        announce: (Set<GoalKey>) -> Void
    ) throws -> Batch {
        do {
            return try database.transaction {
                try run(batch, on: database, withSavepoints: false, announce: announce)
            }
        } catch is WriteTransaction.SavepointNeeded {
            return try database.transaction {
                try run(batch, on: database, withSavepoints: true, announce: announce)
            }
        }
    }

    private mutating func run(
        _ batch: ArraySlice<Command>,
        on database: Database,
        withSavepoints usesSavepoint: Bool,
        announce: (Set<GoalKey>) -> Void
    ) throws -> Batch {
        var runs: [Command.Run] = []
        runs.reserveCapacity(batch.count)
        var changedGoals: Set<GoalKey> = []
        let facts = PendingFacts(on: database)
        let changesBefore = database.totalChangedRows
        let end = ContinuousClock.now + groupTime
        for command in batch {
            lastMoment = max(lastMoment, now())
            let transaction = WriteTransaction(
                on: database,
                with: facts,
                at: lastMoment,
                limits: limits,
                usesSavepoint: usesSavepoint
            )
            let run = command.run(transaction)
            if let failure = run.failure {
                if concernsAll(failure) { throw failure }
                try transaction.undo()
            } else {
                try transaction.keep()
                changedGoals.formUnion(transaction.changedGoals)
            }
            runs.append(run)
            if ContinuousClock.now >= end { break }
        }
        try facts.write()
        if !changedGoals.isEmpty { announce(changedGoals) }
        return Batch(
            runs: runs,
            hasWritten: database.totalChangedRows > changesBefore
        )
    }

    /// Whether an error of one command is one of the disk or the connection, and so of them all.
    private func concernsAll(_ failure: any Error) -> Bool {
        switch (failure as? SQLiteError)?.code {
        case nil, .constraint?, .mismatch?, .corrupt?: false
        default: true
        }
    }
}

// MARK: - The connection's life

extension WriterConnection {
    /// Runs reads, outside of any transaction of the writer's.
    mutating func read<Value: Sendable>(
        _ body: @Sendable (Database) throws -> Value
    ) throws -> Value {
        try body(openDatabase())
    }

    /// Folds the log in, if it has grown long.
    ///
    /// Goes as far as it can without waiting for readers; the rest is for the next time. But where
    /// somebody reads at every moment, the log would never start over. So once it is long, this waits
    /// shortly for the readers that keep it from that.
    mutating func foldInLog() {
        guard let database else { return }
        let pages = database.logPages
        if pages < lastPages {
            // The log has started over.
            checkpointPages = WriterConnection.pagesPerCheckpoint
        }
        lastPages = pages
        guard pages >= checkpointPages else { return }
        // What cannot be folded in stays in the log, where it is safe, too.
        guard pages >= WriterConnection.pagesToWaitAt else {
            checkpointPages = pages + WriterConnection.pagesPerCheckpoint
            _ = try? database.checkpoint(.passive)
            return
        }
        checkpointPages = pages + WriterConnection.pagesBetweenWaits
        database.setBusyTimeout(milliseconds: WriterConnection.patienceMilliseconds)
        _ = try? database.checkpoint(.restarting)
        database.setBusyTimeout(milliseconds: Connections.busyTimeoutMilliseconds)
    }

    mutating func close() {
        isClosed = true
        guard case .file(let file) = connections else {
            database = nil
            return
        }
        // What cannot be folded in stays in the log, where the next start finds it. A file that was
        // moved away is still ours alone, and its log must not stay for another file of its name.
        _ = try? database?.checkpoint(.truncating)
        database = nil
        file.release()
    }

    private mutating func openDatabase() throws -> Database {
        guard !isClosed else { throw StoreError.storage(.closed) }
        if let database {
            // What is written to a file without a name is gone when the process is.
            try connections.checkPlace()
            return database
        }
        let database = try connections.openWriter()
        self.database = database
        return database
    }

    private mutating func reopen() {
        // What is in memory would be gone with its connection.
        if case .file = connections { database = nil }
    }
}
