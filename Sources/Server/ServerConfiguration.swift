public import HTTP

/// Where a server listens, and what it allows its clients.
public struct ServerConfiguration: Sendable {
    /// An IPv4 or IPv6 address, or a name that stands for one.
    public var host = "127.0.0.1"

    /// The port to listen on; 0 takes a free one.
    public var port: UInt16 = 0

    /// How many event loops there are, each with a thread of its own.
    public var loops = 1

    public var limits = Limits()

    public init() {}

    /// The bounds of what one client, and all of them together, can use.
    ///
    /// Times are in milliseconds.
    public struct Limits: Sendable {
        public var parser = RequestParser.Limits()

        /// How many connections are served at a time; more are answered 503 and closed.
        public var connections = 16_384

        /// How many descriptors the process may have open at a time.
        ///
        /// Connections leave the last of them to the rest of the program, which may have to open
        /// a file to answer those that are served; beyond, they are answered 503 and closed.
        public var descriptors = Int.max

        /// How many answers are waited for at a time; more requests are answered 503 at once.
        public var requestsInFlight = 8_192

        /// How many answers may be streams at a time; more are answered 503 at once.
        ///
        /// Each has a connection to itself, so this leaves some of these to other requests.
        public var streams = 12_288

        /// How many bytes of answers may wait for a client to read them.
        ///
        /// Beyond, the server reads no more of that client's requests. One answer may exceed it.
        public var outputBytes = 64 * 1024

        /// How many requests and reads a connection has in a turn of its loop, before the others
        /// have theirs; ``outputBytes`` of answers end its turn sooner.
        public var stepsPerTurn = 32

        /// The longest a connection may be open without a request.
        public var idleTimeout = 30_000

        /// The longest a request's head may take, from its first byte to its last.
        public var headTimeout = 10_000

        /// The longest a request's body may take, from the end of the head to its last byte.
        public var bodyTimeout = 30_000

        /// The longest a client may read nothing of the answers it is sent.
        public var writeTimeout = 30_000

        /// The longest the server reads, and throws away, what a client sends after the last answer.
        ///
        /// A connection closed sooner would be reset, and the answer lost.
        public var lingerTimeout = 5_000

        /// How long nothing may be sent on a stream before its heartbeat is.
        public var heartbeatInterval = 15_000

        public init() {}
    }
}
