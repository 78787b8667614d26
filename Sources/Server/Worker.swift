import Dispatch
import Foundation
import HTTP
import Sockets

/// The connections of one event loop, and what they share.
final class Worker: LoopResident {
    let loop: EventLoop<Worker>
    let responder: any Responder
    let limits: ServerConfiguration.Limits

    /// What every read goes through, so that an idle connection holds no buffer.
    var scratch: [UInt8] = Array(repeating: 0, count: 64 * 1024)

    /// The time at the start of this turn, in milliseconds of a clock that never goes back.
    private(set) var now = 0

    /// The value of the `Date` field in this second.
    private(set) var date = HTTPDate(secondsSinceEpoch: 0)
    private var secondsSinceEpoch = 0

    let figures: FigureBoard

    private let server: Server
    private var connections = ConnectionTable()
    private var deadlines: Deadlines<UInt64>
    private var yielding: [UInt64] = []

    /// The streams that may have more, in the order in which they have their turn.
    private var streaming: [UInt64] = []

    /// Whether any of these two waits for its turn: mostly none does, and then this is all there is
    /// to look at.
    private var isGoingOn = false

    /// Where streams put down that they have woken.
    let wakes: Mailbox<UInt64>

    /// Where answers are put down that were promised.
    private let deliveries: Mailbox<DeliveredAnswer>
    private var isStopping = false

    /// Whether the listener is registered, and when it will be again if it is not.
    private var accepting = Accepting.never

    private enum Accepting {
        case never, yes, again(at: Int)
    }

    init(of server: Server, on loop: EventLoop<Worker>) {
        self.server = server
        self.loop = loop
        responder = server.responder
        limits = server.configuration.limits
        figures = server.board
        wakes = Mailbox(of: loop) { $0.takeWakes() }
        deliveries = Mailbox(of: loop) { $0.takeDeliveries() }
        deadlines = Deadlines(now: milliseconds())
        beginTurn()
    }
}

// MARK: - Its turn

extension Worker {
    func beginTurn() {
        now = milliseconds()
        let seconds = Int(Date.now.timeIntervalSince1970)
        guard seconds != secondsSinceEpoch else { return }
        secondsSinceEpoch = seconds
        date = HTTPDate(secondsSinceEpoch: seconds)
    }

    func proceed(_ token: UInt64, _ readiness: Readiness) {
        guard token != listenerToken else { return accept() }
        // A connection that was closed earlier in this turn may still have an event in it.
        guard let connection = connections[token] else { return }
        settle(connection, connection.proceed(readiness, on: self))
    }

    func endTurn() -> CInt {
        for token in deadlines.take(until: now) {
            guard let connection = connections[token] else { continue }
            lookAtDeadline(of: connection)
        }
        if case .again(let time) = accepting, time <= now { startAccepting() }

        if isGoingOn { goOn() }

        if isStopping && connections.isEmpty { loop.stop() }
        guard !isGoingOn else { return 0 }
        if case .again(let time) = accepting { return CInt(min(max(time - now, 0), tickLength)) }
        return deadlines.count == 0 ? -1 : tick
    }

    /// Goes on with those whose turn was over before they were done.
    private func goOn() {
        isGoingOn = false
        let tokens = yielding
        yielding = []
        for token in tokens {
            guard let connection = connections[token] else { continue }
            settle(connection, connection.advance(on: self))
        }
        proceedWithStreams()
    }

    /// Does what the outcome of a connection's going on asks for.
    private func settle(_ connection: Connection, _ outcome: Connection.Outcome) {
        switch outcome {
        case .waits:
            fileDeadline(of: connection)
        case .yields:
            // A client that is never done has deadlines, too.
            fileDeadline(of: connection)
            if connection.isStreaming {
                queue(connection)
            } else {
                yielding.append(connection.token)
                isGoingOn = true
            }
        case .ends:
            connection.end(on: self)
            connections.remove(connection)
            figures.giveBack(\.openConnections)
        }
    }
}

// MARK: - Streams

extension Worker {
    /// Whether one more answer may be a stream; if so, its place is given back in the end.
    func mayStream() -> Bool {
        guard figures.take(\.openStreams, of: limits.streams) else {
            figures.count(\.refusedRequests)
            return false
        }
        return true
    }

    /// Puts those that have woken in the queue.
    func takeWakes() {
        for token in wakes.take() {
            guard let connection = connections[token] else { continue }
            queue(connection)
        }
    }

    private func queue(_ connection: Connection) {
        guard !connection.isQueued else { return }
        connection.isQueued = true
        streaming.append(connection.token)
        isGoingOn = true
    }

    /// Goes on with some of those in the queue, however many there are: an event may wake all
    /// streams at once, and other requests must not wait until each has been sent it.
    private func proceedWithStreams() {
        let tokens = Array(streaming.prefix(streamsPerTurn))
        streaming.removeFirst(tokens.count)
        if !streaming.isEmpty { isGoingOn = true }
        for token in tokens {
            guard let connection = connections[token] else { continue }
            connection.isQueued = false
            settle(connection, connection.proceedWithStream(on: self))
        }
    }
}

// MARK: - Deadlines

extension Worker {
    /// Sees to it that the connection's deadline is looked at when it comes.
    private func fileDeadline(of connection: Connection) {
        guard let deadline = connection.deadline(limits: limits) else { return }
        if let time = connection.lookedAt, time <= deadline + tickLength { return }
        connection.lookedAt = deadlines.file(connection.token, at: deadline)
    }

    private func lookAtDeadline(of connection: Connection) {
        guard let time = connection.lookedAt, time <= now else { return }
        connection.lookedAt = nil
        guard let deadline = connection.deadline(limits: limits) else { return }
        if deadline <= now {
            settle(connection, connection.timeOut(on: self))
        } else {
            fileDeadline(of: connection)
        }
    }
}

// MARK: - Connections

extension Worker {
    /// Begins to accept connections, and to deal them out.
    func startAccepting() {
        server.withListener { listener in
            do {
                try loop.register(listener, token: listenerToken)
                accepting = .yes
            } catch {
                accepting = .again(at: now + shortagePause)
            }
        }
    }

    /// Accepts what waits, and pauses if that is more than there is room for.
    private func accept() {
        guard !accept(atMost: acceptsPerTurn) else { return }
        // Out of places, descriptors or memory: the listener stays readable, and trying again at
        // once would only burn the processor.
        figures.count(\.acceptPauses)
        server.withListener { listener in
            do {
                try loop.unregister(listener)
                accepting = .again(at: now + shortagePause)
            } catch {
                preconditionFailure("A registered listener can be unregistered: \(error)")
            }
        }
    }

    /// Accepts connections that wait, and deals them out to the loops in turn.
    ///
    /// - Returns: Whether there is room, or may be in the next turn.
    private func accept(atMost count: Int) -> Bool {
        var hasRoom = true
        var mayHaveRoom = true
        server.withListener { listener in
            for index in 0..<count where hasRoom {
                do throws(SystemError) {
                    var peer: IPAddress?
                    guard let descriptor = try listener.accept(from: &peer) else { return }
                    hasRoom = server.deal(descriptor, from: peer)
                    mayHaveRoom = hasRoom
                } catch {
                    if error.isPassing { continue }
                    hasRoom = false
                    // Those that were accepted may have gone long since, and be closed in a moment.
                    mayHaveRoom = index > 0
                }
            }
        }
        return mayHaveRoom
    }

    /// Takes charge of a connection, to serve it or to tell it that there is no place for it.
    func adopt(
        _ descriptor: consuming FileDescriptor,
        from peer: IPAddress?,
        isTurnedAway: Bool
    ) {
        var descriptor: FileDescriptor? = consume descriptor
        let connection = connections.insert { token in
            guard let descriptor = descriptor.take() else {
                preconditionFailure("A connection is made once for one descriptor")
            }
            return Connection(
                descriptor,
                token: token,
                limits: limits,
                peer: peer.map { PeerAddress(high: $0.high, low: $0.low) },
                now: now
            )
        }
        do {
            try connection.register(on: loop)
        } catch {
            return settle(connection, .ends)
        }
        if isTurnedAway {
            settle(connection, connection.turnAway(on: self))
        } else if isStopping {
            settle(connection, connection.stop(on: self))
        } else {
            settle(connection, connection.advance(on: self))
        }
    }

    /// Whether one more answer may be waited for; if so, ``deliver(_:to:)`` brings it.
    func mayWaitForAnswer() -> Bool {
        guard figures.take(\.requestsInFlight, of: limits.requestsInFlight) else {
            figures.count(\.refusedRequests)
            return false
        }
        return true
    }

    /// Takes the answer that a connection was promised back to it.
    func delivery(to token: UInt64) -> Delivery {
        Delivery { [deliveries] makeAnswer in
            deliveries.add(DeliveredAnswer(token: token, make: makeAnswer))
        }
    }

    /// Brings the answers that were delivered to their connections.
    func takeDeliveries() {
        for answer in deliveries.take() {
            deliver(answer.make(), to: answer.token)
        }
    }

    /// Brings an answer to its connection, unless that has gone meanwhile.
    func deliver(_ answer: Answer, to token: UInt64) {
        figures.giveBack(\.requestsInFlight)
        guard let connection = connections[token] else {
            if case .streamed(_, let stream) = answer { stream.close() }
            return
        }
        settle(connection, connection.deliver(answer, on: self))
    }
}

// MARK: - Stopping

extension Worker {
    /// Accepts what has come to the listener, and then no more.
    func stopAccepting() {
        // What there is no room for now is refused, whether or not accepting pauses already.
        _ = accept(atMost: acceptsAtEnd)
        accepting = .never
        server.closeListener()
    }

    /// Ends the idle connections, and each of the others after the answer it is due.
    func stop() {
        isStopping = true
        for connection in connections.all {
            settle(connection, connection.stop(on: self))
        }
    }

    /// Ends every connection as it is, and the loop.
    func abort() {
        for connection in connections.all { settle(connection, .ends) }
        isStopping = true
    }
}

// MARK: - Logging

extension Worker {
    var isLogging: Bool { server.log != nil }

    func log(_ exchange: Exchange) {
        server.log?(exchange)
    }
}

/// What makes the answer that a connection was promised.
private struct DeliveredAnswer: Sendable {
    let token: UInt64
    let make: @Sendable () -> Answer
}

/// The token of the listening socket; a connection's is below 2⁶³.
private let listenerToken = UInt64.max - 1

/// How many streams go on before the other connections have their turn: a third of a millisecond's
/// worth, most of which the kernel takes to send.
private let streamsPerTurn = 64

/// How often a loop looks at its deadlines, in milliseconds.
private let tick: CInt = 250

/// The same, as times are counted.
private let tickLength = Int(tick)

/// How long accepting pauses when there are too many connections or no descriptors left.
///
/// Short, since those who wait may have no other server to go to, and long enough to cost nothing.
private let shortagePause = 50

/// How many connections are accepted before those that are there have their turn.
private let acceptsPerTurn = 64

/// How many connections are accepted in the end: more than the listener keeps, and not without end.
private let acceptsAtEnd = 4_096

/// The milliseconds of a clock that never goes back.
private func milliseconds() -> Int {
    Int(DispatchTime.now().uptimeNanoseconds / 1_000_000)
}
