internal import CSQLite

/// A compiled statement, which a connection keeps for the next time it is asked for.
@usableFromInline
struct Statement {
    @usableFromInline let handle: OpaquePointer
    @usableFromInline let parameterCount: Int
    @usableFromInline let columnCount: Int

    /// Compiles a statement.
    ///
    /// - Precondition: The text is one statement, with nothing after it.
    init(_ sql: StaticString, on connection: OpaquePointer) throws {
        precondition(sql.hasPointerRepresentation, "One character is no statement.")
        var handle: OpaquePointer?
        var end: UnsafePointer<CChar>?
        let count = sql.utf8CodeUnitCount
        let code = sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: count) { start in
            let code = sqlite3_prepare_v3(
                connection,
                start,
                Int32(count),
                UInt32(SQLITE_PREPARE_PERSISTENT),
                &handle,
                &end
            )
            precondition(end == nil || end == start + count, "Two statements in one: \(sql)")
            return code
        }
        guard code == SQLITE_OK, let handle else {
            throw SQLiteError(of: connection, "\(sql)")
        }
        self.handle = handle
        parameterCount = Int(sqlite3_bind_parameter_count(handle))
        columnCount = Int(sqlite3_column_count(handle))
    }

    /// Binds all parameters, in their order.
    ///
    /// - Precondition: There are as many as the statement has.
    @inlinable
    func bind<each Value: SQLiteBindable>(_ value: repeat each Value) throws {
        var index: Int32 = 0
        for value in repeat each value {
            index += 1
            try check(value.bind(to: Parameter(statement: handle, index: index)))
        }
        precondition(index == parameterCount, "Too few values for: \(text(of: handle))")
    }

    /// Checks what came of binding a value.
    @usableFromInline
    func check(_ code: Int32) throws {
        precondition(code != SQLITE_RANGE, "Too many values for: \(text(of: handle))")
        guard code == SQLITE_OK else { throw error }
    }

    /// Moves on to the next row.
    ///
    /// - Returns: Whether there is one.
    @usableFromInline
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        default: throw error
        }
    }

    /// Ends the run, which releases the locks that it holds; the values bound stay until others come.
    @usableFromInline
    func reset() {
        // Repeats the error of the last step, which has been thrown already.
        sqlite3_reset(handle)
    }

    func finalize() {
        sqlite3_finalize(handle)
    }

    private var error: SQLiteError {
        SQLiteError(of: sqlite3_db_handle(handle), text(of: handle))
    }
}

extension SQLiteError {
    /// The last error of a connection.
    init(of connection: OpaquePointer?, _ context: String) {
        self.init(
            extendedCode: sqlite3_extended_errcode(connection),
            message: String(cString: sqlite3_errmsg(connection)),
            context: context
        )
    }
}
