internal import Dispatch
internal import Goals
internal import SQLite
internal import Synchronization

/// The one connection that writes, and the queue of commands before it.
///
/// Commands that wait while a commit is under way go into the next one together: the disk is asked
/// once for all of them. All are answered in one go, too, so that the event loops that wait for them
/// are woken once.
final class Writer: Sendable {
    /// The most work in one transaction, which bounds how long the first command waits for the last.
    private static let batchWeight = 1_000

    private let capacity: Int
    private let queue = DispatchQueue(label: "goalpost.writer", qos: .userInitiated)
    private let waiting = Mutex(Waiting())
    private let observer = Mutex<CommitObserver?>(nil)
    private let record: HealthRecord
    private let connection: Mutex<WriterConnection>

    private struct Waiting {
        var commands: [Command] = []

        /// How much work they are, and of that, those which are more than one.
        var weight = 0
        var batchWeight = 0

        /// Whether the queue is at work, and will look again before it rests.
        var isBeingWritten = false
        var isClosed = false

        /// Whether a command may wait, too.
        ///
        /// Where nothing waits, whatever comes may. Batches leave half of the room to single commands:
        /// a few clients could else keep everybody else from writing.
        func hasRoom(for command: Command, capacity: Int) -> Bool {
            if commands.isEmpty { return true }
            let isBatch = command.weight > 1
            return weight + command.weight <= capacity
                && (!isBatch || batchWeight + command.weight <= capacity / 2)
        }

        mutating func add(_ command: Command) {
            commands.append(command)
            weight += command.weight
            if command.weight > 1 { batchWeight += command.weight }
        }

        /// Puts commands back that were the first.
        mutating func putBack(_ first: ArraySlice<Command>) {
            commands.insert(contentsOf: first, at: 0)
            for command in first {
                weight += command.weight
                if command.weight > 1 { batchWeight += command.weight }
            }
        }

        /// Takes the first commands, up to so much work, or one that is more.
        mutating func takeFirst(weighing most: Int) -> ArraySlice<Command> {
            guard weight > most else {
                defer { (commands, weight, batchWeight) = ([], 0, 0) }
                return commands[...]
            }
            var count = 0
            var taken = 0
            while count < commands.count, count == 0 || taken + commands[count].weight <= most {
                taken += commands[count].weight
                if commands[count].weight > 1 { batchWeight -= commands[count].weight }
                count += 1
            }
            defer { commands.removeFirst(count) }
            weight -= taken
            return commands.prefix(count)
        }
    }

    init(
        _ connections: Connections,
        options: GoalStore.Options,
        record: HealthRecord,
        now: @escaping @Sendable () -> Moment
    ) throws {
        capacity = options.queuedWrites
        self.record = record
        connection = Mutex(try WriterConnection(connections, options: options, now: now))
    }

    func observeCommits(_ observer: CommitObserver) {
        self.observer.withLock { $0 = observer }
    }

    /// Puts a command at the end of the queue, or refuses it.
    func enqueue(_ command: Command) {
        enum Outcome {
            case start
            case wait
            case refuse(StoreError)
        }
        let outcome = waiting.withLock { waiting in
            guard !waiting.isClosed else {
                return Outcome.refuse(.storage(.closed))
            }
            guard waiting.hasRoom(for: command, capacity: capacity) else {
                return .refuse(.queueFull)
            }
            waiting.add(command)
            guard !waiting.isBeingWritten else { return .wait }
            waiting.isBeingWritten = true
            return .start
        }
        switch outcome {
        case .start: queue.async { self.writeAll() }
        case .wait: break
        case .refuse(let error): command.refuse(error)
        }
    }

    /// How many commands wait.
    var waitingCommands: Int {
        waiting.withLock { $0.commands.count }
    }

    /// Runs reads between two transactions, for a store in memory.
    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        try connection.withLock { try $0.read(body) }
    }

    /// Takes no more commands, writes those that wait, folds in the log and closes the connection.
    func close() {
        waiting.withLock { $0.isClosed = true }
        queue.sync {
            connection.withLock { $0.close() }
        }
    }
}

// MARK: - On the queue

extension Writer {
    /// Writes what waits, until nothing does.
    private func writeAll() {
        while let batch = nextBatch() {
            write(batch)
            connection.withLock { $0.foldInLog() }
        }
    }

    private func nextBatch() -> ArraySlice<Command>? {
        waiting.withLock { waiting in
            guard !waiting.commands.isEmpty else {
                waiting.isBeingWritten = false
                return nil
            }
            return waiting.takeFirst(weighing: Writer.batchWeight)
        }
    }

    /// Writes commands in one transaction, and answers them; those that are left for another one go back
    /// to the head of the queue.
    private func write(_ batch: ArraySlice<Command>) {
        switch commit(batch) {
        case .success(let written):
            // Commands that only found nothing to do say nothing about the disk.
            if written.hasWritten { record.noteWrite(nil) }
            let rest = batch.dropFirst(written.runs.count)
            if !rest.isEmpty { waiting.withLock { $0.putBack(rest) } }
            for run in written.runs {
                if let failure = run.failure { record.note(failure) }
                run.answer()
            }
        case .failure(let failure):
            record.noteWrite(failure)
            for command in batch {
                command.refuse(StoreError.storage(failure))
            }
        }
    }

    /// Writes commands in one transaction, and tells the observer before and after.
    private func commit(
        _ batch: ArraySlice<Command>
    ) -> Result<WriterConnection.Batch, StorageFailure> {
        guard !record.isDamaged else { return .failure(.damaged) }
        let observer = observer.withLock { $0 }
        var announced: Set<GoalKey> = []
        let committed = connection.withLock { connection in
            connection.write(batch) { goals in
                announced = goals
                observer?.before(goals)
            }
        }
        if !announced.isEmpty { observer?.after(announced) }
        return committed
    }
}

/// Who is told which goals a commit changes: before anybody can see it, and when it is over.
struct CommitObserver: Sendable {
    let before: @Sendable (Set<GoalKey>) -> Void
    let after: @Sendable (Set<GoalKey>) -> Void
}
