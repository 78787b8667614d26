internal import SQLite
internal import Synchronization

/// What those who read and those who write have found out about the storage.
final class HealthRecord: Sendable {
    private let state = Mutex(State())

    private struct State {
        var lastWrite: StorageFailure?
        var isDamaged = false
    }

    var health: Health {
        state.withLock { state in
            if state.isDamaged { return .failing(.damaged) }
            return state.lastWrite.map(Health.failing) ?? .writable
        }
    }

    /// Whether damage was found, which no later success makes undone.
    var isDamaged: Bool {
        state.withLock { $0.isDamaged }
    }

    /// Takes down what became of a write, which is `nil` if it was kept.
    func noteWrite(_ failure: StorageFailure?) {
        state.withLock { $0.lastWrite = failure }
    }

    /// Takes down an error if it tells of damage.
    func note(_ error: any Error) {
        guard error.tellsOfDamage else { return }
        state.withLock { $0.isDamaged = true }
    }
}

extension Error {
    /// Whether the file has bytes that SQLite can't have written.
    ///
    /// A value that no command can have written (``DamagedRow``) is an error of its row alone.
    var tellsOfDamage: Bool {
        SQLiteError.Code.corrupt ~= self || SQLiteError.Code.notADatabase ~= self
    }
}
