/// The version that a request is in.
public enum HTTPVersion: Hashable, Sendable {
    case http10

    /// HTTP/1.1, or a later 1.x, which is answered as 1.1 (RFC 9110 §2.5).
    case http11
}

/// A whole request.
///
/// A class, though nothing of it changes: a request is handed on a dozen times, and each copy of a
/// structure would count the references to all its arrays.
public final class Request: Sendable {
    public let method: Method
    public let target: RequestTarget
    public let version: HTTPVersion
    public let headers: HeaderFields
    public let body: [UInt8]

    /// The client's `X-Request-Id` where it is sound, or else one made here.
    public let id: RequestID

    /// Whether the client lets the connection stay open after the answer (RFC 9112 §9.3).
    public let keepsAlive: Bool

    /// Which header fields it has of those that most requests have not.
    public let rareFields: RareFields

    /// Where the client connected from: itself or a proxy; `nil` without a network.
    public let peer: PeerAddress?

    init(
        method: Method,
        target: RequestTarget,
        version: HTTPVersion,
        headers: HeaderFields,
        body: [UInt8],
        id: RequestID,
        keepsAlive: Bool,
        rareFields: RareFields,
        peer: PeerAddress?
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.body = body
        self.id = id
        self.keepsAlive = keepsAlive
        self.rareFields = rareFields
        self.peer = peer
    }

    /// Makes a request without a network, as tests do.
    ///
    /// The target is split at its `?` and not checked any further, as a parser would do.
    public convenience init(
        _ method: Method,
        _ target: String,
        headers: HeaderFields = [:],
        body: [UInt8] = [],
        peer: PeerAddress? = nil
    ) {
        self.init(
            method: method,
            target: RequestTarget(unchecked: target),
            version: .http11,
            headers: headers,
            body: body,
            id: headers[.xRequestID].flatMap { RequestID(given: $0) } ?? RequestID(made: 0),
            keepsAlive: true,
            rareFields: RareFields(in: headers),
            peer: peer
        )
    }
}

extension Request {
    /// The path as it was sent, percent-escapes and all.
    public var path: String { target.path }

    /// The query as it was sent, without its `?`; `nil` if there was none.
    public var query: String? { target.query }

    /// The media type of the body in lower case, without its parameters; `nil` if it has none.
    ///
    /// A `Content-Type` that is repeated is no media type: its values come joined by a comma, as a
    /// list in one field does.
    public var contentType: String? {
        guard let value = headers[.contentType]?.utf8 else { return nil }
        let type = Array(value.prefix { $0 != UInt8(ascii: ";") })[...].trimmingBlanks
        return String(decoding: type.map(\.lowercased), as: UTF8.self)
    }
}
