internal import SQLite
internal import Synchronization

/// Connections that only read, each opened when it is first needed.
///
/// A read takes the first connection that is free, so that a quiet store uses one. If all are taken,
/// which cannot be while there are as many as threads that read, it waits for one of them.
final class ReadPool: Sendable {
    private let connections: Connections
    private let slots: [Slot]
    private let turn = Atomic(0)

    private final class Slot: Sendable {
        let state = Mutex(State.unopened)
    }

    private enum State {
        case unopened
        case open(Database)
        case closed
    }

    /// Makes a pool of one connection or more, and opens the first, to find out whether that works.
    init(_ connections: Connections, count: Int) throws {
        self.connections = connections
        slots = (0..<max(count, 1)).map { _ in Slot() }
        try read { _ in }
    }

    /// Runs reads on a connection.
    ///
    /// - Throws: What the reads throw; ``StoreError/storage(_:)`` once the pool is closed.
    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        for slot in slots {
            let result = try slot.state.withLockIfAvailable { state in
                try read(body, &state)
            }
            if let result { return result }
        }
        let index = turn.wrappingAdd(1, ordering: .relaxed).newValue.magnitude
        return try slots[Int(index % UInt(slots.count))].state.withLock { state in
            try read(body, &state)
        }
    }

    /// Closes the connections, once their reads are over.
    func close() {
        for slot in slots {
            slot.state.withLock { $0 = .closed }
        }
    }

    private func read<Value: Sendable>(
        _ body: @Sendable (Database) throws -> Value,
        _ state: inout State
    ) throws -> Value {
        let database: Database
        switch state {
        case .unopened:
            database = try connections.openReader()
            state = .open(database)
        case .open(let open):
            database = open
        case .closed:
            throw StoreError.storage(.closed)
        }
        do {
            return try body(database)
        } catch let error as SQLiteError {
            // What is wrong may be with the connection; the next read has a new one.
            state = .unopened
            throw error
        }
    }
}
