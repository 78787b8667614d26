import HTTP
import Synchronization

/// What a server has had to do with its clients since it was started.
public struct Figures: Hashable, Sendable {
    /// The connections that are open now.
    public var openConnections = 0

    /// The answers that are being made now.
    public var requestsInFlight = 0

    /// The answers that are streams, and go on.
    public var openStreams = 0

    /// The connections that were accepted.
    public var acceptedConnections = 0

    /// The connections that were turned away because too many were open.
    public var refusedConnections = 0

    /// How often accepting paused because the machine was out of descriptors or memory.
    public var acceptPauses = 0

    /// The requests that were turned away because too many were being answered.
    public var refusedRequests = 0

    /// The requests that were not HTTP/1.1, or too large.
    public var unreadableRequests = 0

    /// The connections that ended because a request's head took too long.
    public var headTimeouts = 0

    /// The connections that ended because a request's body took too long.
    public var bodyTimeouts = 0

    /// The connections that ended because no request came.
    public var idleTimeouts = 0

    /// The connections that ended because the client read nothing.
    public var writeTimeouts = 0

    /// The connections that ended because the client would not hang up after the last answer.
    public var lingerTimeouts = 0

    public init() {}
}

/// Counts a server's figures, for all of its loops.
///
/// Nothing of it is on the way of a request that is answered at once.
final class FigureBoard: Sendable {
    private let counted = Mutex(Figures())

    var figures: Figures { counted.withLock { $0 } }

    /// Adds one to a figure.
    func count(_ figure: WritableKeyPath<Figures, Int>) {
        counted.withLock { $0[keyPath: figure] += 1 }
    }

    /// Takes one of the places that a figure counts, if there is one left.
    ///
    /// - Parameters:
    ///   - figure: What counts the places that are taken.
    ///   - limit: How many places there are.
    /// - Returns: Whether a place was taken, which then has to be given back.
    func take(_ figure: WritableKeyPath<Figures, Int>, of limit: Int) -> Bool {
        counted.withLock { figures in
            guard figures[keyPath: figure] < limit else { return false }
            figures[keyPath: figure] += 1
            return true
        }
    }

    /// Gives back a place that was taken.
    func giveBack(_ figure: WritableKeyPath<Figures, Int>) {
        counted.withLock { $0[keyPath: figure] -= 1 }
    }
}

extension ConnectionState.Waiting {
    /// What counts the connections that waited too long for this.
    var timeoutFigure: WritableKeyPath<Figures, Int> {
        switch self {
        case .forRequest, .forAnswer, .forPiece: \.idleTimeouts
        case .forHead: \.headTimeouts
        case .forBody: \.bodyTimeouts
        case .forReader: \.writeTimeouts
        case .forClose: \.lingerTimeouts
        }
    }
}

extension Refusal {
    /// What counts the messages that were refused like this, unless it is counted otherwise.
    var figure: WritableKeyPath<Figures, Int>? {
        switch self {
        case .timedOut, .overloaded, .tooManyConnections: nil
        case .malformed, .headTooLarge, .targetTooLong, .contentTooLarge, .expectationFailed,
            .methodNotImplemented, .transferCodingUnsupported, .versionUnsupported:
            \.unreadableRequests
        }
    }
}
