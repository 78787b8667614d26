/// The shape of a path, such as `/goals/:goal/transactions`: literal segments, and names for those
/// that vary.
public struct PathPattern: Hashable, Sendable {
    /// The pattern as it is written in the table.
    public let text: String

    /// The names of the segments that vary, in order.
    public let parameterNames: [String]

    private let segments: [Segment]

    private enum Segment: Hashable, Sendable {
        case literal([UInt8])
        case parameter
    }

    /// Reads a pattern.
    ///
    /// - Precondition: It begins with a slash, has no empty segment (but for `/` itself), and each
    ///   name once.
    public init(_ text: String) {
        precondition(text.utf8.first == slash, "“\(text)” does not begin with a slash")
        let parts =
            text == "/"
            ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        precondition(!parts.contains("") && !parts.contains(":"), "“\(text)” has an empty segment")
        let names = parts.filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
        precondition(Set(names).count == names.count, "“\(text)” has a name twice")

        self.text = text
        parameterNames = names
        segments = parts.map { $0.hasPrefix(":") ? .parameter : .literal(Array($0.utf8)) }
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
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { $0 == .parameter || $0 == $1 }
    }

    /// Matches a raw path, segment by segment.
    ///
    /// Escapes are undone after the path is cut at its slashes, and once: `%2F` is no separator,
    /// `%68` is an `h`, and `%2568` is not. A segment that varies is neither empty nor, decoded,
    /// without meaning as text or as one segment: no NUL, no slash, no bytes that are not UTF-8.
    ///
    /// - Returns: What the path has for the names, or `nil` if it does not fit.
    func match(_ path: ArraySlice<UInt8>) -> PathParameters? {
        guard path.first == slash else { return nil }
        if segments.isEmpty { return path.count == 1 ? PathParameters() : nil }

        var values: [Range<Int>] = []
        var index = path.startIndex
        for segment in segments {
            guard index < path.endIndex else { return nil }
            let start = index + 1
            index = path[start...].firstIndex(of: slash) ?? path.endIndex
            switch segment {
            case .literal(let bytes):
                guard isSame(path[start..<index], bytes) else { return nil }
            case .parameter:
                guard start < index, isText(path[start..<index]) else { return nil }
                values.append(start..<index)
            }
        }
        return index == path.endIndex
            ? PathParameters(names: parameterNames, path: path, values: values) : nil
    }
}

private let slash = UInt8(ascii: "/")
private let percent = UInt8(ascii: "%")

private func isSame(_ segment: ArraySlice<UInt8>, _ literal: [UInt8]) -> Bool {
    if segment.elementsEqual(literal) { return true }
    return segment.contains(percent) && PercentEncoding.decode(segment) == literal
}

private func isText(_ segment: ArraySlice<UInt8>) -> Bool {
    guard segment.contains(percent) else { return true }
    guard let bytes = PercentEncoding.decode(segment), !bytes.contains(slash) else { return false }
    return String(validating: bytes, as: UTF8.self) != nil
}
