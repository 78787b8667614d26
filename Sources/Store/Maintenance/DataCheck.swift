internal import Goals
internal import SQLite

/// What an examination of a data file came to.
public struct DataCheck: Hashable, Sendable {
    /// The version of the file's tables.
    public let version: Int

    /// How many goals, transactions and so on were looked at.
    public let counts: [Count]

    /// What is wrong, a sentence each; no more than ``mostFindings`` of them.
    public let findings: [String]

    /// After how many findings the examination ends.
    public static let mostFindings = 100

    public struct Count: Hashable, Sendable {
        public let number: Int

        /// What was counted, in the plural.
        public let things: String
    }

    /// Whether the file is as it should be.
    public var isSound: Bool { findings.isEmpty }
}

extension DataCheck {
    /// Examines a data file, which a running server may be using.
    ///
    /// Checks the database itself, each row, and what is derived from others: search columns, saved
    /// amounts, counts, totals and tombstones. Reads everything, as of one moment, and changes nothing.
    ///
    /// - Throws: ``OpeningError`` if the file cannot be read, or is no data file of Goalpost.
    public init(ofFileAt name: String) throws {
        self = try DataFile.reading(name) { database in
            try DataCheck(of: database)
        }
    }

    /// Examines a database that is known to be one of ours.
    init(of database: Database) throws {
        var examination = Examination(database)
        do {
            try database.snapshot { try examination.run() }
        } catch is Examination.Enough {
            // There is enough to know that the file is not sound.
        } catch let error as SQLiteError where error.tellsOfDamage {
            examination.noteDamage(error)
        }
        version = try Schema.version(of: database)
        counts = examination.counts
        findings = examination.findings
    }
}
