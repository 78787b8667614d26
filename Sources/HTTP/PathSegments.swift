/// Where the segments of a path stand, found in one pass over it.
struct PathSegments: Sendable {
    /// The most segments that are told apart, and that a pattern may have.
    static let most = 8

    /// How many there are; one more than the most of a path that has even more.
    private(set) var count = 0

    /// Whether there is a percent sign, so that these are not the segments of what is meant.
    private(set) var hasEscapes = false

    /// Where each begins, after its slash; behind the last, where one more would.
    private var starts = InlineArray<9, UInt32>(repeating: 0)

    /// Finds the segments of a path that begins with a slash, and is never 4 GiB.
    init(of path: Span<UInt8>) {
        for index in path.indices {
            switch path[index] {
            case UInt8(ascii: "/") where count <= Self.most:
                starts[count] = UInt32(truncatingIfNeeded: index + 1)
                count += 1
            case UInt8(ascii: "%"):
                hasEscapes = true
            default:
                break
            }
        }
        if count <= Self.most { starts[count] = UInt32(truncatingIfNeeded: path.count + 1) }
    }

    /// Where a segment stands.
    subscript(_ index: Int) -> Range<Int> {
        Int(starts[index])..<Int(starts[index + 1]) - 1
    }
}
