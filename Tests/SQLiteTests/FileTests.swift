import Foundation
import SQLite
import XCTest

final class FileTests: XCTestCase {
    func testTellsWhatAPathLeadsTo() throws {
        let folder = try temporaryFolder()
        let path = folder + "/a"

        XCTAssertEqual(try DatabaseFile(at: path), .absent)
        XCTAssertEqual(try DatabaseFile(at: folder), .notAFile)

        try Data().write(to: URL(filePath: path))
        XCTAssertEqual(try DatabaseFile(at: path), .empty)

        try Data("SQLite format 3\u{0}".utf8).write(to: URL(filePath: path))
        XCTAssertEqual(try DatabaseFile(at: path), .foreign)

        try FileSystem.remove(path)
        do {
            let database = try Database(at: path, mode: .create)
            try database.runScript("PRAGMA application_id = -7; PRAGMA user_version = 258")
        }
        XCTAssertEqual(
            try DatabaseFile(at: path),
            .database(applicationID: -7, userVersion: 258)
        )
    }

    func testGivesALockToOneOwnerAtATime() throws {
        let path = try temporaryFolder() + "/a.lock"

        var first = try LockFile.acquire(at: path)
        XCTAssertNotNil(first)
        XCTAssertNil(try LockFile.acquire(at: path))

        first = nil
        XCTAssertNil(FileSystem.size(of: path))
        XCTAssertNotNil(try LockFile.acquire(at: path))
    }

    func testALockIsGivenBackWithoutTakingAnothers() throws {
        let path = try temporaryFolder() + "/a.lock"
        var first = try LockFile.acquire(at: path)
        XCTAssertNotNil(first)
        try FileSystem.remove(path)
        let second = try LockFile.acquire(at: path)
        XCTAssertNotNil(second)

        first = nil

        XCTAssertNotNil(FileSystem.size(of: path))
        XCTAssertNil(try LockFile.acquire(at: path))
    }

    func testLocksAFileWhateverItsName() throws {
        let path = try temporaryFolder() + "/a"
        try Data("x".utf8).write(to: URL(filePath: path))
        try FileSystem.link(path, as: path + "-too")

        var first = try FileLock.acquire(on: path)
        XCTAssertNotNil(first)
        XCTAssertNil(try FileLock.acquire(on: path + "-too"))

        first = nil
        XCTAssertNotNil(try FileLock.acquire(on: path + "-too"))
    }

    func testADraftTakesNoNameThatIsThere() throws {
        let path = try temporaryFolder() + "/a"

        let drafts = try (1...3).map { _ in try FileSystem.makeDraft(of: path) }

        XCTAssertEqual(Set(drafts).count, 3)
        for draft in drafts {
            XCTAssertTrue(draft.hasPrefix(path + ".draft-"), draft)
            XCTAssertEqual(FileSystem.size(of: draft), 0)
        }
    }

    func testTakesALockThatACrashLeftBehind() throws {
        let path = try temporaryFolder() + "/a.lock"
        try Data().write(to: URL(filePath: path))

        XCTAssertNotNil(try LockFile.acquire(at: path))
    }

    func testMakesFoldersAndThoseAboveThem() throws {
        let folder = try temporaryFolder() + "/a/b/c/"

        try FileSystem.makeFolder(at: folder)
        try FileSystem.makeFolder(at: folder)

        XCTAssertEqual(try DatabaseFile(at: folder), .notAFile)
    }

    func testMakesNoFolderWhereAFileIs() throws {
        let path = try temporaryFolder() + "/a"
        try Data("x".utf8).write(to: URL(filePath: path))

        XCTAssertThrowsError(try FileSystem.makeFolder(at: path)) { error in
            XCTAssertEqual("\(error)", "cannot make the folder \(path): File exists")
        }
    }

    func testNamesTheFolderOfAPath() {
        let cases = [
            ("/a/b", "/a"), ("/a/b/", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("./a", "."),
            ("a/b", "a"), ("a//b", "a"),
        ]
        for (path, folder) in cases {
            XCTAssertEqual(FileSystem.folder(of: path), folder, path)
        }
    }
}
