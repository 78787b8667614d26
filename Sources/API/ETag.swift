/// An entity tag (RFC 9110 §8.8.3): a name for the bytes of a representation.
struct ETag: Hashable, Sendable {
    let isWeak: Bool

    /// What stands between the quotes.
    let opaque: String

    /// Creates a strong tag.
    init(_ opaque: String) {
        self.init(isWeak: false, opaque: opaque)
    }

    fileprivate init(isWeak: Bool, opaque: String) {
        self.isWeak = isWeak
        self.opaque = opaque
    }

    // As bytes: strings are equal if they look the same, and what a client sends may make finding
    // that out costly.
    static func == (one: ETag, other: ETag) -> Bool {
        one.isWeak == other.isWeak && one.opaque.utf8.elementsEqual(other.opaque.utf8)
    }

    /// Whether the tags are the same, whether weak or not (RFC 9110 §8.8.3.2).
    fileprivate func matchesWeakly(_ other: ETag) -> Bool {
        opaque.utf8.elementsEqual(other.opaque.utf8)
    }

    /// The tag as it stands in a header field.
    var fieldValue: String {
        String(decoding: fieldBytes, as: UTF8.self)
    }

    /// The same as bytes.
    var fieldBytes: [UInt8] {
        let quote = CollectionOfOne(UInt8(ascii: "\""))
        return (isWeak ? Array("W/".utf8) : []) + quote + opaque.utf8 + quote
    }
}

/// What `If-Match` and `If-None-Match` hold: any representation, or some tags.
enum ETagCondition: Hashable, Sendable {
    case any
    case oneOf([ETag])

    /// Reads a field's value.
    ///
    /// - Returns: `nil` if it is neither `*` nor a list of entity tags.
    init?(_ fieldValue: String) {
        var rest = Substring(fieldValue).utf8
        rest.skipBlanks()
        if rest.elementsEqual("*".utf8) || rest.starts(with: "*".utf8) && rest.dropFirst().isBlank {
            self = .any
            return
        }
        var tags: [ETag] = []
        while !rest.isEmpty {
            // RFC 9110 §5.6.1: a recipient must accept empty elements in a list.
            if rest.first == UInt8(ascii: ",") {
                rest.removeFirst()
                rest.skipBlanks()
                continue
            }
            guard let tag = rest.readETag() else { return nil }
            tags.append(tag)
            rest.skipBlanks()
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
        }
        guard !tags.isEmpty else { return nil }
        self = .oneOf(tags)
    }

    /// Whether a representation that exists meets the condition by weak comparison, which is for
    /// `If-None-Match`.
    func matchesWeakly(_ current: ETag) -> Bool {
        switch self {
        case .any: true
        case .oneOf(let tags): tags.contains { $0.matchesWeakly(current) }
        }
    }

    /// Whether a representation that exists meets the condition by strong comparison, which is
    /// for `If-Match`.
    func matchesStrongly(_ current: ETag) -> Bool {
        switch self {
        case .any: true
        case .oneOf(let tags): !current.isWeak && tags.contains(current)
        }
    }
}

extension Substring.UTF8View {
    fileprivate var isBlank: Bool {
        allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    fileprivate mutating func skipBlanks() {
        self = drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Takes an entity tag from the front, if there is one.
    fileprivate mutating func readETag() -> ETag? {
        let isWeak = starts(with: "W/".utf8)
        let quoted = isWeak ? dropFirst(2) : self
        guard quoted.first == UInt8(ascii: "\"") else { return nil }
        let content = quoted.dropFirst()
        guard
            let end = content.firstIndex(of: UInt8(ascii: "\"")),
            content[..<end].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        self = content[content.index(after: end)...]
        return ETag(isWeak: isWeak, opaque: String(Substring(content[..<end])))
    }
}
