/// The names and values of a query, in order, decoded as forms are: `+` is a blank.
public struct QueryItems: Hashable, Sendable {
    private let items: [Item]

    public struct Item: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A query that can't be decoded.
    ///
    /// It has a broken escape, a NUL, or bytes that are no UTF-8.
    public struct Malformed: Error, Hashable {
        public init() {}
    }

    /// Reads a query, without its `?`.
    ///
    /// An item without `=` has an empty value. Nothing between two `&` is no item.
    public init(parsing raw: String) throws(Malformed) {
        items = try raw.utf8.split(separator: UInt8(ascii: "&")).map { (item) throws(Malformed) in
            let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            guard let name = decode(item[..<end]), let value = decode(item[end...].dropFirst())
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

private func decode(_ text: Substring.UTF8View) -> String? {
    // Most texts have nothing to be undone.
    let isPlain = text.allSatisfy { $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+") && $0 != 0 }
    if isPlain { return String(Substring(text)) }
    // A plus sign that means itself is escaped, so it must be looked for before the escapes go.
    return PercentEncoding.decode(text.map { $0 == UInt8(ascii: "+") ? .space : $0 })
        .flatMap { String(validating: $0, as: UTF8.self) }
}
