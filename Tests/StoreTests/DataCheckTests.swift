import Foundation
import Goals
import SQLite
import XCTest

@testable import Store

final class DataCheckTests: XCTestCase {
    func testFindsNothingWrongWithWhatCommandsWrote() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try await filled(path)

        let whileItRuns = try DataCheck(ofFileAt: path)
        store.close()
        let check = try DataCheck(ofFileAt: path)

        XCTAssertEqual(check, whileItRuns)
        XCTAssertEqual(check.findings, [])
        XCTAssertEqual(check.version, 5)
        XCTAssertEqual(
            check.counts.map { "\($0.number) \($0.things)" },
            ["2 goals", "3 transactions", "2 monthly totals", "2 deletions", "1 accounts"]
        )
    }

    func testKeepsNoServerFromStarting() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try await filled(path).close()

        try DataFile.reading(path) { database in
            let before = try DataCheck(of: database)
            let store = try fileStore(path)
            store.close()
            XCTAssertEqual(try DataCheck(of: database), before)
        }
    }

    func testFindsEveryFigureThatDoesNotAddUp() async throws {
        let id = "01990000-0000-7000-8000-000000000001"
        let harms: [(StaticString, String)] = [
            (
                "UPDATE goals SET saved_amount = saved_amount + 1",
                "Goal \(id) has saved 406 minor units, but its starting amount and its transactions "
                    + "make 405."
            ),
            (
                "UPDATE goals SET transaction_count = 2",
                "Goal \(id) counts 2 transactions, but has 3."
            ),
            (
                "UPDATE goals SET target_amount = 9999999999999999",
                "Goal \(id) has a target amount out of bounds."
            ),
            (
                "UPDATE goals SET target_amount = 99999",
                "Goal 01990000-0000-7000-8000-000000000002 is not what it was created as, though "
                    + "nothing has changed it."
            ),
            (
                "UPDATE transactions SET category = 'food' WHERE category = 'Food'",
                "Transaction 01990000-0000-7000-8000-000000000002 of goal \(id) is not what it was "
                    + "recorded as, though nothing has changed it."
            ),
            (
                "UPDATE goals SET revision = 3",
                "Goal \(id) has revision 3 after 3 transactions."
            ),
            (
                "UPDATE goals SET updated_at = created_at - 1",
                "Goal \(id) was changed after the moment that it gives for its last change."
            ),
            (
                "UPDATE goals SET completed_at = 1",
                "Goal \(id) is active, which its moment of completion contradicts."
            ),
            (
                "UPDATE goals SET title = ' Trip'",
                "Goal \(id) has a title that is none there can be."
            ),
            (
                "UPDATE goals SET note = char(1)",
                "Goal \(id) has a note that is none there can be."
            ),
            (
                "UPDATE transactions SET category = 'a  b' WHERE category = 'Food'",
                "Transaction 01990000-0000-7000-8000-000000000002 of goal \(id) has a category that "
                    + "is none there can be."
            ),
            (
                "UPDATE goals SET title_search = 'x'",
                "Goal \(id) has search text that is not that of its title and note."
            ),
            (
                "UPDATE goals SET currency = 'XXX'",
                "The currency of goal \(id) in the data file is none there can be."
            ),
            (
                "UPDATE transactions SET category_search = NULL WHERE category = 'Food'",
                "Transaction 01990000-0000-7000-8000-000000000002 of goal \(id) has search text that "
                    + "is not that of its category and note."
            ),
            (
                "UPDATE transactions SET created_at = updated_at + 1 WHERE category = 'Food'",
                "Transaction 01990000-0000-7000-8000-000000000002 of goal \(id) was changed before it "
                    + "was recorded."
            ),
            (
                "UPDATE monthly_totals SET totals = x'00' WHERE month = 2027 * 12",
                "The totals of goal \(id) for 2027-01 are not those of its transactions."
            ),
            (
                "UPDATE monthly_totals SET totals = x'01' WHERE month = 2027 * 12",
                "The totals of goal \(id) for 2027-01 in the data file are none there can be."
            ),
            (
                "UPDATE monthly_totals SET month = 1 WHERE month = 2027 * 12",
                "The month of a total of goal \(id) in the data file is none there can be."
            ),
            (
                "DELETE FROM monthly_totals WHERE month = 2027 * 12 + 1",
                "The totals of goal \(id) for 2027-02 are not those of its transactions."
            ),
            (
                "UPDATE tombstones SET goal = (SELECT id FROM goals LIMIT 1) WHERE entry = x''",
                "Goal \(id) is there, though it was deleted."
            ),
            (
                """
                UPDATE tombstones SET entry = (SELECT id FROM transactions WHERE category = 'Food')
                WHERE entry <> x''
                """,
                "Transaction 01990000-0000-7000-8000-000000000002 of goal \(id) is there, though it "
                    + "was deleted."
            ),
            (
                "UPDATE tombstones SET goal = x'99999999999999999999999999999999' WHERE entry <> x''",
                "Goal 99999999-9999-9999-9999-999999999999 lost a transaction, but is not there."
            ),
            (
                "UPDATE accounts SET goals = 3",
                "Account default counts 3 goals, but has 2."
            ),
            (
                "UPDATE accounts SET transactions = 0",
                "Account default counts 0 transactions, but has 3."
            ),
            (
                "UPDATE accounts SET kept_bytes = 1",
                "Account default counts 1 bytes of kept answers, but has 0."
            ),
            (
                "UPDATE accounts SET sequence = 13",
                "Account default has had 13 changes, but one has number 14."
            ),
            (
                "UPDATE goals SET number = NULL",
                "Goal \(id) has no number."
            ),
            (
                "UPDATE store SET indexed_number = 1",
                "The index of goals' texts does not have goal \(id) as its texts are."
            ),
            (
                "INSERT INTO goal_search (rowid, grams) VALUES (2, '100000')",
                "The index of goals' texts does not have goal "
                    + "01990000-0000-7000-8000-000000000002 as its texts are."
            ),
            (
                "INSERT INTO goal_search (rowid, grams) VALUES (0, '100000')",
                "The index of goals' texts has goal number 0, which is not there."
            ),
            (
                "DELETE FROM goal_search_data WHERE id = 10",
                "The database is damaged: database disk image is malformed."
            ),
            (
                "UPDATE goal_search_config SET v = 0 WHERE k = 'version'",
                "The index of goals' texts can't be read: no such fts5 table: main.goal_search."
            ),
            (
                "UPDATE goals SET sequence = 2",
                "Number 2 in the order of changes of account 1 is not that of one change."
            ),
        ]
        for (harm, finding) in harms {
            let path = try temporaryFolder() + "/goals.sqlite"
            try await filled(path).close()
            do {
                let database = try Database(at: path, mode: .readWrite)
                try database.runScript(harm)
            }

            let check = try DataCheck(ofFileAt: path)

            XCTAssertTrue(check.findings.contains(finding), "\(harm): \(check.findings)")
            XCTAssertFalse(check.isSound)
        }
    }

    func testFindsARowThatBelongsToNothing() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try await filled(path).close()
        do {
            let database = try Database(at: path, mode: .readWrite)
            try database.runScript("DELETE FROM goals")
        }

        let check = try DataCheck(ofFileAt: path)

        XCTAssertTrue(
            check.findings.contains("A row of transactions belongs to nothing that is there."),
            "\(check.findings)"
        )
    }

    func testEndsAfterAHundredFindings() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        for number in 1...200 { try await store.create(.test(number)) }
        store.close()
        do {
            let database = try Database(at: path, mode: .readWrite)
            try database.runScript("UPDATE goals SET transaction_count = 1")
        }

        XCTAssertEqual(try DataCheck(ofFileAt: path).findings.count, DataCheck.mostFindings)
    }

    func testRefusesWhatIsNoDataFile() throws {
        let folder = try temporaryFolder()
        let path = folder + "/goals.sqlite"

        XCTAssertThrowsError(try DataCheck(ofFileAt: path)) { error in
            XCTAssertEqual("\(error)", "\(path) is not there. Give the path of a data file.")
        }
        try Data("Dear diary,".utf8).write(to: URL(filePath: path))
        XCTAssertThrowsError(try DataCheck(ofFileAt: path)) { error in
            XCTAssertEqual(
                "\(error)",
                "\(path) is not a data file of Goalpost. It was left as it is; give the path of "
                    + "another file."
            )
        }
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder),
            ["goals.sqlite"]
        )
    }

    func testSaysWhatToDoWithAFileThatACrashLeftInTheMiddleOfAChange() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let left = try temporaryFolder() + "/goals.sqlite"
        try fileStore(path).close()
        let database = try Database(at: path, mode: .readWrite)
        try database.runScript("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1")
        try database.runScript(
            """
            BEGIN;
            CREATE TABLE long (text TEXT);
            INSERT INTO long VALUES (hex(zeroblob(100000)));
            """
        )
        for ending in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: path + ending, toPath: left + ending)
        }

        XCTAssertThrowsError(try DataCheck(ofFileAt: left)) { error in
            XCTAssertEqual(
                "\(error)",
                "\(left) cannot be opened: attempt to write a readonly database. A crash left it in the "
                    + "middle of a change; start a server on it, which undoes that."
            )
        }
        XCTAssertNoThrow(try fileStore(left).close())
        XCTAssertTrue(try DataCheck(ofFileAt: left).isSound)
    }

    /// A store with a goal of three transactions, an empty goal, and one deletion of each kind.
    private func filled(_ path: String) async throws -> GoalStore {
        let store = try fileStore(path)
        try await store.create(.test(1, starting: 5))
        try await store.record(.test(1, .income, 500, on: "2027-01-31"))
        try await store.record(.test(2, .expense, 50, on: "2027-01-31", category: "Food"))
        try await store.record(.test(3, .expense, 50, on: "2027-02-01"))
        try await store.record(.test(4))
        try await store.deleteTransaction(4)
        try await store.create(.test(2))
        try await store.create(.test(3))
        try await store.delete(3)
        return store
    }
}
