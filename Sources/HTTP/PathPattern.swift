/// The shape of a path, such as `/goals/:goal/transactions`: literal segments, and names for those
/// that vary.
public struct PathPattern: Hashable, Sendable {
    /// The pattern as it is written in the table.
    public let text: String

    /// The names of the segments that vary, in order.
    public let parameterNames: [String]

    /// The bytes of the pattern, with a single NUL for each segment that varies.
    private let shape: [UInt8]

    /// Reads a pattern.
    ///
    /// - Precondition: It begins with a slash, has no empty segment (but for `/` itself), and each
    ///   name once.
    public init(_ text: String) {
        precondition(text.utf8.first == slash, "“\(text)” does not begin with a slash")
        let segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        precondition(
            text == "/" || !segments.contains("") && !segments.contains(":"),
            "“\(text)” has an empty segment"
        )
        let names = segments.filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
        precondition(Set(names).count == names.count, "“\(text)” has a name twice")

        self.text = text
        parameterNames = names
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
    /// Whether every path that fits another pattern fits this one, too.
    func covers(_ other: PathPattern) -> Bool {
        let mine = shape.split(separator: slash)
        let others = other.shape.split(separator: slash)
        return mine.count == others.count
            && zip(mine, others).allSatisfy { $0 == [variable] || $0 == $1 }
    }

    /// Whether a path fits whose escapes are undone.
    func fits(_ path: Span<UInt8>) -> Bool {
        let shape = shape.span
        var index = 0
        var place = 0
        while place < shape.count {
            if shape[place] == variable {
                let end = endOfSegment(from: index, in: path)
                guard end > index else { return false }
                index = end
            } else {
                guard index < path.count, path[index] == shape[place] else { return false }
                index += 1
            }
            place += 1
        }
        return index == path.count
    }

    /// Where a path that fits has the segments that vary.
    func parameterRanges(in path: Span<UInt8>) -> [Range<Int>] {
        guard !parameterNames.isEmpty else { return [] }
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(parameterNames.count)
        var index = 0
        for byte in shape {
            if byte == variable {
                let end = endOfSegment(from: index, in: path)
                ranges.append(index..<end)
                index = end
            } else {
                index += 1
            }
        }
        return ranges
    }

    private func endOfSegment(from start: Int, in path: Span<UInt8>) -> Int {
        var end = start
        while end < path.count, path[end] != slash {
            end += 1
        }
        return end
    }
}

private let slash = UInt8(ascii: "/")

/// What stands for a segment that varies; no path has it, escaped or not.
private let variable: UInt8 = 0
