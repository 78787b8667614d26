import HTTP

/// What a connection is doing, and what to do next about it.
///
/// Decides; does not act. The connection reports what happened and carries out the step, which
/// leaves this the one place to test, with no socket and no clock.
struct ConnectionState {
    private let limits: ServerConfiguration.Limits
    private var parser: RequestParser

    /// The request that is being answered.
    ///
    /// One at a time: that keeps the answers in order, and lets each request see what those before
    /// it did.
    private(set) var current: Request?

    /// The answer that has begun and goes on.
    private var stream: Stream?

    private struct Stream {
        let framing: StreamFraming

        /// Whether nothing is answered after it.
        let isLast: Bool

        /// Whether there may be a piece to send.
        var mayHaveMore = true

        /// Whether nothing has been sent for so long that the heartbeat is due.
        var isHeartbeatDue = false
    }

    /// Bytes to send, of which those before `outputStart` have been sent.
    private(set) var output: [UInt8] = []
    private(set) var outputStart = 0

    /// Nothing will be answered after what is in `output`.
    private var isEnding = false

    /// There are too many connections: the client is told so, whatever it has to say.
    private var isTurnedAway = false

    /// The server is stopping: nothing is answered after the request that has begun.
    private var isStopping = false

    /// Something may have arrived before the server began to stop that has not been read.
    private var mayHaveUnread = false

    /// The peer has sent all it ever will.
    private var hasPeerFinished = false

    /// The peer's end is there, though maybe not yet read: it is not interested in a stream any more.
    private var isPeerLeaving = false

    /// The server stops, and what is left to send was a stream: nobody is owed its rest.
    private(set) var hasCutStream = false

    /// All has been sent, and the peer knows; what it still sends is thrown away.
    private var isLingering = false

    /// Creates the state of a new connection.
    ///
    /// - Parameters:
    ///   - limits: What the client may use.
    ///   - firstRequestID: The number of the first request that brings no id of its own; the others
    ///     count on from it.
    ///   - peer: Where the client connected from.
    init(limits: ServerConfiguration.Limits, firstRequestID: UInt64, peer: PeerAddress?) {
        self.limits = limits
        parser = RequestParser(
            limits: limits.parser,
            firstRequestID: firstRequestID,
            peer: peer
        )
    }

    /// What to do next.
    enum Step {
        /// Answer the request with ``ConnectionState/answer(_:date:)``, or
        /// ``ConnectionState/start(_:date:)`` a stream.
        case answer(Request)

        /// Answer what can't be read with ``ConnectionState/answer(_:date:)``; there is no request to it.
        case refuse(Refusal)

        /// Read what has arrived, and report it.
        case read

        /// Send what is in ``output`` before anything else.
        case flush

        /// Send what is in ``output``, if anything; then there is nothing to do until the
        /// current request is answered, or its stream has more.
        case wait

        /// Ask the stream for its next piece, and report it.
        case pull

        /// Send the stream's heartbeat with ``ConnectionState/send(_:)``.
        case beat

        /// End the stream, whatever it may still have, with ``ConnectionState/endStream(with:)``.
        case endStream

        /// Everything has been sent: tell the peer, and read on until it closes or time is up.
        case linger

        /// Close the connection.
        case close
    }

    /// Decides what to do next.
    mutating func next() -> Step {
        if isLingering { return hasPeerFinished ? .close : .read }
        if isEnding { return hasOutput ? .flush : .linger }
        if isTurnedAway { return .refuse(.tooManyConnections) }
        if let stream { return next(of: stream) }
        if current != nil { return .wait }
        guard !isOutputFull else { return .flush }
        do {
            switch try parser.next() {
            case .request(let request):
                current = request
                return .answer(request)
            case .continueExpected:
                ResponseWriter.writeContinue(into: &output)
                return .flush
            case nil:
                return nextWithoutRequest()
            }
        } catch {
            return .refuse(error)
        }
    }

    private func next(of stream: Stream) -> Step {
        if isStopping || isPeerLeaving || hasPeerFinished { return .endStream }
        guard !isOutputFull else { return .flush }
        if stream.mayHaveMore { return .pull }
        return stream.isHeartbeatDue ? .beat : .wait
    }

    private mutating func nextWithoutRequest() -> Step {
        let isBetweenRequests = parser.stage == .idle
        if hasPeerFinished && !isBetweenRequests {
            return .refuse(.malformed("The connection ended in the middle of a request."))
        }
        let isUnwanted = isStopping && isBetweenRequests && !mayHaveUnread
        guard hasPeerFinished || isUnwanted else { return .read }
        isEnding = true
        if hasOutput { return .flush }
        // A client that is owed nothing need not be waited for when the server stops.
        return isStopping ? .close : .linger
    }
}

// MARK: - What happened

extension ConnectionState {
    /// Bytes have arrived.
    mutating func received(_ bytes: ArraySlice<UInt8>) {
        guard !isLingering else { return }
        parser.append(bytes)
    }

    /// All that had arrived has been reported.
    mutating func hasReadAll() {
        mayHaveUnread = false
    }

    /// The peer has sent all it ever will, and may still want its answers.
    mutating func peerFinished() {
        hasPeerFinished = true
    }

    /// The peer's end has come, behind what is still to be read.
    mutating func peerLeaves() {
        isPeerLeaving = true
    }

    /// What an answer that is written now answers: the current request, or what was refused.
    var context: ResponseWriter.Context {
        current.map(ResponseWriter.Context.init) ?? parser.refusedContext
    }

    /// The current request, or what was refused, has its answer.
    mutating func answer(_ response: Response, date: HTTPDate) {
        var context = context
        isEnding = isEnding || isStopping || !context.keepsAlive
        context.keepsAlive = !isEnding
        dropSent()
        ResponseWriter.write(response, to: context, date: date, into: &output)
        current = nil
    }

    /// The answer to the current request begins, and more of it will come.
    ///
    /// - Returns: Whether it is a stream; if not, no body is wanted, and this was all.
    mutating func start(_ head: Response, date: HTTPDate) -> Bool {
        var context = context
        let isLast = isStopping || !context.keepsAlive || context.version == .http10
        context.keepsAlive = !isLast
        dropSent()
        let framing = ResponseWriter.writeStart(of: head, to: context, date: date, into: &output)
        // A stream may last for hours, and needs nothing of its request.
        current = nil
        guard let framing else {
            isEnding = isEnding || isLast
            return false
        }
        parser.releaseMemory()
        stream = Stream(framing: framing, isLast: isLast)
        return true
    }

    /// The stream may have more.
    mutating func streamWakes() {
        stream?.mayHaveMore = true
    }

    /// The stream has nothing until it wakes.
    mutating func streamRests() {
        stream?.mayHaveMore = false
    }

    /// The stream has a piece to send.
    mutating func send(_ piece: [UInt8]) {
        dropSent()
        stream?.framing.write(piece, into: &output)
        stream?.isHeartbeatDue = false
    }

    /// The stream has ended.
    mutating func endStream(with piece: [UInt8]) {
        guard let stream else { return }
        send(piece)
        stream.framing.writeEnd(into: &output)
        isEnding = isEnding || isStopping || stream.isLast
        hasCutStream = isStopping
        self.stream = nil
    }

    /// Drops what has been sent, where that moves fewer bytes than it frees.
    ///
    /// A client that reads steadily, but never catches up, leaves no moment at which all has been.
    private mutating func dropSent() {
        guard outputStart > 0, pendingOutput <= outputStart else { return }
        output.removeSubrange(..<outputStart)
        outputStart = 0
    }

    /// The first so many bytes of what was to be sent have been.
    mutating func sent(_ count: Int) {
        outputStart += count
        guard outputStart == output.count else { return }
        outputStart = 0
        // A buffer that has served a large answer is given back. There can be many streams, and
        // most of the time nothing is to be sent on any.
        let isLarge = output.capacity > (stream == nil ? 2 * limits.outputBytes : streamBufferBytes)
        output.removeAll(keepingCapacity: !isLarge)
    }

    /// The peer has been told that nothing more comes.
    mutating func lingers() {
        isLingering = true
    }

    /// There is no place for the connection.
    mutating func turnAway() {
        isTurnedAway = true
    }

    /// The server stops: the request that has begun, or has arrived, is answered, then the
    /// connection ends.
    mutating func stops() {
        isStopping = true
        mayHaveUnread = true
    }
}

// MARK: - What it waits for

extension ConnectionState {
    var hasOutput: Bool { outputStart < output.count }

    /// Whether so much waits to be sent that no request is answered before it is.
    var isOutputFull: Bool { pendingOutput >= limits.outputBytes }

    /// How many bytes of a stream there is room for.
    var room: Int { max(limits.outputBytes - pendingOutput, 0) }

    private var pendingOutput: Int { output.count - outputStart }

    /// What a connection waits for, each of which has a time-out of its own.
    enum Waiting {
        case forRequest, forHead, forBody, forAnswer, forPiece, forReader, forClose
    }

    var waiting: Waiting {
        if isLingering { return .forClose }
        if hasOutput { return .forReader }
        if stream != nil { return .forPiece }
        if current != nil { return .forAnswer }
        return switch parser.stage {
        case .idle: .forRequest
        case .head: .forHead
        case .body: .forBody
        }
    }

    /// Decides what to do about a time-out while waiting for this.
    mutating func timedOut() -> Step {
        switch waiting {
        case .forAnswer: return .wait
        case .forPiece:
            stream?.isHeartbeatDue = true
            return .beat
        case .forHead, .forBody: return .refuse(.timedOut)
        case .forReader, .forClose: return .close
        case .forRequest:
            isEnding = true
            return .linger
        }
    }
}

extension ServerConfiguration.Limits {
    /// How long a connection may wait for something, in milliseconds; `nil` is for as long as it
    /// takes: an answer in the making is bounded by what makes it.
    func timeout(_ waiting: ConnectionState.Waiting) -> Int? {
        switch waiting {
        case .forRequest: idleTimeout
        case .forHead: headTimeout
        case .forBody: bodyTimeout
        case .forAnswer: nil
        case .forPiece: heartbeatInterval
        case .forReader: writeTimeout
        case .forClose: lingerTimeout
        }
    }
}

/// The memory in bytes that a stream may keep while it has nothing to send.
private let streamBufferBytes = 2 * 1_024
