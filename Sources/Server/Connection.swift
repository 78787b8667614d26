import Dispatch
import HTTP
import Sockets

/// A connection on its loop: carries out over a socket what its state decides.
///
/// Its descriptor is closed when the worker lets go of it, in that one place for every reason
/// there is.
final class Connection {
    /// What events, time-outs and answers name the connection by; never used twice.
    let token: UInt64

    private let descriptor: FileDescriptor
    private var state: ConnectionState

    /// The stream that is the answer to the current request.
    private var stream: (any ResponseStream)?
    private var waker: Waker?

    /// Whether it waits among the worker's streams for its turn.
    var isQueued = false

    /// Whether a read may find something: the poller reports a change only once.
    private var mayRead = true

    /// Whether the peer's end is among what is to be read: then a short read is not the last one.
    private var mustReadToEnd = false

    /// Whether a write may succeed.
    private var mayWrite = true

    /// When the request that is being answered was complete, in nanoseconds.
    private var requestTime: UInt64 = 0

    /// Whether the server is stopping, so that a request that has begun must come soon.
    private var isStopping = false

    /// What it waits for, and since when.
    private var waiting = ConnectionState.Waiting.forRequest
    private var waitingSince: Int

    /// When the worker next looks at the connection's deadline; `nil` if it will not.
    var lookedAt: Int?

    init(
        _ descriptor: consuming FileDescriptor,
        token: UInt64,
        limits: ServerConfiguration.Limits,
        peer: PeerAddress?,
        now: Int
    ) {
        self.descriptor = descriptor
        self.token = token
        state = ConnectionState(
            limits: limits,
            firstRequestID: UInt64.random(in: .min ... .max),
            peer: peer
        )
        waitingSince = now
    }

    /// Starts to report the connection's events to the loop's resident.
    func register(on loop: EventLoop<Worker>) throws(SystemError) {
        try loop.register(descriptor, token: token)
    }

    /// Whether it has begun an answer that is a stream, and not ended it.
    var isStreaming: Bool { stream != nil }

    /// What is to become of the connection after it went as far as it could.
    enum Outcome {
        /// It waits for an event, or an answer.
        case waits

        /// It could go on, but others have their turn first.
        case yields

        /// It is over.
        case ends
    }
}

// MARK: - What happens to it

extension Connection {
    /// The poller reports that it can go on.
    func proceed(_ readiness: Readiness, on worker: Worker) -> Outcome {
        if readiness.contains(.broken) { return .ends }
        if readiness.contains(.readable) { mayRead = true }
        if readiness.contains(.peerFinished) {
            (mayRead, mustReadToEnd) = (true, true)
            state.peerLeaves()
        }
        if readiness.contains(.writable) { mayWrite = true }
        return advance(on: worker)
    }

    /// An answer that had to wait has come.
    func deliver(_ answer: Answer, on worker: Worker) -> Outcome {
        precondition(state.current != nil, "A request is answered once")
        take(answer, on: worker)
        return advance(on: worker)
    }

    /// It is the turn of its stream, which may have more or be due a heartbeat.
    func proceedWithStream(on worker: Worker) -> Outcome {
        if let waker, waker.takeWakes() { state.streamWakes() }
        return advance(on: worker)
    }

    /// There are too many connections to serve this one.
    func turnAway(on worker: Worker) -> Outcome {
        state.turnAway()
        return advance(on: worker)
    }

    /// The server is stopping.
    func stop(on worker: Worker) -> Outcome {
        state.stops()
        isStopping = true
        waitAnew(now: worker.now)
        // A request may have arrived of which no event tells yet.
        mayRead = true
        return advance(on: worker)
    }

    /// The time for what it waits for is up.
    func timeOut(on worker: Worker) -> Outcome {
        if waiting == .forPiece {
            _ = state.timedOut()
            return .yields
        }
        worker.figures.count(waiting.timeoutFigure)
        switch state.timedOut() {
        case .close:
            return .ends
        case .refuse(let refusal):
            refuse(refusal, on: worker)
        case .linger:
            linger()
        case .answer, .read, .flush, .wait, .pull, .beat, .endStream:
            break
        }
        return advance(on: worker)
    }

    /// When it will have waited too long, in milliseconds.
    func deadline(limits: ServerConfiguration.Limits) -> Int? {
        guard let timeout = limits.timeout(waiting) else { return nil }
        return waitingSince + (stopsWaiting ? min(timeout, patienceAtEnd) : timeout)
    }

    /// Whether the server is stopping, and waits for what may never come and is owed to nobody.
    private var stopsWaiting: Bool {
        switch waiting {
        case .forRequest, .forHead, .forBody, .forClose: isStopping
        case .forReader: isStopping && state.hasCutStream
        case .forAnswer, .forPiece: false
        }
    }

    /// It is over, for whatever reason.
    func end(on worker: Worker) {
        closeStream(on: worker)
    }
}

// MARK: - Going on

extension Connection {
    /// Goes on until there is nothing to do but wait.
    func advance(on worker: Worker) -> Outcome {
        let outcome = takeSteps(on: worker)
        noteWaiting(now: worker.now)
        return outcome
    }

    private func takeSteps(on worker: Worker) -> Outcome {
        for _ in 0..<worker.limits.stepsPerTurn {
            switch state.next() {
            case .answer(let request):
                waitAnew(now: worker.now)
                start(request, on: worker)
            case .refuse(let refusal):
                refuse(refusal, on: worker)
            case .read:
                guard mayRead else { return flush(on: worker) ? .waits : .ends }
                guard read(on: worker) else { return .ends }
            case .flush:
                // A bufferful of answers is a turn's worth: a long list costs as much as a thousand
                // small answers, and the steps alone would let a client have many of them.
                let fillsOutput = state.isOutputFull
                guard flush(on: worker) else { return .ends }
                guard !state.hasOutput else { return .waits }
                if fillsOutput { return .yields }
            case .pull:
                pull(on: worker)
            case .beat:
                state.send(stream?.heartbeat ?? [])
            case .endStream:
                let farewell = isStopping ? stream?.farewell : nil
                endStream(with: farewell ?? [], on: worker)
            case .wait:
                return flush(on: worker) ? .waits : .ends
            case .linger:
                linger()
            case .close:
                return .ends
            }
        }
        return flush(on: worker) ? .yields : .ends
    }

    private func start(_ request: Request, on worker: Worker) {
        requestTime = worker.isLogging ? nanoseconds() : 0
        take(worker.responder.respond(to: request), on: worker)
    }

    private func take(_ answer: Answer, on worker: Worker) {
        switch answer {
        case .ready(let response):
            self.answer(response, on: worker)
        case .pending(let makeAnswer):
            guard worker.mayWaitForAnswer() else { return refuse(.overloaded, on: worker) }
            let (loop, token) = (worker.loop, token)
            Task(executorPreference: loop) {
                let answer = await makeAnswer()
                loop.withResident { $0.deliver(answer, to: token) }
            }
        case .promised(let begin):
            guard worker.mayWaitForAnswer() else { return refuse(.overloaded, on: worker) }
            begin(worker.delivery(to: token))
        case .streamed(let head, let stream):
            start(stream, after: head, on: worker)
        }
    }

    private func refuse(_ refusal: Refusal, on worker: Worker) {
        if let figure = refusal.figure { worker.figures.count(figure) }
        requestTime = worker.isLogging ? nanoseconds() : 0
        let id = state.context.requestID
        answer(worker.responder.refuse(refusal, id: id), on: worker)
    }

    private func answer(_ response: Response, on worker: Worker) {
        log(response, on: worker)
        state.answer(response, date: worker.date)
    }

    private func log(_ response: Response, on worker: Worker) {
        if worker.isLogging {
            worker.log(
                Exchange(
                    method: state.current?.method,
                    path: state.current?.path,
                    status: response.status,
                    bodyBytes: response.body.count,
                    microseconds: Int((nanoseconds() - requestTime) / 1000),
                    id: state.context.requestID
                )
            )
        }
    }

    /// Tells the peer that nothing more comes, which it reads after the last answer.
    ///
    /// Closing at once could reset the connection while the peer still sends, and the last answer
    /// would be lost with it (RFC 9112 §9.6).
    private func linger() {
        descriptor.shutDownWriting()
        state.lingers()
    }

    /// Reads what has arrived, as far as the worker's buffer reaches.
    ///
    /// - Returns: Whether the connection still stands.
    private func read(on worker: Worker) -> Bool {
        do {
            switch try descriptor.read(into: &worker.scratch) {
            case .moved(let count):
                // Less than there was room for: there is no more.
                if count < worker.scratch.count && !mustReadToEnd { mayRead = false }
                state.received(worker.scratch[..<count])
            case .wouldBlock:
                mayRead = false
            case .closed:
                mayRead = false
                state.peerFinished()
            }
            if !mayRead { state.hasReadAll() }
            return true
        } catch {
            return false
        }
    }

    /// Sends what can be sent.
    ///
    /// - Returns: Whether the connection still stands.
    private func flush(on worker: Worker) -> Bool {
        while state.hasOutput && mayWrite {
            do {
                switch try descriptor.write(state.output, from: state.outputStart) {
                case .moved(let count):
                    state.sent(count)
                    waitAnew(now: worker.now)
                case .wouldBlock, .closed:
                    mayWrite = false
                }
            } catch {
                return false
            }
        }
        return true
    }
}

// MARK: - Streaming

extension Connection {
    private func start(_ stream: any ResponseStream, after head: Response, on worker: Worker) {
        guard worker.mayStream() else {
            stream.close()
            return refuse(.overloaded, on: worker)
        }
        log(head, on: worker)
        let waker = Waker(token: token, wakes: worker.wakes)
        (self.stream, self.waker) = (stream, waker)
        guard state.start(head, date: worker.date) else { return closeStream(on: worker) }
        stream.start { waker.wake() }
    }

    private func pull(on worker: Worker) {
        guard let stream else {
            preconditionFailure("What has begun as a stream has one until it ends")
        }
        switch stream.next(room: state.room) {
        case .bytes(let piece): state.send(piece)
        case .nothing: state.streamRests()
        case .end(let piece): endStream(with: piece, on: worker)
        }
    }

    private func endStream(with piece: [UInt8], on worker: Worker) {
        state.endStream(with: piece)
        closeStream(on: worker)
    }

    private func closeStream(on worker: Worker) {
        guard let stream else { return }
        waker?.close()
        (self.stream, waker) = (nil, nil)
        // Before the stream is closed, so that whoever hears of that finds the place free.
        worker.figures.giveBack(\.openStreams)
        stream.close()
    }
}

// MARK: - Waiting

extension Connection {
    /// Notes what the connection waits for from now on, if that is something else.
    private func noteWaiting(now: Int) {
        guard state.waiting != waiting else { return }
        waiting = state.waiting
        waitingSince = now
    }

    /// Starts its patience anew: something came of the waiting.
    private func waitAnew(now: Int) {
        waitingSince = now
    }
}

/// The nanoseconds of a clock that never goes back.
private func nanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}

/// How long the rest of a request, or the client's end after an answer, may take when the server stops,
/// in milliseconds.
private let patienceAtEnd = 1_000
