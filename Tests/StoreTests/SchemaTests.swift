import Foundation
import SQLite
import XCTest

@testable import Store

final class SchemaTests: XCTestCase {
    /// What the tables are is in people's files: a change is a new version, with a step that leads to it.
    ///
    /// If this fails, undo the change and append a migration; then add what the new version makes.
    func testTheTablesOfEachVersionAreWhatTheyWere() throws {
        let checksums = Dictionary(
            uniqueKeysWithValues: try (1...Schema.version).map { ($0, try checksum(of: $0)) }
        )

        XCTAssertEqual(
            checksums,
            [
                1: "375f0d82596a493b", 2: "6b93fa8d81046081", 3: "2bc60e3983d488dd",
                4: "3106c370ac05e9be", 5: "341adcab7bbe8f07",
            ]
        )
    }

    func testAMigrationThatFailsLeavesTheVersionAsItWas() throws {
        let database = try Database(at: ":memory:", mode: .create)
        try Schema.migrate(database, to: 1)
        // A day beyond the calendar, of which the step can make no month.
        try database.runScript(
            """
            PRAGMA foreign_keys = OFF;
            INSERT INTO transactions VALUES (
                1, x'00', x'00000000000000000000000000000000', 1, 0, 0, 'income', 1, 99999999999, 0,
                NULL, NULL, '', ''
            );
            """
        )

        XCTAssertThrowsError(try Schema.migrate(database, to: 2))

        XCTAssertEqual(try Schema.version(of: database), 1)
        let tables = try database.rows(
            "SELECT name FROM sqlite_schema WHERE name = 'monthly_totals'"
        ) { row in try row[0] as String }
        XCTAssertEqual(tables, [])
    }

    private func checksum(of version: Int) throws -> String {
        let database = try Database(at: ":memory:", mode: .create)
        try Schema.migrate(database, to: version)
        let statements = try database.rows(
            // The tables in which FTS5 keeps an index are its own affair.
            """
            SELECT sql FROM sqlite_schema
            WHERE sql IS NOT NULL AND name NOT GLOB 'goal_search_[cdi]*'
            ORDER BY type, name
            """
        ) { row in try row[0] as String }
        let value = statements.joined(separator: "\n").utf8.reduce(
            into: 0xCBF2_9CE4_8422_2325 as UInt64
        ) {
            $0 = ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        return String(value, radix: 16)
    }
}
