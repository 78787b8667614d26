internal import Dispatch
internal import Synchronization

/// Threads for work that takes long: a few, each with a queue, together with a bound.
final class BackgroundQueue: Sendable {
    private let queues: [DispatchQueue]
    private let capacity: Int
    private let state: Mutex<State>

    private struct State {
        /// How much waits or runs on each queue.
        var load: [Int]
        var isClosed = false
    }

    init(width: Int, capacity: Int) {
        queues = (0..<max(width, 1)).map { DispatchQueue(label: "goalpost.background.\($0)") }
        self.capacity = capacity
        state = Mutex(State(load: Array(repeating: 0, count: queues.count)))
    }

    /// Runs work on the queue that has the least to do.
    ///
    /// - Throws: What the work throws; ``StoreError/queueFull`` if too much waits.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let index = try reserve()
        return try await withCheckedThrowingContinuation { continuation in
            queues[index].async { [self] in
                let result = Result { try work() }
                state.withLock { $0.load[index] -= 1 }
                continuation.resume(with: result)
            }
        }
    }

    /// Takes no more work, and waits until what was taken is done.
    func close() {
        state.withLock { $0.isClosed = true }
        for queue in queues {
            queue.sync {}
        }
    }

    private func reserve() throws -> Int {
        try state.withLock { state in
            guard !state.isClosed else { throw StoreError.storage(.closed) }
            guard
                state.load.reduce(0, +) < capacity,
                let index = state.load.indices.min(by: { state.load[$0] < state.load[$1] })
            else { throw StoreError.queueFull }
            state.load[index] += 1
            return index
        }
    }
}
