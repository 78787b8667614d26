/// What a path has in the places that its pattern names.
public struct PathParameters: Sendable {
    private let parameters: [PathPattern.Parameter]

    /// The path with its escapes undone.
    private let path: ArraySlice<UInt8>
    private let segments: PathSegments

    /// Takes the parameters of a path that fits a pattern.
    init(_ pattern: PathPattern, in path: ArraySlice<UInt8>, _ segments: PathSegments) {
        parameters = pattern.parameters
        self.path = path
        self.segments = segments
    }

    /// The text that a path has for a name, percent-decoded.
    ///
    /// `nil` if the pattern has no such name.
    public subscript(_ name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of that text, without a copy.
    public func bytes(of name: String) -> ArraySlice<UInt8>? {
        guard let parameter = parameters.first(where: { $0.name == name }) else { return nil }
        let place = segments[parameter.segment]
        return path[(path.startIndex + place.lowerBound)..<(path.startIndex + place.upperBound)]
    }
}
