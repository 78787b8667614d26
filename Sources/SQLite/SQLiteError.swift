internal import CSQLite

/// What SQLite refused or failed to do.
///
/// To tell errors apart, match them against a ``Code``:
///
/// ```swift
/// do {
///     try database.run("INSERT …")
/// } catch SQLiteError.Code.constraint {
///     …
/// }
/// ```
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The result code with all that SQLite knows about the cause, such as `SQLITE_IOERR_FSYNC`.
    public let extendedCode: Int32

    /// What went wrong, in SQLite's words, or in ours where SQLite has none.
    public let message: String

    /// The statement or the file that it went wrong with.
    public let context: String

    public init(extendedCode: Int32, message: String, context: String) {
        self.extendedCode = extendedCode
        self.message = message
        self.context = context
    }

    /// The kind of error, without the details of the cause.
    public var code: Code {
        Code(rawValue: extendedCode & 0xFF)
    }

    /// Whether the file was left in the middle of a change, which a connection that may write undoes.
    public var asksForRollback: Bool {
        // `SQLITE_READONLY_ROLLBACK`, a macro that Swift does not see.
        extendedCode == SQLITE_READONLY | 3 << 8
    }

    public var description: String {
        "SQLite error \(extendedCode): \(message) (\(context))"
    }
}

extension SQLiteError {
    /// A primary result code.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        public static let error = Code(rawValue: SQLITE_ERROR)
        public static let busy = Code(rawValue: SQLITE_BUSY)
        public static let locked = Code(rawValue: SQLITE_LOCKED)
        public static let outOfMemory = Code(rawValue: SQLITE_NOMEM)
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
        public static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        public static let inputOutput = Code(rawValue: SQLITE_IOERR)
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        public static let full = Code(rawValue: SQLITE_FULL)
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        public static let mismatch = Code(rawValue: SQLITE_MISMATCH)
        public static let misuse = Code(rawValue: SQLITE_MISUSE)
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)

        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? SQLiteError)?.code == code
        }
    }
}
