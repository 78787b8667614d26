/// The name of a header field, which is the same in upper and lower case.
public struct FieldName: Sendable {
    /// The name as it is written to the wire.
    let wire: [UInt8]

    /// The name in lower case, to compare with.
    let lowercase: [UInt8]

    /// Whether the writer of responses sees to this field itself.
    let isWritersOwn: Bool

    /// Creates a name, or returns `nil` if the text is no token (RFC 9110 §5.6.2).
    public init?(validating text: String) {
        self.init(bytes: text.utf8)
    }

    init?(bytes: some Sequence<UInt8>) {
        wire = Array(bytes)
        guard !wire.isEmpty, wire.allSatisfy(\.isTokenByte) else { return nil }
        let lowercase = wire.map(\.lowercased)
        isWritersOwn = writersOwn.contains { lowercase.elementsEqual($0.utf8) }
        self.lowercase = lowercase
    }
}

private let writersOwn = [
    "connection", "content-length", "date", "transfer-encoding", "x-request-id",
]

extension FieldName: ExpressibleByStringLiteral {
    /// Creates a name from a literal.
    ///
    /// - Precondition: The literal is a token.
    public init(stringLiteral text: String) {
        guard let name = FieldName(validating: text) else {
            preconditionFailure("No header field can be named “\(text)”")
        }
        self = name
    }
}

extension FieldName: Hashable {
    public static func == (one: FieldName, other: FieldName) -> Bool {
        one.lowercase == other.lowercase
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(lowercase)
    }
}

extension FieldName: CustomStringConvertible {
    public var description: String { String(decoding: wire, as: UTF8.self) }
}

extension FieldName {
    public static let accept: FieldName = "Accept"
    public static let acceptPatch: FieldName = "Accept-Patch"
    public static let allow: FieldName = "Allow"
    public static let authorization: FieldName = "Authorization"
    public static let cacheControl: FieldName = "Cache-Control"
    public static let connection: FieldName = "Connection"
    public static let contentEncoding: FieldName = "Content-Encoding"
    public static let contentLength: FieldName = "Content-Length"
    public static let contentType: FieldName = "Content-Type"
    public static let date: FieldName = "Date"
    public static let eTag: FieldName = "ETag"
    public static let expect: FieldName = "Expect"
    public static let host: FieldName = "Host"
    public static let idempotencyKey: FieldName = "Idempotency-Key"
    public static let idempotentReplayed: FieldName = "Idempotent-Replayed"
    public static let ifMatch: FieldName = "If-Match"
    public static let ifNoneMatch: FieldName = "If-None-Match"
    public static let lastEventID: FieldName = "Last-Event-ID"
    public static let link: FieldName = "Link"
    public static let location: FieldName = "Location"
    public static let retryAfter: FieldName = "Retry-After"
    public static let transferEncoding: FieldName = "Transfer-Encoding"
    public static let xRequestID: FieldName = "X-Request-Id"
}
