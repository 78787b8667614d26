import Dispatch
public import HTTP
public import Sockets
import Synchronization

/// An HTTP/1.1 server over sockets.
///
/// It knows a function from a request to an answer, and nothing of what it serves.
///
///     let server = try Server(configuration, responder: application)
///     server.start()
///     print("Listening on port \(server.port)")
///     …
///     server.stop(within: 10)
public final class Server: Sendable {
    public let configuration: ServerConfiguration

    /// The port it listens on.
    public let port: UInt16

    let responder: any Responder
    let board = FigureBoard()
    let log: (@Sendable (Exchange) -> Void)?

    private let listener: Mutex<ListeningSocket?>
    private let loops: [EventLoop<Worker>]
    private let running = DispatchGroup()
    private let dealt = Atomic<Int>(0)

    /// Creates a server that listens from now on; connections wait until it is started.
    ///
    /// - Parameters:
    ///   - configuration: Where it listens, and what it allows its clients.
    ///   - responder: What answers the requests.
    ///   - log: Told of every answer, on the loop of its connection; it must not wait for
    ///     anything. `nil` spares the cost of finding out.
    /// - Throws: `SystemError` if it can't listen where it is to; `EADDRINUSE` if another does.
    public init(
        _ configuration: ServerConfiguration,
        responder: any Responder,
        log: (@Sendable (Exchange) -> Void)? = nil
    ) throws(SystemError) {
        precondition(configuration.loops > 0)
        let socket = try ListeningSocket(host: configuration.host, port: configuration.port)
        var loops: [EventLoop<Worker>] = []
        for _ in 0..<configuration.loops {
            loops.append(try EventLoop())
        }
        self.configuration = configuration
        self.responder = responder
        self.log = log
        self.loops = loops
        port = socket.port
        listener = Mutex(consume socket)
    }

    /// What the server has had to do with its clients so far.
    public var figures: Figures { board.figures }

    /// Starts to serve.
    ///
    /// - Precondition: It is called once.
    public func start() {
        for (index, loop) in loops.enumerated() {
            running.enter()
            loop.start(named: "loop \(index)") { [self] loop in
                Worker(of: self, on: loop)
            } ended: { [running] in
                running.leave()
            }
        }
        loops[0].perform { $0.startAccepting() }
    }

    /// Stops in order: no new connections, and each there is ends after the answer it is due.
    ///
    /// An answer that is a stream ends at once. It waits until all have ended, and ends those that
    /// have not when the time is up.
    ///
    /// - Parameter seconds: How long the answers in flight may take.
    /// - Returns: Whether all ended in time.
    @discardableResult
    public func stop(within seconds: Int) -> Bool {
        loops[0].perform { [loops] worker in
            worker.stopAccepting()
            // After the connections that were just dealt out, and so never before them.
            for loop in loops { loop.perform { $0.stop() } }
        }
        guard running.wait(timeout: .now() + .seconds(seconds)) == .timedOut else { return true }
        for loop in loops { loop.perform { $0.abort() } }
        running.wait()
        return false
    }
}

// MARK: - For its workers

extension Server {
    /// Does something with the listener, unless it is closed.
    func withListener(_ body: (borrowing ListeningSocket) -> Void) {
        listener.withLock { listener in
            guard let socket = listener.take() else { return }
            body(socket)
            listener = consume socket
        }
    }

    func closeListener() {
        listener.withLock { $0 = nil }
    }

    /// Gives a connection to the loop whose turn it is.
    ///
    /// Beyond the limits of connections and descriptors there are some places left for those that
    /// are told so.
    ///
    /// - Returns: Whether there was a place for it; without one, it is closed.
    func deal(_ descriptor: consuming FileDescriptor, from peer: IPAddress?) -> Bool {
        let limit = configuration.limits.connections
        // The kernel gives out the lowest number that is free: all below are taken.
        let taken = Int(descriptor.number) + keptDescriptors
        let isShort = taken >= configuration.limits.descriptors - descriptorsToTurnAway
        let isTurnedAway = isShort || !board.take(\.openConnections, of: limit)
        if isTurnedAway {
            board.count(\.refusedConnections)
            guard taken < configuration.limits.descriptors,
                board.take(\.openConnections, of: limit + placesToTurnAway)
            else { return false }
        } else {
            board.count(\.acceptedConnections)
        }
        let turn = dealt.add(1, ordering: .relaxed).oldValue
        // An action may be copied, a descriptor may not: it changes hands as a number.
        let number = descriptor.release()
        loops[turn % loops.count].perform { worker in
            worker.adopt(
                FileDescriptor(owning: number),
                from: peer,
                isTurnedAway: isTurnedAway
            )
        }
        return true
    }
}

extension Server {
    /// How many descriptors are left to the rest of the program, some of it for each loop.
    private var keptDescriptors: Int { 16 + 4 * loops.count }
}

/// How many descriptors serve to tell connections that there are too few of them.
private let descriptorsToTurnAway = 16

/// How many connections beyond the limit may be open for as long as it takes to tell them.
private let placesToTurnAway = 256
