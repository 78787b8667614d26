/// The header fields that most requests have none of, though each request is asked for them.
///
/// They are noted when the head is read, so that nobody has to search for what is not there.
public struct RareFields: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let authorization = RareFields(rawValue: 1 << 0)
    public static let ifMatch = RareFields(rawValue: 1 << 1)
    public static let ifNoneMatch = RareFields(rawValue: 1 << 2)

    /// Those that make a request conditional.
    public static let conditions: RareFields = [.ifMatch, .ifNoneMatch]
}

extension RareFields {
    /// Notes which of them a message has.
    init(in headers: HeaderFields) {
        self = []
        if headers.contains(.authorization) { insert(.authorization) }
        if headers.contains(.ifMatch) { insert(.ifMatch) }
        if headers.contains(.ifNoneMatch) { insert(.ifNoneMatch) }
    }
}
