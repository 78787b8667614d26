internal import SQLite

/// The two values that the rows of a page lie beyond: a sort key and an identifier.
///
/// A first page has them too, so that one statement serves all pages of an order.
struct PageBounds {
    let key: Key
    let id: ID

    /// The place of a row, or the very start of an order.
    init(after position: Position?, or start: Key) {
        guard let position else {
            self.key = start
            id = .lowest
            return
        }
        key =
            switch position.key {
            case .integer(let number): .integer(number)
            case .text(let text): .text(text)
            }
        id = .bytes(Bytes16(high: position.high, low: position.low))
    }

    enum Key: SQLiteBindable {
        case integer(Int64)
        case text(String)

        /// Greater than any text, since in SQLite every blob is.
        case aboveAllText

        static let lowestInteger = Key.integer(.min)
        static let highestInteger = Key.integer(.max)
        static let lowestText = Key.text("")

        func bind(to parameter: Parameter) -> Int32 {
            switch self {
            case .integer(let number): number.bind(to: parameter)
            case .text(let text): text.bind(to: parameter)
            case .aboveAllText: [UInt8]().bind(to: parameter)
            }
        }
    }

    enum ID: SQLiteBindable {
        case bytes(Bytes16)

        /// An empty blob, which is less than any of 16 bytes.
        case lowest

        func bind(to parameter: Parameter) -> Int32 {
            switch self {
            case .bytes(let bytes): bytes.bind(to: parameter)
            case .lowest: [UInt8]().bind(to: parameter)
            }
        }
    }
}

/// What a page has room for.
///
/// A page of 200 long notes would be 25 MB, which no client wants at once: after 256 KiB of text it ends
/// early, and the next one goes on. There is always room for the first row.
struct PageRoom {
    private static let bytes = 256 * 1_024

    private let limit: Int
    private var rows = 0
    private var textBytes = 0

    /// Whether a row came for which there was no room.
    private(set) var isExceeded = false

    /// - Parameter limit: How many rows there may be.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes room for a row that has so many bytes of text.
    ///
    /// - Returns: Whether there is any.
    mutating func take(_ bytes: Int) -> Bool {
        isExceeded = rows == limit || rows > 0 && textBytes + bytes > PageRoom.bytes
        guard !isExceeded else { return false }
        rows += 1
        textBytes += bytes
        return true
    }
}

extension Page {
    /// Makes a page of the rows that there was room for.
    init(_ rows: [(item: Item, position: Position)], in room: PageRoom) {
        self.init(
            items: rows.map(\.item),
            next: room.isExceeded ? rows.last?.position : nil
        )
    }
}
