/// What a path has in the places that its pattern names, percent-decoded.
public struct PathParameters: Hashable, Sendable {
    private let names: [String]
    private let values: [String]

    init(names: [String], values: [String]) {
        self.names = names
        self.values = values
    }

    /// The text that a path has for a name, or `nil` if its pattern has no such name.
    public subscript(_ name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }
}
