/// Reads requests from bytes, however the network happened to cut them up.
///
/// The parser does no input or output. Feed it what arrived, then ask for events until there is
/// none left:
///
///     parser.append(bytes)
///     while let event = try parser.next() {
///         …
///     }
///
/// Where RFC 9112 lets a server choose between repairing a malformed message and refusing it, this
/// parser refuses: two parties who repair differently disagree on where a message ends.
///
/// Its work is linear in the bytes, each of which it scans once. It holds no more than a head, a
/// body and what was appended last.
public struct RequestParser: Sendable {
    private let limits: Limits
    private let peer: PeerAddress?

    /// What has arrived; that before the offset is read.
    private var buffer: [UInt8] = []
    private var offset = 0

    /// The empty lines skipped before the request.
    private var emptyLines = 0
    private var head = HeadReader()

    /// The bytes of the head once it is complete, which the request takes along.
    private var headBytes: [UInt8] = []
    private var body = BodyReader()
    private var isReadingBody = false

    private var nextRequestID: UInt64
    private var refusal: Refusal?

    /// How large a request may be, each part in bytes.
    public struct Limits: Hashable, Sendable {
        /// The request line and the header fields together.
        public var headBytes = 16 * 1_024
        public var targetBytes = 8 * 1_024
        public var bodyBytes = 1_024 * 1_024

        /// All extensions of a body's chunks together.
        public var chunkExtensionBytes = 4 * 1_024

        /// All trailer fields together.
        public var trailerBytes = 4 * 1_024

        public init() {}
    }

    /// Creates a parser for the requests of a connection.
    ///
    /// - Parameters:
    ///   - limits: How large a request may be.
    ///   - firstRequestID: The number of the first request that brings no id of its own; the
    ///     following are counted from it. A random start tells connections apart.
    ///   - peer: Where the client connected from, which the requests take along.
    public init(
        limits: Limits = Limits(),
        firstRequestID: UInt64 = 0,
        peer: PeerAddress? = nil
    ) {
        self.limits = limits
        self.peer = peer
        nextRequestID = firstRequestID
    }
}

// MARK: - Feeding

extension RequestParser {
    /// Adds what arrived.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        prepareToAppend()
        if refusal == nil {
            buffer.append(contentsOf: bytes)
        }
    }

    /// Adds what arrived, given as anything that has bytes.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        prepareToAppend()
        if refusal == nil {
            buffer.append(contentsOf: bytes)
        }
    }

    /// Gives back the memory of what is read, where a connection will be silent for long.
    public mutating func releaseMemory() {
        buffer = Array(buffer[offset...])
        offset = 0
    }

    /// Drops what is read, where that moves fewer bytes than it frees.
    private mutating func prepareToAppend() {
        let unread = buffer.count - offset
        guard offset > 0, unread <= offset else { return }
        buffer.removeSubrange(..<offset)
        offset = 0
    }
}

// MARK: - Asking

extension RequestParser {
    /// Something that the bytes so far amount to.
    public enum Event: Sendable {
        /// The client waits for a `100 Continue` before it sends the body of a request that is
        /// acceptable so far.
        case continueExpected

        /// A request is here, its body included.
        case request(Request)
    }

    /// How far the next request has come; each stage has its own time-out.
    public enum Stage: Hashable, Sendable {
        /// Nothing of it has arrived.
        case idle
        case head
        case body
    }

    /// How far the next request had come when ``next()`` last returned `nil`.
    public var stage: Stage {
        isReadingBody ? .body : offset < buffer.count ? .head : .idle
    }

    /// The bytes that wait in memory, for a server that bounds them.
    public var bufferedBytes: Int {
        buffer.count - offset + body.bytes.count
    }

    /// Takes the next event out of the bytes so far.
    ///
    /// - Returns: `nil` if its end has not arrived yet.
    /// - Throws: ``Refusal`` if what arrived can never become a request; the same again when asked
    ///   again.
    public mutating func next() throws(Refusal) -> Event? {
        if let refusal { throw refusal }
        do throws(Refusal) {
            return try readEvent()
        } catch {
            refusal = error
            buffer = []
            offset = 0
            body = BodyReader()
            throw error
        }
    }

    /// What the response to a refused request must know of it, as far as it was read.
    ///
    /// It does not keep the connection.
    public var refusedContext: ResponseWriter.Context {
        ResponseWriter.Context(
            method: head.method,
            version: head.version,
            requestID: head.framing.requestID ?? RequestID(made: nextRequestID),
            keepsAlive: false
        )
    }
}

// MARK: - Reading

extension RequestParser {
    private mutating func readEvent() throws(Refusal) -> Event? {
        if !isReadingBody {
            guard try readHead() else { return nil }
            isReadingBody = true
            let waits = head.version == .http11 && head.framing.expectsContinue
            if waits, !body.isComplete, offset == buffer.count { return .continueExpected }
        }
        guard try body.read(buffer, from: &offset, limits: limits) else { return nil }
        return .request(takeRequest())
    }

    /// Reads the head of a request.
    ///
    /// - Returns: Whether it is all here.
    private mutating func readHead() throws(Refusal) -> Bool {
        guard try skipEmptyLines(),
            let length = try head.read(buffer, from: offset, limits: limits)
        else { return false }
        body = BodyReader(try head.framing.body(of: head.version, upTo: limits.bodyBytes))
        headBytes = Array(buffer[offset..<offset + length])
        offset += length
        return true
    }

    /// Skips the empty lines that some clients send after a body (RFC 9112 §2.2), up to four.
    ///
    /// - Returns: Whether something else has arrived.
    private mutating func skipEmptyLines() throws(Refusal) -> Bool {
        while offset < buffer.count, buffer[offset] == .carriageReturn {
            guard offset + 1 < buffer.count else { return false }
            guard buffer[offset + 1] == .lineFeed, emptyLines < 4 else {
                throw .malformed("There are stray line ends before the request.")
            }
            offset += 2
            emptyLines += 1
        }
        return offset < buffer.count
    }

    /// Gives away the request that is complete, and gets ready for the next.
    private mutating func takeRequest() -> Request {
        guard let method = head.method else {
            preconditionFailure("A head whose method is not known was refused")
        }
        defer {
            headBytes = []
            head = HeadReader()
            body = BodyReader()
            isReadingBody = false
            emptyLines = 0
            nextRequestID &+= 1
            if offset == buffer.count, buffer.capacity > largestIdleBuffer {
                buffer = []
                offset = 0
            }
        }
        return Request(
            method: method,
            target: RequestTarget(bytes: headBytes, places: head.target),
            version: head.version,
            headers: HeaderFields(bytes: headBytes, fields: head.fields),
            body: body.bytes,
            id: head.framing.requestID ?? RequestID(made: nextRequestID),
            keepsAlive: head.framing.keepsAlive(in: head.version),
            rareFields: head.framing.rareFields,
            peer: peer
        )
    }
}

/// The memory in bytes that a connection may keep while it waits for its next request.
private let largestIdleBuffer = 16 * 1_024
