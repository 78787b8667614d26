/// What a path has in the places that its pattern names.
public struct PathParameters: Sendable {
    private let names: [String]

    /// The path with its escapes undone.
    private let path: ArraySlice<UInt8>

    /// Where the value of each name stands, counted from the beginning of the path.
    private let values: [Range<Int>]

    init(_ pattern: PathPattern, in path: ArraySlice<UInt8>) {
        names = pattern.parameterNames
        values = pattern.parameterRanges(in: path.span)
        self.path = path
    }

    /// The text that a path has for a name, percent-decoded.
    ///
    /// `nil` if the pattern has no such name.
    public subscript(_ name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of that text, without a copy.
    public func bytes(of name: String) -> ArraySlice<UInt8>? {
        guard let index = names.firstIndex(of: name) else { return nil }
        return path.dropFirst(values[index].lowerBound).prefix(values[index].count)
    }
}
