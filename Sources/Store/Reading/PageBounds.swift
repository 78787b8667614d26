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

extension Page {
    /// Makes a page of rows of which one more was asked for than the page may have.
    init(_ rows: [(item: Item, position: Position)], limit: Int) {
        let shown = rows.prefix(limit)
        self.init(
            items: shown.map(\.item),
            next: rows.count > limit ? shown.last?.position : nil
        )
    }
}
