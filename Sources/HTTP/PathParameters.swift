/// What a path has in the places that its pattern names.
public struct PathParameters: Sendable {
    private let names: [String]
    private let path: ArraySlice<UInt8>

    /// Where in the path the value of each name stands, escapes and all; they are sound.
    private let values: [Range<Int>]

    init(names: [String], path: ArraySlice<UInt8>, values: [Range<Int>]) {
        self.names = names
        self.path = path
        self.values = values
    }

    /// Creates the parameters of a pattern that has none.
    init() {
        self.init(names: [], path: [], values: [])
    }

    /// The text that a path has for a name, percent-decoded.
    ///
    /// `nil` if the pattern has no such name.
    public subscript(_ name: String) -> String? {
        guard let index = names.firstIndex(of: name),
            let bytes = PercentEncoding.decode(path[values[index]])
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
