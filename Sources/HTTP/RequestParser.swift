/// Reads requests from bytes, however the network happened to cut them up.
public struct RequestParser: Sendable {
    private let limits: Limits
    private var buffer: [UInt8] = []

    /// How large a request may be, each part in bytes.
    public struct Limits: Hashable, Sendable {
        /// The request line and the header fields together.
        public var headBytes = 16 * 1_024
        public var targetBytes = 8 * 1_024
        public var bodyBytes = 1_024 * 1_024

        /// All extensions of a chunked body's chunks together.
        public var chunkExtensionBytes = 4 * 1_024
        public var trailerBytes = 4 * 1_024

        public init() {}
    }

    /// - Parameters:
    ///   - limits: How large a request may be.
    ///   - firstRequestID: The number of the first request that brings no id of its own; the
    ///     following are counted from it. A random start tells connections apart.
    public init(limits: Limits = Limits(), firstRequestID: UInt64 = 0) {
        self.limits = limits
    }

    /// Something that the bytes so far amount to.
    public enum Event: Sendable {
        /// The client waits for a `100 Continue` before it sends the body of a request that is
        /// acceptable so far.
        case continueExpected

        case request(Request)
    }

    /// How far the next request has come; each stage has its own time-out.
    public enum Stage: Hashable, Sendable {
        /// Nothing of it has arrived.
        case idle
        case head
        case body
    }

    public var stage: Stage { buffer.isEmpty ? .idle : .head }

    /// The bytes that wait in memory, for a server that bounds them.
    public var bufferedBytes: Int { buffer.count }

    /// What a response to a refused request must know of it, as far as it was read.
    ///
    /// It does not keep the connection.
    public var refusedContext: ResponseWriter.Context {
        .init(method: nil, version: .http11, requestID: RequestID(made: 0), keepsAlive: false)
    }

    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    public mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// Takes the next event out of the bytes so far.
    ///
    /// - Returns: `nil` if its end has not arrived yet.
    /// - Throws: ``Refusal`` if what arrived can never become a request; the same again when asked
    ///   again.
    public mutating func next() throws(Refusal) -> Event? {
        nil
    }
}
