/// What a request is about: a path with an optional query, or the server as a whole.
///
/// An absolute form (`GET http://example.com/goals`) is reduced to its path and query.
public struct RequestTarget: Sendable {
    /// What the places point into: the head of the request, which the header fields share.
    let bytes: [UInt8]
    let places: Places

    /// Where the parts of a target stand.
    struct Places: Hashable, Sendable {
        var form = Form.origin
        var path: Range<Int>
        var query: Range<Int>?
        var authority: Range<Int>?
    }

    public enum Form: Hashable, Sendable {
        /// A path, such as `/goals?limit=5`.
        case origin

        /// `*`, which `OPTIONS` uses for the server as a whole.
        case asterisk
    }
}

extension RequestTarget {
    public var form: Form { places.form }

    /// The path as it was sent, percent-escapes and all; `*` for the asterisk form.
    public var path: String {
        form == .asterisk ? "*" : String(decoding: pathBytes, as: UTF8.self)
    }

    /// The query as it was sent, without its `?`; `nil` if there was none.
    public var query: String? {
        queryBytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The host and port of an absolute form, which go before the `Host` field.
    public var authority: String? {
        places.authority.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// The bytes of the path of an origin form, without a copy.
    public var pathBytes: ArraySlice<UInt8> { bytes[places.path] }

    /// The bytes of the query, without a copy.
    public var queryBytes: ArraySlice<UInt8>? { places.query.map { bytes[$0] } }
}

extension RequestTarget {
    /// Splits a path from its query, and checks neither.
    init(unchecked text: String) {
        let bytes = Array(text.utf8)
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        self.bytes = bytes
        places = Places(
            form: text == "*" ? .asterisk : .origin,
            path: 0..<(mark ?? bytes.count),
            query: mark.map { ($0 + 1)..<bytes.count }
        )
    }
}

// MARK: - Reading

extension RequestTarget.Places {
    /// Finds the parts of a target in the head of a request (RFC 9112 §3.2).
    ///
    /// - Parameters:
    ///   - target: Where the target stands; it is not empty, and of target bytes and brackets only.
    ///   - head: What it stands in.
    ///   - method: The method, on which the allowed forms depend.
    /// - Throws: ``Refusal`` if it has none of the forms.
    init(
        of target: Range<Int>,
        in head: Span<UInt8>,
        for method: Method
    ) throws(Refusal) {
        let first = head[target.lowerBound]
        if first == UInt8(ascii: "/") {
            self.init(path: target)
        } else if first == UInt8(ascii: "*"), target.count == 1 {
            guard method == .options else {
                throw .malformed("The target * is for OPTIONS alone.")
            }
            self.init(form: .asterisk, path: target)
            return
        } else {
            try self.init(ofAbsolute: target, in: head)
        }
        try splitQuery(in: head)
        if path.isEmpty, let authority {
            // For OPTIONS, no path stands for the server as a whole (RFC 9112 §3.2.4); for others
            // it means `/`, and the slash before the authority serves as one.
            form = method == .options && query == nil ? .asterisk : .origin
            path = (authority.lowerBound - 1)..<authority.lowerBound
        }
    }

    /// Finds authority and path of a target with a scheme; the query is still part of the path.
    private init(ofAbsolute target: Range<Int>, in head: Span<UInt8>) throws(Refusal) {
        let bytes = head.extracting(target)
        let schemeLength = Self.schemeLength(bytes)
        guard schemeLength > 0 else {
            throw .malformed("The target neither begins with a slash nor is an http address.")
        }
        var end = schemeLength
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") {
            end += 1
        }
        guard Authority.isValid(bytes.extracting(schemeLength..<end)) else {
            throw .malformed("The address in the target has no valid host.")
        }
        let start = target.lowerBound
        self.init(
            path: (start + end)..<target.upperBound,
            authority: (start + schemeLength)..<(start + end)
        )
    }

    /// The length of `http://` or `https://`, or zero if the target begins with neither.
    private static func schemeLength(_ target: Span<UInt8>) -> Int {
        for scheme in [httpScheme, httpsScheme]
        where target.extracting(first: scheme.count).equalsIgnoringCase(scheme) {
            return scheme.count
        }
        return 0
    }

    /// Cuts the query off the path, and checks the bytes of both.
    private mutating func splitQuery(in head: Span<UInt8>) throws(Refusal) {
        let target = path
        var index = target.lowerBound
        while index < target.upperBound {
            switch head[index] {
            case UInt8(ascii: "?") where query == nil:
                path = target.lowerBound..<index
                query = (index + 1)..<target.upperBound
            case UInt8(ascii: "%"):
                guard isEscape(head.extracting(..<target.upperBound), at: index) else {
                    throw .malformed("A percent sign in the target does not begin an escape.")
                }
                index += 2
            case UInt8(ascii: "["), UInt8(ascii: "]"):
                throw .malformed("The target has a byte that must be percent-encoded.")
            default:
                break
            }
            index += 1
        }
    }
}

private let httpScheme = Array("http://".utf8)
private let httpsScheme = Array("https://".utf8)
