import Foundation

@testable import Sockets

/// A server that says what a test has it say, right or wrong, to one client after the other.
///
/// It is there for as many clients as there are scripts, and then it is gone.
final class ScriptedPeer: Sendable {
    let port: UInt16

    /// What it does with a client.
    struct Script: Sendable {
        /// How often it waits for an empty line, and then says something.
        var answers: [String]
        var ending = Ending.finishes

        enum Ending: Sendable {
            case finishes, resets

            /// Leaves it to the client.
            case stays
        }
    }

    init(_ scripts: [Script]) throws {
        let listener = try Listener()
        port = listener.socket.port
        Thread.detachNewThread {
            do {
                for script in scripts { try Self.follow(script, on: try listener.accept()) }
            } catch {
                preconditionFailure("A script can be followed: \(error)")
            }
        }
    }

    /// Holds the socket, which a closure can't.
    private final class Listener: Sendable {
        let socket: ListeningSocket

        init() throws {
            socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        }

        func accept() throws -> Wire {
            var poller = try Poller(eventsPerTurn: 1)
            try poller.add(socket.descriptor, token: 0, for: .arrivals)
            while true {
                if let descriptor = try socket.accept() { return try Wire(accepted: descriptor) }
                _ = try poller.wait(milliseconds: 10_000)
            }
        }
    }

    private static func follow(_ script: Script, on wire: Wire) throws {
        for answer in script.answers {
            var end = 0
            _ = try wire.wait(10) {
                end = wire.received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0
                return end > 0
            }
            wire.take(end)
            try wire.send(Array(answer.utf8), within: 10)
        }
        switch script.ending {
        case .finishes: break
        case .resets: try wire.endWithReset()
        case .stays: _ = try wire.wait(10) { wire.ending != nil }
        }
    }
}
