internal import CSQLite

/// A Swift value that a parameter can stand for.
public protocol SQLiteBindable {
    /// Binds the value to a parameter of a statement; SQLite copies what it needs.
    ///
    /// - Returns: SQLite's result code.
    func bind(to parameter: Parameter) -> Int32
}

/// A Swift value that a column can hold.
///
/// The conversions are strict: a column that holds another type of value than the one asked for is
/// an error, and never converted silently.
public protocol SQLiteValue: SQLiteBindable {
    /// Reads the value of a column.
    init(_ column: Column) throws
}

/// A parameter of a statement that is about to run.
public struct Parameter {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let index: Int32

    @usableFromInline
    init(statement: OpaquePointer, index: Int32) {
        self.statement = statement
        self.index = index
    }
}

/// A column of the row that a statement stands on.
public struct Column {
    let statement: OpaquePointer
    let index: Int32

    /// What the column holds in this row.
    ///
    /// Taken once, since each look at a column has SQLite check the row anew. SQLite calls such a value
    /// unprotected: no lock is held around it. No other thread has the connection, so none is needed.
    let value: OpaquePointer?

    @usableFromInline
    init(statement: OpaquePointer, index: Int32) {
        self.statement = statement
        self.index = index
        value = sqlite3_column_value(statement, index)
    }

    /// The type of what the column holds in this row, one of SQLite's fundamental types.
    var type: Int32 {
        sqlite3_value_type(value)
    }

    @usableFromInline var isNull: Bool {
        type == SQLITE_NULL
    }

    /// Checks that the column holds a value of the type.
    func expect(_ expected: Int32) throws {
        guard type == expected else { throw mismatch(expected: name(of: expected)) }
    }

    /// The error that says what the column should hold, and what it does.
    func mismatch(expected: String) -> SQLiteError {
        let column = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "?"
        return SQLiteError(
            extendedCode: SQLITE_MISMATCH,
            message: "column \(column) holds \(name(of: type)) instead of \(expected)",
            context: text(of: statement)
        )
    }

    private func name(of type: Int32) -> String {
        switch type {
        case SQLITE_INTEGER: "an integer"
        case SQLITE_FLOAT: "a real number"
        case SQLITE_TEXT: "text"
        case SQLITE_BLOB: "a blob"
        default: "NULL"
        }
    }
}

extension Int64: SQLiteValue {
    public func bind(to parameter: Parameter) -> Int32 {
        sqlite3_bind_int64(parameter.statement, parameter.index, self)
    }

    public init(_ column: Column) throws {
        try column.expect(SQLITE_INTEGER)
        self = sqlite3_value_int64(column.value)
    }
}

extension Int: SQLiteValue {
    @inlinable
    public func bind(to parameter: Parameter) -> Int32 {
        Int64(self).bind(to: parameter)
    }

    @inlinable
    public init(_ column: Column) throws {
        self = try Int(Int64(column))
    }
}

extension String: SQLiteValue {
    public func bind(to parameter: Parameter) -> Int32 {
        var copy = self
        return copy.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // SQLite takes text without an address for NULL, so that even none has one.
                guard let start = characters.baseAddress else {
                    return bindText("", count: 0, to: parameter)
                }
                return bindText(start, count: characters.count, to: parameter)
            }
        }
    }

    /// Reads text; it must be valid UTF-8.
    public init(_ column: Column) throws {
        try column.expect(SQLITE_TEXT)
        // The address comes before the count: the first call may convert, the second counts then.
        let start = sqlite3_value_text(column.value)
        let count = Int(sqlite3_value_bytes(column.value))
        let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
        do {
            self = String(copying: try UTF8Span(validating: bytes.span))
        } catch {
            throw column.mismatch(expected: "valid UTF-8")
        }
    }
}

extension [UInt8]: SQLiteBindable {
    public func bind(to parameter: Parameter) -> Int32 {
        withUnsafeBytes { bindBlob($0, to: parameter) }
    }
}

extension [UInt8]: SQLiteValue {
    public init(_ column: Column) throws {
        try column.expect(SQLITE_BLOB)
        self = Array(column.blob)
    }
}

/// A blob of 16 bytes, held in two integers: the high and the low half, big-endian.
///
/// Blobs compare in SQL as such integers do in Swift.
public struct Bytes16: Hashable, Sendable, SQLiteValue {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public func bind(to parameter: Parameter) -> Int32 {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bindBlob($0, to: parameter) }
    }

    public init(_ column: Column) throws {
        try column.expect(SQLITE_BLOB)
        let bytes = column.blob
        guard bytes.count == 16 else {
            throw column.mismatch(expected: "a blob of 16 bytes")
        }
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
}

// An optional is a value or NULL.

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
    @inlinable
    public func bind(to parameter: Parameter) -> Int32 {
        switch self {
        case let value?: value.bind(to: parameter)
        case nil: parameter.bindNull()
        }
    }
}

extension Optional: SQLiteValue where Wrapped: SQLiteValue {
    @inlinable
    public init(_ column: Column) throws {
        self = column.isNull ? nil : try Wrapped(column)
    }
}

extension Parameter {
    @usableFromInline
    func bindNull() -> Int32 {
        sqlite3_bind_null(statement, index)
    }
}

extension Column {
    /// The bytes of a blob, which are gone with the row.
    fileprivate var blob: UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}

/// `SQLITE_TRANSIENT`, a macro that Swift does not import: SQLite copies the bytes during the call.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

private func bindText(
    _ start: UnsafePointer<CChar>,
    count: Int,
    to parameter: Parameter
) -> Int32 {
    sqlite3_bind_text64(
        parameter.statement,
        parameter.index,
        start,
        sqlite3_uint64(count),
        transient,
        UInt8(SQLITE_UTF8)
    )
}

private func bindBlob(_ bytes: UnsafeRawBufferPointer, to parameter: Parameter) -> Int32 {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
        // SQLite takes a blob without an address for NULL.
        return sqlite3_bind_zeroblob(parameter.statement, parameter.index, 0)
    }
    return sqlite3_bind_blob64(
        parameter.statement,
        parameter.index,
        start,
        sqlite3_uint64(bytes.count),
        transient
    )
}

/// The SQL of a statement, for messages.
@usableFromInline
func text(of statement: OpaquePointer) -> String {
    sqlite3_sql(statement).map { String(cString: $0) } ?? "?"
}
