/// The shape of a path, such as `/goals/:goal/transactions`: literal segments, and names for those
/// that vary.
public struct PathPattern: Hashable, Sendable {
    /// The pattern as it is written in the table.
    public let text: String

    /// The segments that vary, in order.
    let parameters: [Parameter]

    /// The bytes of the pattern, with a single NUL for each segment that varies.
    private let shape: [UInt8]

    private let segmentCount: Int

    /// A segment that varies: its name and its place among the segments.
    struct Parameter: Hashable, Sendable {
        let name: String
        let segment: Int
    }

    /// Reads a pattern.
    ///
    /// - Precondition: It begins with a slash, has no empty segment (but for `/` itself), and each
    ///   name once, and no more than eight segments.
    public init(_ text: String) {
        precondition(text.utf8.first == slash, "“\(text)” does not begin with a slash")
        let segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        precondition(
            text == "/" || !segments.contains("") && !segments.contains(":"),
            "“\(text)” has an empty segment"
        )
        precondition(segments.count <= PathSegments.most, "“\(text)” has too many segments")
        let parameters = segments.enumerated()
            .filter { $1.hasPrefix(":") }
            .map { Parameter(name: String($1.dropFirst()), segment: $0) }
        let names = Set(parameters.map(\.name))
        precondition(names.count == parameters.count, "“\(text)” has a name twice")

        self.text = text
        self.parameters = parameters
        segmentCount = segments.count
        shape = segments.flatMap { segment in
            [slash] + (segment.hasPrefix(":") ? [variable] : Array(segment.utf8))
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

extension PathPattern {
    /// The names of the segments that vary, in order.
    public var parameterNames: [String] { parameters.map(\.name) }

    /// Whether every path that fits another pattern fits this one, too.
    func covers(_ other: PathPattern) -> Bool {
        let mine = shape.split(separator: slash)
        let others = other.shape.split(separator: slash)
        return mine.count == others.count
            && zip(mine, others).allSatisfy { $0 == [variable] || $0 == $1 }
    }

    /// Whether a path fits whose escapes are undone.
    func fits(_ path: Span<UInt8>, _ segments: PathSegments) -> Bool {
        guard segments.count == segmentCount else { return false }
        let shape = shape.span
        var index = 0
        var segment = -1
        for place in shape.indices {
            if shape[place] == variable {
                guard !segments[segment].isEmpty else { return false }
                index = segments[segment].upperBound
            } else {
                guard index < path.count, path[index] == shape[place] else { return false }
                if shape[place] == slash { segment += 1 }
                index += 1
            }
        }
        return index == path.count
    }
}

private let slash = UInt8(ascii: "/")

/// What stands for a segment that varies; no path has it, escaped or not.
private let variable: UInt8 = 0
