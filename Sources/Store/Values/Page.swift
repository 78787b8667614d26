/// Some rows of a list, and where the next ones begin.
public struct Page<Item> {
    public let items: [Item]

    /// The place of the last item, to ask for those after it; `nil` on the last page.
    public let next: Position?

    public init(items: [Item], next: Position?) {
        self.items = items
        self.next = next
    }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}

/// A place in a sorted list: a sort key, and the identifier that tells rows with equal keys apart.
///
/// A position stays good whatever is inserted or deleted around it, also when the row that it was
/// taken from is gone. It belongs to one order; in another it means nothing.
public struct Position: Hashable, Sendable {
    public let key: SortKey
    public let high: UInt64
    public let low: UInt64

    public init(key: SortKey, high: UInt64, low: UInt64) {
        self.key = key
        self.high = high
        self.low = low
    }

    /// The value that a list is sorted by, as the store keeps it.
    public enum SortKey: Hashable, Sendable {
        case integer(Int64)
        case text(String)
    }
}
