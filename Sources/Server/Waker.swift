import Sockets
import Synchronization

/// Takes the wakes of a stream, on whatever thread they come, to the loop of its connection.
///
/// However often the stream wakes before the loop has come to it, it is noted once.
final class Waker: Sendable {
    private let token: UInt64
    private let list: WakeList
    private let hasWoken = Atomic(false)

    /// - Parameters:
    ///   - token: The connection of the stream.
    ///   - list: Where the connection's loop looks for wakes.
    init(token: UInt64, list: WakeList) {
        self.token = token
        self.list = list
    }

    /// The stream may have more.
    func wake() {
        // What the stream has made before waking is seen by the loop that takes the wake: both sides
        // exchange, also where one finds that it has nothing to add.
        guard !hasWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        list.add(token)
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

/// The streams of a loop that have woken, by the tokens of their connections.
///
/// Only the first of many asks the loop to come, which then takes all there are.
final class WakeList: Sendable {
    private let loop: EventLoop<Worker>
    private let tokens = Mutex<[UInt64]>([])

    init(of loop: EventLoop<Worker>) {
        self.loop = loop
    }

    func add(_ token: UInt64) {
        let isFirst = tokens.withLock { tokens in
            tokens.append(token)
            return tokens.count == 1
        }
        if isFirst { loop.perform { $0.takeWakes() } }
    }

    /// Takes all there are.
    func take() -> [UInt64] {
        tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
    }
}
