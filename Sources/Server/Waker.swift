import Synchronization

/// Takes the wakes of a stream, on whatever thread they come, to the loop of its connection.
///
/// However often the stream wakes before the loop has come to it, it is noted once.
final class Waker: Sendable {
    private let token: UInt64
    private let wakes: Mailbox<UInt64>
    private let hasWoken = Atomic(false)

    /// - Parameters:
    ///   - token: The connection of the stream.
    ///   - wakes: Where the connection's loop looks for wakes.
    init(token: UInt64, wakes: Mailbox<UInt64>) {
        self.token = token
        self.wakes = wakes
    }

    /// The stream may have more.
    func wake() {
        // What the stream has made before waking is seen by the loop that takes the wake: both sides
        // exchange, also where one finds that it has nothing to add.
        guard !hasWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        wakes.add(token)
    }

    /// Takes the wakes there were.
    ///
    /// - Returns: Whether there were any.
    func takeWakes() -> Bool {
        hasWoken.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Heeds no more wakes.
    func close() {
        hasWoken.store(true, ordering: .releasing)
    }
}
