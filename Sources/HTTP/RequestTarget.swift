/// What a request is about: a path with an optional query, or the server as a whole.
///
/// An absolute form (`GET http://example.com/goals`) is reduced to its path and query.
public struct RequestTarget: Sendable {
    /// What the ranges point into: the head of the request, which the header fields share.
    let bytes: [UInt8]
    let pathRange: Range<Int>
    let queryRange: Range<Int>?
    let authorityRange: Range<Int>?
    public let form: Form

    public enum Form: Hashable, Sendable {
        /// A path, such as `/goals?limit=5`.
        case origin

        /// `*`, which `OPTIONS` uses for the server as a whole.
        case asterisk
    }
}

extension RequestTarget {
    /// The path as it was sent, percent-escapes and all; `*` for the asterisk form.
    public var path: String { text(pathRange) }

    /// The query as it was sent, without its `?`; `nil` if there was none.
    public var query: String? { queryRange.map(text) }

    /// The host and port of an absolute form, which goes before the `Host` field (RFC 9112 §3.2.2).
    public var authority: String? { authorityRange.map(text) }

    /// The bytes of the path, without a copy.
    public var pathBytes: ArraySlice<UInt8> { bytes[pathRange] }

    /// The bytes of the query, without a copy.
    public var queryBytes: ArraySlice<UInt8>? { queryRange.map { bytes[$0] } }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension RequestTarget {
    /// Splits a path from its query, and checks neither.
    init(unchecked text: String) {
        let bytes = Array(text.utf8)
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        self.bytes = bytes
        pathRange = 0..<(mark ?? bytes.count)
        queryRange = mark.map { ($0 + 1)..<bytes.count }
        authorityRange = nil
        form = text == "*" ? .asterisk : .origin
    }
}
