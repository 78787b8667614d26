internal import CSQLite

/// A connection to a database.
///
/// Statements are literals: text that is put together at run time does not compile, so that no value
/// can ever be taken for SQL. Each is compiled once per connection and then kept under the address of
/// its literal. Values go in as parameters, rows come out within a closure, and a statement holds no
/// lock once the call that ran it has returned.
///
/// ```swift
/// let names = try database.rows(
///     """
///     SELECT name FROM person
///     WHERE age >= ?
///     """,
///     18
/// ) { row in try row[0] as String }
/// ```
///
/// A connection belongs to one owner at a time: it is not `Sendable`, and SQLite's own locks around it
/// are off. Keep it in a `Mutex` to share it.
public final class Database {
    let connection: OpaquePointer
    /// The statements compiled so far: a few dozen at most, so that to search them costs less than to
    /// hash an address.
    private var statements: [(sql: UnsafePointer<UInt8>, statement: Statement)] = []
    /// Where SQLite leaves the length of the log after each commit.
    let log: UnsafeMutablePointer<Int32>

    /// What opening may do to the file.
    public enum Mode: Sendable {
        /// Reads only.
        case readOnly

        /// Reads and writes a file that exists.
        case readWrite

        /// Reads and writes, and makes the file if there is none.
        case create
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, or `:memory:` for a database that is gone when closed.
    ///   - mode: What opening may do to the file.
    /// - Throws: ``SQLiteError`` if the file may not be opened. SQLite looks into the file only when
    ///   the first statement needs it, so that one that is no database is found out then.
    public init(at path: String, mode: Mode) throws {
        let flags =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        _ = Database.isLibrarySetUp
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            path,
            &handle,
            flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            nil
        )
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw SQLiteError(of: handle, path)
        }
        connection = handle
        log = .allocate(capacity: 1)
        log.initialize(to: 0)
        watchLog()
    }

    /// Whether the library has taken our settings, which it does before the first connection only.
    private static let isLibrarySetUp = goalpost_sqlite3_no_memory_statistics() == SQLITE_OK

    deinit {
        for known in statements {
            known.statement.finalize()
        }
        sqlite3_close_v2(connection)
        log.deallocate()
    }
}

// MARK: - Statements

extension Database {
    /// Runs a statement to its end; rows that it yields are dropped.
    ///
    /// - Precondition: There are as many values as the statement has parameters.
    @inlinable
    public func run<each Value: SQLiteBindable>(
        _ sql: StaticString,
        _ value: repeat each Value
    ) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(repeat each value)
        while try statement.step() {}
    }

    /// The first row of a query, or `nil` if it yields none.
    ///
    /// - Precondition: There are as many values as the query has parameters.
    @inlinable
    public func row<each Value: SQLiteBindable, Result>(
        _ sql: StaticString,
        _ value: repeat each Value,
        read: (borrowing Row) throws -> Result
    ) throws -> Result? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(repeat each value)
        guard try statement.step() else { return nil }
        return try read(Row(statement.handle, columnCount: statement.columnCount))
    }

    /// All rows of a query, in its order.
    ///
    /// - Precondition: There are as many values as the query has parameters.
    @inlinable
    public func rows<each Value: SQLiteBindable, Result>(
        _ sql: StaticString,
        _ value: repeat each Value,
        read: (borrowing Row) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try forEachRow(sql, repeat each value) { row in try results.append(read(row)) }
        return results
    }

    /// The rows of a query up to the first, if any, for which the closure returns `nil`.
    ///
    /// - Precondition: There are as many values as the query has parameters.
    @inlinable
    public func leadingRows<each Value: SQLiteBindable, Result>(
        _ sql: StaticString,
        _ value: repeat each Value,
        read: (borrowing Row) throws -> Result?
    ) throws -> [Result] {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(repeat each value)
        var results: [Result] = []
        while try statement.step() {
            let row = Row(statement.handle, columnCount: statement.columnCount)
            guard let result = try read(row) else { break }
            results.append(result)
        }
        return results
    }

    /// Runs a closure for each row of a query, in its order, so that they need not all be kept.
    ///
    /// - Precondition: There are as many values as the query has parameters, and the closure does not
    ///   run the same query.
    @inlinable
    public func forEachRow<each Value: SQLiteBindable>(
        _ sql: StaticString,
        _ value: repeat each Value,
        body: (borrowing Row) throws -> Void
    ) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(repeat each value)
        while try statement.step() {
            try body(Row(statement.handle, columnCount: statement.columnCount))
        }
    }

    /// Runs any number of statements, of which none has parameters.
    ///
    /// They are compiled one by one as they run, so that each may stand on what those before it made.
    public func runScript(_ sql: StaticString) throws {
        let count = sql.utf8CodeUnitCount
        let code = sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: count) { start in
            sqlite3_exec(connection, start, nil, nil, nil)
        }
        guard code == SQLITE_OK else { throw SQLiteError(of: connection, "\(sql)") }
    }

    /// How SQLite would go about a statement: the lines of its `EXPLAIN QUERY PLAN`.
    ///
    /// For tests that a query goes along an index.
    public func queryPlan(of sql: StaticString) throws -> [String] {
        var handle: OpaquePointer?
        let explanation = "EXPLAIN QUERY PLAN \(sql)"
        guard sqlite3_prepare_v2(connection, explanation, -1, &handle, nil) == SQLITE_OK,
            let handle
        else { throw SQLiteError(of: connection, explanation) }
        defer { sqlite3_finalize(handle) }

        var lines: [String] = []
        while sqlite3_step(handle) == SQLITE_ROW {
            lines.append(try Row(handle, columnCount: 4)[3])
        }
        return lines
    }

    /// How many rows the last `INSERT`, `UPDATE` or `DELETE` changed.
    public var changedRows: Int {
        Int(sqlite3_changes64(connection))
    }

    /// How many rows this connection has changed since it was opened.
    public var totalChangedRows: Int {
        Int(sqlite3_total_changes64(connection))
    }

    @usableFromInline
    func statement(_ sql: StaticString) throws -> Statement {
        let start = sql.utf8Start
        for known in statements where known.sql == start {
            return known.statement
        }
        let statement = try Statement(sql, on: connection)
        statements.append((start, statement))
        return statement
    }
}

// MARK: - Transactions

extension Database {
    /// Whether a transaction is open.
    ///
    /// Some errors, such as a full disk, make SQLite roll back the whole transaction on its own.
    public var isInTransaction: Bool {
        sqlite3_get_autocommit(connection) == 0
    }

    /// Runs reads that all see the database as of one moment.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN")
        // A transaction that has only read has nothing to lose, however it ends.
        defer { rollBack() }
        return try body()
    }

    /// Runs writes of which all are kept if the body returns, and none if it throws.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Ends the open transaction, if there is one, and undoes what it wrote.
    public func rollBack() {
        guard isInTransaction else { return }
        // Cannot fail but by an error after which SQLite has rolled back on its own.
        try? run("ROLLBACK")
    }
}
