/// The row that a query stands on, to be read by position within the closure that is given it.
///
/// A row cannot be kept: its values are gone when the query moves on. Values are converted strictly,
/// so that a column of another type than the one asked for throws.
public struct Row: ~Copyable {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let columnCount: Int

    @usableFromInline
    init(_ statement: OpaquePointer, columnCount: Int) {
        self.statement = statement
        self.columnCount = columnCount
    }

    /// The value of a column, counted from 0.
    ///
    /// - Precondition: The query has such a column.
    @inlinable
    public subscript<Value: SQLiteValue>(_ index: Int) -> Value {
        get throws {
            precondition((0..<columnCount).contains(index), "The query has no column \(index).")
            return try Value(Column(statement: statement, index: Int32(index)))
        }
    }
}
