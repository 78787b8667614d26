import Foundation
import Goals
import SQLite
import XCTest

@testable import Store

final class DataFileTests: XCTestCase {
    func testMakesTheFileAndItsFolder() async throws {
        let path = try temporaryFolder() + "/a/b/goals.sqlite"

        let store = try fileStore(path)

        try await store.create(.test())
        XCTAssertEqual(
            try Set(FileManager.default.contentsOfDirectory(atPath: FileSystem.folder(of: path))),
            ["goals.sqlite", "goals.sqlite-shm", "goals.sqlite-wal", "goals.sqlite.lock"]
        )
        store.close()
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: FileSystem.folder(of: path)),
            ["goals.sqlite"]
        )
        XCTAssertEqual(
            try DatabaseFile(at: path),
            .database(applicationID: 0x474F_414C, userVersion: 5)
        )
    }

    func testHasEverythingAfterItIsOpenedAgain() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let clock = TestClock()
        var store = try fileStore(path, clock)
        for number in 1...3 {
            try await store.create(.test(number, planned: number == 2 ? "2027-06-01" : nil))
            try await store.record(.test(1, .expense, 5, category: "Food", note: "ü"), in: number)
            try await store.record(.test(2), in: number)
            try await store.deleteTransaction(2, in: number)
        }
        try await store.delete(3)
        let goals = try store.goals(GoalQuery(), of: .default)
        let transactions = try store.transactions()
        store.close()
        clock.advance(by: -60_000)

        store = try fileStore(path, clock)

        XCTAssertEqual(try store.goals(GoalQuery(), of: .default), goals)
        XCTAssertEqual(try store.transactions(), transactions)
        XCTAssertEqual(try store.transaction(2), .deleted)
        XCTAssertEqual(try store.goal(3), .deleted)
        let next = try await store.create(.test(4))
        XCTAssertEqual(next.createdAt, goals.items.first?.updatedAt, "the clock has gone back")
        store.close()
    }

    func testSetsUpEveryConnection() throws {
        let file = try DataFile(at: try temporaryFolder() + "/goals.sqlite")
        let connections = Connections.file(file)
        let writer = try connections.openWriter()
        let reader = try connections.openReader()

        func setting(_ question: StaticString, of database: Database) throws -> Int? {
            try database.row(question) { row in try row[0] }
        }
        for database in [writer, reader] {
            XCTAssertEqual(try setting("PRAGMA synchronous", of: database), 2)
            XCTAssertEqual(try setting("PRAGMA foreign_keys", of: database), 1)
            XCTAssertEqual(try setting("PRAGMA trusted_schema", of: database), 0)
            XCTAssertEqual(try setting("PRAGMA busy_timeout", of: database), 5_000)
            XCTAssertEqual(try setting("PRAGMA wal_autocheckpoint", of: database), 0)
            let mode = try database.row("PRAGMA journal_mode") { row in try row[0] as String }
            XCTAssertEqual(mode, "wal")
        }
        XCTAssertEqual(try setting("PRAGMA query_only", of: reader), 1)
        XCTAssertThrowsError(try reader.run("DELETE FROM goals")) { error in
            XCTAssertTrue(SQLiteError.Code.readOnly ~= error)
        }
    }

    func testRefusesAFolder() throws {
        let folder = try temporaryFolder()

        refuses(
            folder,
            "\(folder) is not a file. Give the path of the data file itself, such as"
                + " \(folder)/goalpost.sqlite for a folder."
        )
    }

    func testRefusesTheNameOfAFolderThatIsNotThere() throws {
        let folder = try temporaryFolder() + "/new/"

        refuses(
            folder,
            "\(folder) is not a file. Give the path of the data file itself, such as"
                + " \(folder)goalpost.sqlite for a folder."
        )
        XCTAssertNil(FileSystem.size(of: folder))
    }

    func testNobodyElseMayReadTheFileAndItsLog() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        defer { store.close() }
        try await store.create(.test())

        for file in [path, path + "-wal", path + "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            XCTAssertEqual(attributes[.posixPermissions] as? Int, 0o600, file)
        }
    }

    func testRefusesAFileThatMayNotBeWritten() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try fileStore(path).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        // No permission keeps root from writing, so that there is nothing to refuse.
        try XCTSkipIf(FileSystem.isWritable(path), "Root may write what is only to be read")

        refuses(
            path,
            "\(path) may be read, but not written. Give this server's user the right to write it,"
                + " or give the path of another file."
        )
    }

    func testTakesNoWritesOnceTheFileIsGone() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        defer { store.close() }
        try await store.create(.test(1))
        let files = FileManager.default

        try files.moveItem(atPath: path, toPath: path + ".away")
        XCTAssertEqual(store.health, .failing(.fileGone))
        await assertThrows(.storage(.fileGone)) { try await store.create(.test(2)) }
        // Another file in its place is not the same one.
        try files.copyItem(atPath: path + ".away", toPath: path)
        await assertThrows(.storage(.fileGone)) { try await store.create(.test(2)) }

        try files.removeItem(atPath: path)
        try files.moveItem(atPath: path + ".away", toPath: path)
        let health = await store.probe()
        XCTAssertEqual(health, .writable)
        try await store.create(.test(2))
        XCTAssertEqual(try store.goals(GoalQuery(), of: .default).items.count, 2)
    }

    func testLeavesNoLogToAFileThatTookThePlaceOfItsOwn() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let other = try fileStore(path + ".other")
        try await other.create(.test(9))
        other.close()
        let store = try fileStore(path)
        for number in 1...3 { try await store.create(.test(number)) }
        let files = FileManager.default
        try files.moveItem(atPath: path, toPath: path + ".away")
        try files.moveItem(atPath: path + ".other", toPath: path)

        store.close()

        XCTAssertEqual(FileSystem.size(of: path + "-wal") ?? 0, 0)
        for (name, count) in [(path, 1), (path + ".away", 3)] {
            let reopened = try fileStore(name)
            XCTAssertEqual(try reopened.goals(GoalQuery(), of: .default).items.count, count)
            reopened.close()
        }
    }

    func testTakesNoWritesOnceDamageIsMet() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let intact = try fileStore(path)
        try await intact.create(.test(1))
        intact.close()
        let store = try fileStore(path)
        defer { store.close() }
        try damage("goals", in: path)
        XCTAssertEqual(store.health, .writable)

        XCTAssertThrowsError(try store.goal(1)) { XCTAssertTrue(SQLiteError.Code.corrupt ~= $0) }

        XCTAssertEqual(store.health, .failing(.damaged))
        await assertThrows(.storage(.damaged)) { try await store.create(.test(2)) }
        let health = await store.probe()
        XCTAssertEqual(health, .failing(.damaged))
    }

    func testRefusesADamagedFileAndLeavesItAsItIs() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        try await store.create(.test(1))
        store.close()
        try damage("goals", in: path)
        let before = try Data(contentsOf: URL(filePath: path))

        XCTAssertThrowsError(try fileStore(path)) { error in
            let sentence = "\(error)"
            XCTAssertTrue(sentence.hasPrefix("\(path) is damaged: "), sentence)
            XCTAssertTrue(sentence.hasSuffix("Restore a backup."), sentence)
            XCTAssertFalse(sentence.contains("\n"), sentence)
        }

        XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), before)
        let check = try DataCheck(ofFileAt: path)
        XCTAssertFalse(check.isSound)
    }

    func testLooksAtThePagesOfASmallFileAlone() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        let note = String(repeating: "n", count: 2_000)
        try await store.write { transaction in
            for number in 1...8_000 {
                _ = try transaction.create(.test(number, note: note), of: .default)
            }
        }
        store.close()
        XCTAssertGreaterThan(try XCTUnwrap(FileSystem.size(of: path)), 32 * 1_024 * 1_024)
        let sound = try Data(contentsOf: URL(filePath: path))

        try damage("goals", in: path)
        XCTAssertNoThrow(try fileStore(path).close())
        XCTAssertFalse(try DataCheck(ofFileAt: path).isSound)

        // But one that was cut short is refused, whatever its size.
        try sound.dropLast(4_096).write(to: URL(filePath: path))
        XCTAssertThrowsError(try fileStore(path)) { error in
            XCTAssertEqual(
                "\(error)",
                "\(path) cannot be opened: database disk image is malformed. It is damaged; restore it "
                    + "from a backup."
            )
        }
    }

    func testRefusesEveryOtherNameOfAFileThatAnotherServerUses() throws {
        let folder = try temporaryFolder()
        let store = try fileStore(folder + "/goals.sqlite")
        defer { store.close() }
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: folder + "/symbolic",
            withDestinationPath: folder + "/goals.sqlite"
        )
        try files.linkItem(atPath: folder + "/goals.sqlite", toPath: folder + "/hard")

        for path in [folder + "/symbolic", folder + "/hard"] { refusesAlias(path) }
    }

    func testRefusesALinkThatLeadsNowhereAndLeavesIt() throws {
        let path = try temporaryFolder() + "/link"
        let files = FileManager.default
        try files.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")

        refusesAlias(path)

        XCTAssertEqual(try files.destinationOfSymbolicLink(atPath: path), "nowhere")
    }

    private func refusesAlias(
        _ path: String,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        refuses(
            path,
            "\(path) is a link, has another name besides, or is mounted by itself. A data file must"
                + " have one name, since its log stands beside that: give the path of the file itself,"
                + " remove its hard links, and mount the folder that it is in.",
            file: file,
            line: line
        )
    }

    func testRefusesAFileOfNoBytes() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try Data().write(to: URL(filePath: path))

        refuses(
            path,
            "\(path) exists, but has no bytes in it. If there was data in it, restore it from a"
                + " backup; else remove it to start anew."
        )
        XCTAssertEqual(FileSystem.size(of: path), 0)
    }

    func testRefusesWhatIsNotItsOwnAndLeavesItAsItIs() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try FileSystem.makeFolder(at: FileSystem.folder(of: path))
        let contents: [(String, Data)] = [
            ("text", Data("Dear diary,".utf8)),
            ("zeros", Data(count: 8_192)),
            ("half a header", Data("SQLite format 3\u{0}".utf8)),
            ("another's database", try database("CREATE TABLE note (text)")),
            ("one with our identifier alone", try database("PRAGMA application_id = 1196376396")),
        ]
        for (name, data) in contents {
            try data.write(to: URL(filePath: path))

            refuses(
                path,
                "\(path) is not a data file of Goalpost. It was left as it is; give the path of"
                    + " another file."
            )
            XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), data, name)
            XCTAssertEqual(
                try FileManager.default.contentsOfDirectory(atPath: FileSystem.folder(of: path)),
                ["goals.sqlite"],
                name
            )
        }
    }

    func testRefusesAFileOfANewerVersion() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try fileStore(path).close()
        do {
            let database = try Database(at: path, mode: .readWrite)
            try database.runScript("PRAGMA user_version = 99")
            try database.checkpoint(.truncating)
        }
        let before = try Data(contentsOf: URL(filePath: path))

        refuses(path, newer(path))

        XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), before)
    }

    func testRefusesAFileWhoseLogIsOfANewerVersion() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try fileStore(path).close()
        do {
            let database = try Database(at: path, mode: .readWrite)
            try database.runScript("PRAGMA user_version = 99")
            database.keepLogOnClose()
        }
        let files = [path, path + "-wal"].map { URL(filePath: $0) }
        let before = try files.map { try Data(contentsOf: $0) }

        refuses(path, newer(path))

        XCTAssertEqual(try files.map { try Data(contentsOf: $0) }, before)
    }

    func testRefusesALogWhoseFileIsMissing() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try Data("log".utf8).write(to: URL(filePath: path + "-wal"))

        refuses(
            path,
            "\(path) is missing, but its log \(path)-wal is there. Put the file back, or restore a"
                + " backup and move the log away."
        )
        XCTAssertNil(FileSystem.size(of: path))
    }

    func testRefusesAFileThatAnotherServerUses() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)

        refuses(
            path,
            "\(path) is in use by another server. Stop that one first, or give this one another"
                + " data file."
        )
        store.close()

        XCTAssertNoThrow(try fileStore(path).close())
    }

    func testRefusesAFileThatAServerUsesByAnotherPath() throws {
        // As a container does that has the file mounted: the lock beside it is elsewhere.
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        try FileSystem.remove(path + ".lock")

        refuses(
            path,
            "\(path) is in use by another server. Stop that one first, or give this one another"
                + " data file."
        )
        store.close()

        XCTAssertNoThrow(try fileStore(path).close())
    }

    func testRefusesAPathThroughAFile() throws {
        let file = try temporaryFolder() + "/a"
        try Data("x".utf8).write(to: URL(filePath: file))

        refuses(
            file + "/goals.sqlite",
            "\(file)/goals.sqlite cannot be used: cannot make the folder \(file): File exists."
                + " Check the path, its permissions and the disk."
        )
    }

    func testLeavesEveryOtherFileAlone() throws {
        let folder = try temporaryFolder()
        // Names that a draft of the file might have.
        let others = ["goals.sqlite.new", "goals.sqlite.draft", "goals.sqlite.draft-abcdef"]
        for name in others { try Data("mine".utf8).write(to: URL(filePath: folder + "/" + name)) }

        XCTAssertNoThrow(try fileStore(folder + "/goals.sqlite").close())

        XCTAssertEqual(
            try Set(FileManager.default.contentsOfDirectory(atPath: folder)),
            Set(others + ["goals.sqlite"])
        )
        for name in others {
            XCTAssertEqual(
                try Data(contentsOf: URL(filePath: folder + "/" + name)),
                Data("mine".utf8)
            )
        }
    }

    func testTakesANameForNothingButAName() throws {
        let folder = try temporaryFolder()
        for name in [":memory:", "file:a?mode=memory", "a b'ü%20.sqlite"] {
            let path = folder + "/" + name

            XCTAssertNoThrow(try fileStore(path).close())
            XCTAssertEqual(
                try DatabaseFile(at: path),
                .database(applicationID: 0x474F_414C, userVersion: 5)
            )
        }
    }

    private func refuses(
        _ path: String,
        _ sentence: String,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        XCTAssertThrowsError(try fileStore(path), file: file, line: line) { error in
            XCTAssertEqual("\(error)", sentence, file: file, line: line)
        }
    }

    private func newer(_ path: String) -> String {
        "\(path) was written by a newer Goalpost (version 99 of its tables; this program knows 5)."
            + " It was left as it is; update Goalpost to use it."
    }

    /// Overwrites the page that a table begins with.
    private func damage(_ table: String, in path: String) throws {
        let page = try XCTUnwrap(
            try Database(at: path, mode: .readOnly).row(
                "SELECT rootpage FROM sqlite_schema WHERE name = ?",
                table
            ) { row in try row[0] as Int }
        )
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64((page - 1) * 4_096))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        try file.close()
    }

    /// The bytes of a database that a script makes.
    private func database(_ script: StaticString) throws -> Data {
        let path = try temporaryFolder() + "/a.sqlite"
        do {
            let database = try Database(at: path, mode: .create)
            try database.runScript(script)
        }
        return try Data(contentsOf: URL(filePath: path))
    }
}
