import Glibc

@testable import Sockets

/// A connection on which a client may say anything in any manner, and sees all that comes back.
///
/// It reads while it sends: two sides that both wait for the other to read would wait for ever. And
/// it keeps what came before a reset, which a client that only sends would lose.
final class Wire {
    private let descriptor: FileDescriptor
    private var poller: Poller
    private var scratch = [UInt8](repeating: 0, count: 64 * 1024)

    /// What has come and was not taken.
    private(set) var received: [UInt8] = []

    /// How the other side has ended the connection, if it has.
    private(set) var ending: Ending?

    /// Whether the other side no longer takes what is sent: it has closed its end for good.
    private(set) var isRefused = false

    enum Ending: Hashable {
        /// With FIN, after all it had to say.
        case finished

        /// With RST, which may have taken the last it said along.
        case reset
    }

    /// Calls a server.
    init(port: UInt16) throws {
        descriptor = try ClientSocket(host: "127.0.0.1", port: port, patience: 10).release()
        poller = try Poller(eventsPerTurn: 1)
        guard fcntl(descriptor.number, F_SETFL, O_NONBLOCK) == 0 else {
            throw SystemError(code: errno, call: "fcntl")
        }
        try poller.add(descriptor, token: 0)
    }

    /// Takes a call.
    init(accepted descriptor: consuming FileDescriptor) throws {
        self.descriptor = descriptor
        poller = try Poller(eventsPerTurn: 1)
        try poller.add(self.descriptor, token: 0)
    }

    /// The other side has read nothing for longer than it may.
    struct Stalled: Error, CustomStringConvertible {
        let unsent: Int

        var description: String { "The server stopped reading, \(unsent) bytes before the end" }
    }
}

// MARK: - Saying

extension Wire {
    /// Sends bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - seconds: How long the other side may take to read them.
    /// - Returns: Whether all were sent; otherwise nobody listens any more.
    /// - Throws: ``Stalled`` if the other side takes longer.
    @discardableResult
    func send(_ bytes: [UInt8], within seconds: Double) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var sent = 0
        while sent < bytes.count, !isRefused {
            try collect()
            switch try write(bytes, from: sent) {
            case .moved(let count):
                sent += count
            case .wouldBlock:
                guard try wait(until: deadline) else { throw Stalled(unsent: bytes.count - sent) }
            case .closed:
                isRefused = true
            }
        }
        return !isRefused
    }

    private func write(_ bytes: [UInt8], from start: Int) throws -> FileDescriptor.Outcome {
        do throws(SystemError) {
            return try descriptor.write(bytes, from: start)
        } catch {
            guard error.isHangUp else { throw error }
            return .closed
        }
    }

    /// Says that nothing more will be sent.
    func finishSending() {
        descriptor.shutDownWriting()
    }

    /// Makes the end of this object a reset rather than the usual end.
    func endWithReset() throws {
        try descriptor.set(SOL_SOCKET, SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }
}

// MARK: - Listening

extension Wire {
    /// Whether anything has come that was not taken, or the connection has ended.
    var hasNews: Bool { !received.isEmpty || ending != nil }

    /// Waits for something that has to do with what comes.
    ///
    /// - Parameters:
    ///   - seconds: How long at most; not at all once the connection has ended.
    ///   - isThere: Whether it has come.
    /// - Returns: Whether it has come.
    /// - Throws: What `isThere` throws.
    func wait(_ seconds: Double, until isThere: () throws -> Bool) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        try collect()
        while !(try isThere()) {
            guard ending == nil, try wait(until: deadline) else { return false }
        }
        return true
    }

    /// Takes bytes off the beginning of what has come.
    func take(_ count: Int) {
        received.removeFirst(count)
    }

    /// Waits until there is more to read or to send.
    ///
    /// - Returns: Whether there was still time.
    private func wait(until deadline: ContinuousClock.Instant) throws -> Bool {
        let left = deadline - ContinuousClock.now
        guard left > .zero else { return false }
        _ = try poller.wait(milliseconds: CInt((left / .milliseconds(1)).rounded(.up)))
        try collect()
        return true
    }

    /// Reads all that has come: the poller speaks of it only once.
    private func collect() throws {
        while ending == nil {
            switch try read() {
            case .moved(let count): received += scratch[..<count]
            case .wouldBlock: return
            case .closed: ending = .finished
            case nil: ending = .reset
            }
        }
    }

    /// Reads some of what has come; `nil` is for a reset.
    private func read() throws -> FileDescriptor.Outcome? {
        do throws(SystemError) {
            return try descriptor.read(into: &scratch)
        } catch {
            guard error.isHangUp else { throw error }
            return nil
        }
    }
}

extension SystemError {
    /// Whether it only says that the other side has gone.
    fileprivate var isHangUp: Bool { code == ECONNRESET || code == EPIPE }
}
