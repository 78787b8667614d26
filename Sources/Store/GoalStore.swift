public import Goals
internal import SQLite

/// The goals and their transactions, on the disk or in memory.
///
/// Reads are plain calls: those that an index leads to take microseconds and may be made on an event
/// loop; others belong ``inBackground(_:)``. Writes are commands that wait for the next commit, see
/// ``write(_:)``: nothing is answered before it is on the disk.
///
/// One connection writes and folds in the log; all others only read, and never wait for it.
public final class GoalStore: Sendable {
    let writer: Writer
    private let file: DataFile?

    /// Moves on with each change of accounts and tokens, whoever makes it.
    let changes: ChangeCounter
    private let record = HealthRecord()
    private let reads: Reads
    private let background: BackgroundQueue

    /// Where a store is.
    public enum Location: Hashable, Sendable {
        /// In a file; it is made, and its folder, if there is none.
        case file(String)

        /// In memory, gone when the store is. Reads and writes take turns on one connection.
        case memory
    }

    /// The bounds of a store.
    public struct Options: Hashable, Sendable {
        /// How many commands may wait for the writer.
        public var queuedWrites: Int

        /// How many threads may make bounded reads without waiting for one another: the event loops.
        public var readConnections: Int

        /// How many reads run in the background at once.
        public var backgroundConnections: Int

        /// How many reads may wait for the background or run there.
        public var queuedReads: Int

        /// What each account may have.
        public var limits: Limits

        /// After how many milliseconds no further command is taken into a transaction, so that the first
        /// need not wait for all.
        public var groupMilliseconds = 100

        public init(
            queuedWrites: Int = 10_000,
            readConnections: Int = 4,
            backgroundConnections: Int = 2,
            queuedReads: Int = 1_000,
            limits: Limits = Limits()
        ) {
            self.limits = limits
            self.queuedWrites = queuedWrites
            self.readConnections = readConnections
            self.backgroundConnections = backgroundConnections
            self.queuedReads = queuedReads
        }
    }

    /// What one account may have; `nil` is as much as there is room for.
    public struct Limits: Hashable, Sendable {
        public var goals: Int?
        public var transactions: Int?

        public init(goals: Int? = nil, transactions: Int? = nil) {
            self.goals = goals
            self.transactions = transactions
        }
    }

    /// Opens a store; makes it if there is none, and brings it to this program's version.
    ///
    /// A file that is not ours, was emptied, is of a newer version or is in use by another server is
    /// refused and left as it is.
    ///
    /// - Parameters:
    ///   - location: Where it is.
    ///   - options: Its bounds.
    ///   - now: The clock that commands are dated by. If it goes back, their dates stand still.
    ///   - notice: Told in sentences what is done to a file of an earlier version.
    /// - Throws: ``OpeningError``, which says in a sentence what is in the way.
    public init(
        at location: Location,
        options: Options = Options(),
        now: @escaping @Sendable () -> Moment,
        notice: (String) -> Void = { _ in }
    ) throws {
        switch location {
        case .memory:
            file = nil
            changes = ChangeCounter()
            writer = try Writer(
                .memory,
                options: options,
                record: record,
                now: now
            )
            reads = .onWriter(writer)
        case .file(let name):
            let file = try DataFile(at: name)
            self.file = file
            changes = file.changes
            do {
                let day = CalendarDay(of: now(), secondsFromGMT: 0)
                try file.prepare(on: day, notice: notice)
                let connections = Connections.file(file)
                writer = try Writer(
                    connections,
                    options: options,
                    record: record,
                    now: now
                )
                // One for each thread that may read, so that none waits for a slow read of another.
                let count = options.readConnections + options.backgroundConnections
                reads = .fromPool(try ReadPool(connections, count: count))
            } catch let error as SQLiteError {
                throw OpeningError.sqlite(name, error)
            } catch let error as SystemError {
                throw OpeningError.system(name, error)
            }
        }
        background = BackgroundQueue(
            width: options.backgroundConnections,
            capacity: options.queuedReads
        )
    }

    /// Waits for the commands and reads that were taken, folds in the log and lets the file go.
    ///
    /// Whatever is asked of the store afterwards is unavailable. Blocks until it is done.
    public func close() {
        background.close()
        if case .fromPool(let pool) = reads {
            pool.close()
        }
        writer.close()
        record.noteWrite(.closed)
    }
}

// MARK: - Reads

extension GoalStore {
    /// Runs reads that may take long, such as those of a query that is not bounded.
    ///
    /// They run on threads of their own, few at once, so that they keep no event loop waiting.
    ///
    /// - Throws: ``StoreError/queueFull`` if too many wait already, or what the reads throw.
    public func inBackground<Value: Sendable>(
        _ read: @escaping @Sendable (GoalStore) throws -> Value
    ) async throws -> Value {
        try await background.run { try read(self) }
    }

    /// Runs reads on a connection that nobody else uses meanwhile.
    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        do {
            return switch reads {
            case .fromPool(let pool): try pool.read(body)
            case .onWriter(let writer): try writer.read(body)
            }
        } catch {
            record.note(error)
            throw error
        }
    }

    /// Where reads find a connection.
    private enum Reads: Sendable {
        case fromPool(ReadPool)

        /// What is in memory can be seen by the connection alone that made it.
        case onWriter(Writer)
    }
}

// MARK: - Writes

extension GoalStore {
    /// Runs a command in the writer's next transaction, and answers when that is on the disk.
    ///
    /// Commands that wait share a transaction. A command that throws changes nothing, and leaves the
    /// others as they are. It may have to be run again because of another one: what a command does
    /// outside of the transaction must not mind that, and only the last run's result is answered.
    ///
    /// - Parameters:
    ///   - weight: About how many single commands it is as much work as, which is what the queue and
    ///     the transactions are bounded by; at least 1.
    ///   - command: The command.
    /// - Returns: What the command does.
    /// - Throws: ``StoreError/queueFull`` if too many commands wait;
    ///   ``StoreError/storage(_:)`` if the commit failed; else what the command throws.
    public func write<Value: Sendable>(
        weight: Int = 1,
        _ command: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            write(weight: weight, command) { continuation.resume(with: $0) }
        }
    }

    /// The same for those who do not wait in a task.
    ///
    /// The answer is called once with what the command does or throws: on the writer's thread, which
    /// has more to do, or on this one if the queue does not take the command.
    public func write<Value: Sendable>(
        weight: Int = 1,
        _ command: @escaping @Sendable (WriteTransaction) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        writer.enqueue(Command(weight: weight, command, answering: answer))
    }

    /// Sets who is told which goals a commit changes.
    ///
    /// Both closures are called on the writer's thread and should be quick. They take the place of
    /// those set before.
    ///
    /// - Parameters:
    ///   - before: Called while reads still find the goals as they were. It must not write.
    ///   - after: Called once for each call of `before`, when the commit is on the disk, or has
    ///     failed, and before its commands are answered.
    public func observeCommits(
        before: @escaping @Sendable (Set<GoalKey>) -> Void = { _ in },
        after: @escaping @Sendable (Set<GoalKey>) -> Void
    ) {
        writer.observeCommits(CommitObserver(before: before, after: after))
    }

    /// Whether the last write reached the disk, the file is where it was, and no damage was met since
    /// the store was opened.
    public var health: Health {
        let health = record.health
        guard health == .writable, let file, !file.isInPlace else { return health }
        return .failing(.fileGone)
    }

    /// The health, for which a store that was failing tries to write once more.
    public func probe() async -> Health {
        guard case .failing = health else { return .writable }
        do {
            try await write { transaction in try transaction.rewriteAccount() }
        } catch {
            // The writer has kept the reason as its health, unless the queue was too full to try.
        }
        return health
    }
}
