import Foundation
import Goals
import SQLite
import XCTest

@testable import Store

final class DataBackupTests: XCTestCase {
    func testACopyHasWhatWasThereWhenItWasMade() async throws {
        let folder = try temporaryFolder()
        let store = try fileStore(folder + "/goals.sqlite")
        try await store.create(.test(1))
        try await store.record(.test(1))

        let check = try DataBackup.write(of: folder + "/goals.sqlite", to: folder + "/copy")
        try await store.create(.test(2))
        store.close()

        XCTAssertEqual(check.findings, [])
        XCTAssertEqual(check.counts.first?.number, 1)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted(),
            ["copy", "goals.sqlite"]
        )
        let copy = try fileStore(folder + "/copy")
        XCTAssertEqual(try copy.transactions().count, 1)
        XCTAssertEqual(try copy.goal(2), .absent)
        copy.close()
    }

    func testACopyWritesOverNothing() async throws {
        let folder = try temporaryFolder()
        try fileStore(folder + "/goals.sqlite").close()
        let copy = folder + "/copy"
        try Data("mine".utf8).write(to: URL(filePath: copy))

        XCTAssertThrowsError(try DataBackup.write(of: folder + "/goals.sqlite", to: copy)) {
            error in
            XCTAssertEqual(
                "\(error)",
                "\(copy) is there already. It was left as it is; give another name."
            )
        }
        XCTAssertEqual(try Data(contentsOf: URL(filePath: copy)), Data("mine".utf8))
    }

    func testACopyThatIsNotSoundIsNotKept() async throws {
        let folder = try temporaryFolder()
        let path = folder + "/goals.sqlite"
        let store = try fileStore(path)
        try await store.create(.test(1))
        store.close()
        do {
            let database = try Database(at: path, mode: .readWrite)
            try database.runScript("UPDATE goals SET transaction_count = 1")
        }

        XCTAssertThrowsError(try DataBackup.write(of: path, to: folder + "/copy")) { error in
            XCTAssertTrue("\(error)".contains("counts 1 transactions, but has 0"), "\(error)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        XCTAssertFalse(names.contains { $0.hasPrefix("copy") }, "\(names)")
    }

    func testNamesTheFolderThatIsMissing() throws {
        let folder = try temporaryFolder()
        try fileStore(folder + "/goals.sqlite").close()
        let copy = folder + "/nowhere/copy"

        XCTAssertThrowsError(try DataBackup.write(of: folder + "/goals.sqlite", to: copy)) {
            error in
            XCTAssertEqual(
                "\(error)",
                "\(copy) cannot be used: cannot make a file beside \(copy): No such file or "
                    + "directory. Check the path, its permissions and the disk."
            )
        }
    }

    func testRestoringKeepsWhatItReplaces() async throws {
        let folder = try temporaryFolder()
        let (path, copy) = (folder + "/goals.sqlite", folder + "/copy")
        var store = try fileStore(path)
        try await store.create(.test(1))
        try DataBackup.write(of: path, to: copy)
        try await store.create(.test(2))
        let goals = try store.goals(GoalQuery(), of: .default)
        store.close()

        let restoration = try DataBackup.restore(copy, to: path, on: today)

        let kept = folder + "/goals-replaced-2027-01-15.sqlite"
        XCTAssertEqual(restoration.kept, kept)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted(),
            ["copy", "goals-replaced-2027-01-15.sqlite", "goals.sqlite"]
        )
        store = try fileStore(path)
        XCTAssertEqual(try store.goals(GoalQuery(), of: .default).items.count, 1)
        store.close()
        store = try fileStore(kept)
        XCTAssertEqual(try store.goals(GoalQuery(), of: .default), goals)
        store.close()
    }

    func testRestoresIntoAnEmptyPlace() async throws {
        let folder = try temporaryFolder()
        var store = try fileStore(folder + "/goals.sqlite")
        try await store.create(.test(1))
        store.close()

        let restoration = try DataBackup.restore(
            folder + "/goals.sqlite",
            to: folder + "/new/goals.sqlite",
            on: today
        )

        XCTAssertNil(restoration.kept)
        store = try fileStore(folder + "/new/goals.sqlite")
        XCTAssertNoThrow(try store.goal(1).value)
        store.close()
    }

    func testALogThatACrashHasLeftGoesWithItsFile() async throws {
        let folder = try temporaryFolder()
        let (path, copy) = (folder + "/goals.sqlite", folder + "/copy")
        let store = try fileStore(path)
        try await store.create(.test(1))
        try DataBackup.write(of: path, to: copy)
        try await store.create(.test(2))
        // What a crash leaves: the file, and beside it the log with what was written last.
        let crashed = folder + "/crashed/goals.sqlite"
        let files = FileManager.default
        try files.createDirectory(atPath: folder + "/crashed", withIntermediateDirectories: true)
        for ending in ["", "-wal"] {
            try files.copyItem(atPath: path + ending, toPath: crashed + ending)
        }
        store.close()

        let restoration = try DataBackup.restore(copy, to: crashed, on: today)

        XCTAssertNil(FileSystem.size(of: try XCTUnwrap(restoration.kept) + "-wal"))
        let restored = try fileStore(crashed)
        XCTAssertEqual(try restored.goal(2), .absent)
        restored.close()
        let kept = try fileStore(try XCTUnwrap(restoration.kept))
        XCTAssertNoThrow(try kept.goal(2).value)
        kept.close()
    }

    func testRefusesToRestoreUnderARunningServer() async throws {
        let folder = try temporaryFolder()
        let path = folder + "/goals.sqlite"
        let store = try fileStore(path)
        defer { store.close() }
        try await store.create(.test(1))
        try DataBackup.write(of: path, to: folder + "/copy")

        XCTAssertThrowsError(try DataBackup.restore(folder + "/copy", to: path, on: today)) {
            XCTAssertEqual(
                "\($0)",
                "\(path) is in use by another server. Stop that one first, or give this one another "
                    + "data file."
            )
        }
        XCTAssertNoThrow(try store.goal(1).value)
    }

    func testCopiesWhateverTheFilesAreCalled() async throws {
        let folder = try temporaryFolder()
        let names = [
            ("a.new", "a"), ("a", "a.new"), ("b", "b.restored"), ("b.restored", "b"),
            ("c", "c-wal-"),
        ]
        for (name, copy) in names.map({ (folder + "/" + $0, folder + "/" + $1) }) {
            let store = try fileStore(name)
            try await store.create(.test(1))
            let before = try store.goals(GoalQuery(), of: .default)

            try DataBackup.write(of: name, to: copy)
            try await store.create(.test(2))
            store.close()
            let restoration = try DataBackup.restore(copy, to: name, on: today)

            for file in [name, copy] {
                let store = try fileStore(file)
                XCTAssertEqual(try store.goals(GoalQuery(), of: .default), before, file)
                store.close()
                try FileSystem.remove(file)
            }
            try FileSystem.remove(try XCTUnwrap(restoration.kept))
        }
    }

    func testReadsNoFileByANameThatItsLogIsNotBeside() async throws {
        let folder = try temporaryFolder()
        let path = folder + "/goals.sqlite"
        let store = try fileStore(path)
        try await store.create(.test(1))

        try FileSystem.link(path, as: folder + "/other")
        for name in [path, folder + "/other"] {
            XCTAssertThrowsError(try DataBackup.write(of: name, to: folder + "/copy")) { error in
                XCTAssertTrue("\(error)".contains("another name besides"), "\(error)")
            }
        }
        try FileSystem.remove(folder + "/other")
        // As one sees it who has the file by another path: locked, and no lock beside it.
        try FileSystem.remove(path + ".lock")
        XCTAssertThrowsError(try DataCheck(ofFileAt: path)) { error in
            XCTAssertTrue("\(error)".contains("by another path"), "\(error)")
        }
        store.close()

        XCTAssertNoThrow(try DataCheck(ofFileAt: path))
    }

    func testRefusesToRestoreWhileSomebodyReadsByTheLog() async throws {
        let folder = try temporaryFolder()
        let (path, copy) = (folder + "/goals.sqlite", folder + "/copy")
        let store = try fileStore(path)
        try await store.create(.test(1))
        try DataBackup.write(of: path, to: copy)
        let crashed = folder + "/crashed/goals.sqlite"
        let files = FileManager.default
        try files.createDirectory(atPath: folder + "/crashed", withIntermediateDirectories: true)
        for ending in ["", "-wal"] {
            try files.copyItem(atPath: path + ending, toPath: crashed + ending)
        }
        store.close()
        let reader = try Connections.openReader(at: crashed)

        try reader.snapshot {
            _ = try reader.row("SELECT count(*) FROM goals") { row in try row[0] as Int }
            XCTAssertThrowsError(try DataBackup.restore(copy, to: crashed, on: today)) { error in
                XCTAssertTrue("\(error)".contains("is being read"), "\(error)")
            }
        }

        XCTAssertGreaterThan(FileSystem.size(of: crashed + "-wal") ?? 0, 0)
        XCTAssertNoThrow(try DataBackup.restore(copy, to: crashed, on: today))
    }

    func testRefusesToRestoreAFileFromItself() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        try await store.create(.test(1))
        store.close()

        XCTAssertThrowsError(try DataBackup.restore(path, to: path, on: today)) { error in
            XCTAssertEqual(
                "\(error)",
                "\(path) is there already. It was left as it is; give another name."
            )
        }
        XCTAssertNoThrow(try fileStore(path).close())
    }

    func testRestoresToNothingButAFile() async throws {
        let folder = try temporaryFolder()
        let (path, copy) = (folder + "/goals.sqlite", folder + "/copy")
        try fileStore(path).close()
        try DataBackup.write(of: path, to: copy)
        let files = FileManager.default
        try files.createSymbolicLink(atPath: folder + "/link", withDestinationPath: path)
        try files.createDirectory(atPath: folder + "/folder", withIntermediateDirectories: true)
        let before = try files.contentsOfDirectory(atPath: folder).sorted()

        for (name, words) in [("link", "is a link"), ("folder", "is not a file")] {
            XCTAssertThrowsError(
                try DataBackup.restore(copy, to: folder + "/" + name, on: today)
            ) { error in
                XCTAssertTrue("\(error)".contains(words), "\(error)")
            }
        }
        XCTAssertEqual(try files.contentsOfDirectory(atPath: folder).sorted(), before)
    }

    func testRestoresNoDamagedCopy() async throws {
        let folder = try temporaryFolder()
        let path = folder + "/goals.sqlite"
        try fileStore(path).close()
        try Data("half of a copy".utf8).write(to: URL(filePath: folder + "/copy"))

        XCTAssertThrowsError(try DataBackup.restore(folder + "/copy", to: path, on: today))

        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted(),
            ["copy", "goals.sqlite"]
        )
    }
}
