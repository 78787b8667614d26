/// The names and values of a query, in order, decoded as forms are: `+` is a blank.
public struct QueryItems: Hashable, Sendable {
    public let items: [Item]

    public struct Item: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A query that can't be decoded: a broken escape, a NUL, or bytes that are no UTF-8.
    public struct Malformed: Error, Hashable {}

    /// Reads a query, without its `?`.
    public init(parsing raw: String) throws(Malformed) {
        items = try raw.utf8.split(separator: UInt8(ascii: "&")).map { (pair) throws(Malformed) in
            let halves = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = decode(halves[0]), let value = decode(halves.dropFirst().joined())
            else { throw Malformed() }
            return Item(name: name, value: value)
        }
    }
}

extension QueryItems: RandomAccessCollection {
    public var startIndex: Int { items.startIndex }
    public var endIndex: Int { items.endIndex }
    public subscript(position: Int) -> Item { items[position] }
}

private func decode(_ bytes: some Sequence<UInt8>) -> String? {
    PercentEncoding.decode(bytes.map { $0 == UInt8(ascii: "+") ? .space : $0 })
        .flatMap { String(validating: $0, as: UTF8.self) }
}
