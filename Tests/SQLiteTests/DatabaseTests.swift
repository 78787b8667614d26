import SQLite
import XCTest

final class DatabaseTests: XCTestCase {
    func testGivesBackEveryValueAsItCame() throws {
        let database = try Database(at: ":memory:", mode: .create)
        try database.runScript("CREATE TABLE thing (number INTEGER, text TEXT, blob BLOB)")

        let text = "a\u{0}ü👨‍👩‍👧"
        try database.run("INSERT INTO thing VALUES (?, ?, ?)", Int64.min, text, [UInt8(0), 255])
        try database.run("INSERT INTO thing VALUES (?, ?, ?)", Int.max, "", [UInt8]())
        try database.run(
            "INSERT INTO thing VALUES (?, ?, ?)",
            Int64?.none,
            String?.none,
            Bytes16(high: 0x0102_0304_0506_0708, low: .max)
        )

        let rows = try database.rows("SELECT number, text, blob FROM thing ORDER BY rowid") { row in
            Thing(number: try row[0], text: try row[1], blob: try row[2])
        }
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8] + Array(repeating: 255, count: 8)
        XCTAssertEqual(
            rows,
            [
                Thing(number: .min, text: text, blob: [0, 255]),
                Thing(number: .max, text: "", blob: []),
                Thing(number: nil, text: nil, blob: bytes),
            ]
        )
        let blob = try database.row("SELECT blob FROM thing WHERE number IS NULL") { row in
            try row[0] as Bytes16
        }
        XCTAssertEqual(blob, Bytes16(high: 0x0102_0304_0506_0708, low: .max))
    }

    func testConvertsNoValueSilently() throws {
        let database = try Database(at: ":memory:", mode: .create)
        let read: [(String, () throws -> Void)] = [
            ("text", { _ = try database.row("SELECT 'x' AS c") { row in try row[0] as Int64 } }),
            ("NULL", { _ = try database.row("SELECT NULL AS c") { row in try row[0] as Int64 } }),
            ("number", { _ = try database.row("SELECT 1 AS c") { row in try row[0] as String } }),
            ("real", { _ = try database.row("SELECT 1.0 AS c") { row in try row[0] as Int64 } }),
            (
                "short",
                { _ = try database.row("SELECT x'00' AS c") { row in try row[0] as Bytes16 } }
            ),
            (
                "not UTF-8",
                {
                    _ = try database.row("SELECT CAST(x'ff' AS TEXT) AS c") { row in
                        try row[0] as String
                    }
                }
            ),
        ]
        for (name, read) in read {
            XCTAssertThrowsError(try read(), name) { error in
                XCTAssertTrue(SQLiteError.Code.mismatch ~= error, "\(name): \(error)")
            }
        }
    }

    func testNamesTheColumnThatHoldsSomethingElse() throws {
        let database = try Database(at: ":memory:", mode: .create)

        XCTAssertThrowsError(
            try database.row("SELECT 'x' AS age") { row in try row[0] as Int64 }
        ) { error in
            XCTAssertEqual(
                "\(error)",
                "SQLite error 20: column age holds text instead of an integer (SELECT 'x' AS age)"
            )
        }
    }

    func testRunsAStatementAgainAfterItFailed() throws {
        let database = try Database(at: ":memory:", mode: .create)
        try database.runScript("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
        func insert(_ id: Int) throws {
            try database.run("INSERT INTO thing VALUES (?)", id)
        }

        try insert(1)
        XCTAssertThrowsError(try insert(1)) { error in
            XCTAssertTrue(SQLiteError.Code.constraint ~= error)
            XCTAssertEqual((error as? SQLiteError)?.extendedCode, 1555)
        }
        try insert(2)

        XCTAssertEqual(try ids(database), [1, 2])
    }

    func testLeavesNoLockBehindWhenAReaderThrows() throws {
        let path = try temporaryFolder() + "/a.sqlite"
        let writer = try Database(at: path, mode: .create)
        try writer.runScript("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
        try writer.run("INSERT INTO thing VALUES (1)")
        let reader = try Database(at: path, mode: .readOnly)
        struct Stop: Error {}

        XCTAssertThrowsError(try reader.rows("SELECT id FROM thing") { _ in throw Stop() })

        XCTAssertNoThrow(try writer.run("INSERT INTO thing VALUES (2)"))
    }

    func testKeepsAllOfATransactionOrNothing() throws {
        let database = try Database(at: ":memory:", mode: .create)
        try database.runScript("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
        struct Stop: Error {}

        try database.transaction { try database.run("INSERT INTO thing VALUES (1)") }
        XCTAssertThrowsError(
            try database.transaction {
                try database.run("INSERT INTO thing VALUES (2)")
                throw Stop()
            }
        )

        XCTAssertEqual(try ids(database), [1])
        XCTAssertFalse(database.isInTransaction)
    }

    func testSeesOneMomentWithinASnapshot() throws {
        let path = try temporaryFolder() + "/a.sqlite"
        let writer = try Database(at: path, mode: .create)
        try writer.set("PRAGMA journal_mode = WAL", "PRAGMA journal_mode", expecting: "wal")
        try writer.runScript("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
        let reader = try Database(at: path, mode: .readOnly)

        let (before, after) = try reader.snapshot {
            let before = try ids(reader)
            try writer.run("INSERT INTO thing VALUES (1)")
            return (before, try ids(reader))
        }

        XCTAssertEqual(before, [])
        XCTAssertEqual(after, [])
        XCTAssertEqual(try ids(reader), [1])
    }

    func testOpensOnlyWhatItsModeAllows() throws {
        let path = try temporaryFolder() + "/a.sqlite"

        XCTAssertThrowsError(try Database(at: path, mode: .readOnly)) { error in
            XCTAssertTrue(SQLiteError.Code.cannotOpen ~= error)
        }
        XCTAssertThrowsError(try Database(at: path, mode: .readWrite))
        XCTAssertEqual(try DatabaseFile(at: path), .absent)

        let database = try Database(at: path, mode: .create)
        try database.runScript("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
        let reader = try Database(at: path, mode: .readOnly)
        XCTAssertThrowsError(try reader.run("INSERT INTO thing VALUES (1)")) { error in
            XCTAssertTrue(SQLiteError.Code.readOnly ~= error)
        }
    }

    func testFindsOutThatASettingWasNotTaken() throws {
        let database = try Database(at: ":memory:", mode: .create)

        XCTAssertThrowsError(
            try database.set("PRAGMA journal_mode = WAL", "PRAGMA journal_mode", expecting: "wal")
        ) { error in
            XCTAssertEqual(
                "\(error)",
                "SQLite error 1: answered memory instead of wal (PRAGMA journal_mode = WAL)"
            )
        }
        XCTAssertNoThrow(
            try database.set("PRAGMA foreign_keys = ON", "PRAGMA foreign_keys", expecting: 1)
        )
    }

    func testCountsTheLogAndFoldsItIn() throws {
        let path = try temporaryFolder() + "/a.sqlite"
        let database = try Database(at: path, mode: .create)
        try database.set("PRAGMA journal_mode = WAL", "PRAGMA journal_mode", expecting: "wal")
        try database.runScript("CREATE TABLE thing (id INTEGER PRIMARY KEY)")

        XCTAssertGreaterThan(database.logPages, 0)
        XCTAssertTrue(try database.checkpoint(.truncating))
        XCTAssertEqual(FileSystem.size(of: path + "-wal"), 0)
    }

    func testSaysHowItWouldGoAboutAQuery() throws {
        let database = try Database(at: ":memory:", mode: .create)
        try database.runScript("CREATE TABLE thing (id INTEGER PRIMARY KEY)")

        XCTAssertEqual(
            try database.queryPlan(of: "SELECT id FROM thing WHERE id = ?"),
            ["SEARCH thing USING INTEGER PRIMARY KEY (rowid=?)"]
        )
    }

    private struct Thing: Equatable {
        let number: Int64?
        let text: String?
        let blob: [UInt8]?
    }

    private func ids(_ database: Database) throws -> [Int] {
        try database.rows("SELECT id FROM thing ORDER BY id") { row in try row[0] }
    }
}
