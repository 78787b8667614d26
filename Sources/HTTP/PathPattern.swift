/// The shape of a path, such as `/goals/:goal/transactions`: literal segments, and names for those
/// that vary.
public struct PathPattern: Hashable, Sendable {
    /// The pattern as it is written in the table.
    public let text: String

    let segments: [Segment]

    enum Segment: Hashable, Sendable {
        case literal([UInt8])
        case parameter(String)
    }

    /// Reads a pattern.
    ///
    /// - Precondition: It begins with a slash, has no empty segment (but for `/` itself), and each
    ///   name once.
    public init(_ text: String) {
        precondition(text.utf8.first == UInt8(ascii: "/"), "“\(text)” does not begin with a slash")
        self.text = text
        segments =
            text == "/"
            ? []
            : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
                $0.first == ":" ? .parameter(String($0.dropFirst())) : .literal(Array($0.utf8))
            }
        precondition(
            !segments.contains(.literal([])) && !segments.contains(.parameter("")),
            "“\(text)” has an empty segment"
        )
        let names = parameterNames
        precondition(Set(names).count == names.count, "“\(text)” has a name twice")
    }

    /// The names of the segments that vary, in order.
    public var parameterNames: [String] {
        segments.compactMap { segment in
            if case .parameter(let name) = segment { name } else { nil }
        }
    }
}

extension PathPattern: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension PathPattern: CustomStringConvertible {
    public var description: String { text }
}
