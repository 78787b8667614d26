import Foundation
import Goals
import SQLite
import XCTest

@testable import Store

final class AccountBookTests: XCTestCase {
    func testMakesTheFileWhereThereIsNone() throws {
        let path = try temporaryFolder() + "/data/goals.sqlite"

        try book(path).change { try $0.addAccount(.of("Anna")) }

        XCTAssertNil(FileSystem.size(of: path + "-wal"), "The log is folded in")
        XCTAssertNil(FileSystem.size(of: path + ".lock"))
        XCTAssertEqual(try names(path), ["default", "Anna"])
        XCTAssertTrue(try DataCheck(ofFileAt: path).isSound)
    }

    func testKeepsNamesApart() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let book = try book(path)
        try book.change { try $0.addAccount(.of("Anna")) }

        refuses("There is an account \"Anna\" already. Give another name.") {
            try book.change { try $0.addAccount(.of("  Anna ")) }
        }
        refuses("There is an account \"default\" already. Give another name.") {
            try book.change { try $0.renameAccount(.of("Anna"), to: .of("default")) }
        }
        refuses("There is no account \"Ben\". goalpost account list shows those there are.") {
            try book.change { try $0.renameAccount(.of("Ben"), to: .of("Bert")) }
        }
        try book.change { try $0.renameAccount(.of("Anna"), to: .of("Anna")) }
        try book.change { try $0.renameAccount(.of("default"), to: .of("Home")) }

        XCTAssertEqual(try names(path), ["Home", "Anna"])
    }

    func testNeverUsesAnIdAgain() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let book = try book(path)
        let first = try book.change { try $0.addAccount(.of("Anna")) }
        _ = try book.deleteAccount(.of("Anna"))

        let second = try book.change { try $0.addAccount(.of("Anna")) }

        XCTAssertEqual([first.rawValue, second.rawValue], [2, 3])
    }

    func testListsTokensWithoutWhatWouldLetAnybodyIn() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let clock = TestClock()
        let book = try book(path, clock)
        try book.change { try $0.addAccount(.of("Anna")) }
        try book.change { try $0.addToken(.test(1), for: .of("default")) }
        try book.change {
            try $0.addToken(
                NewToken(
                    id: TokenID(rawValue: 2),
                    secretHash: "hash",
                    name: .of("Phone"),
                    isReadOnly: true,
                    days: 30
                ),
                for: .of("Anna")
            )
        }
        clock.advance(by: 1_000)
        XCTAssertTrue(try book.change { try $0.revokeToken(TokenID(rawValue: 1)) })
        XCTAssertFalse(try book.change { try $0.revokeToken(TokenID(rawValue: 1)) })

        let start = Moment(millisecondsSinceEpoch: clock.now.millisecondsSinceEpoch - 1_000)
        let entries = [
            TokenEntry(
                id: TokenID(rawValue: 1),
                account: .of("default"),
                name: nil,
                isReadOnly: false,
                createdAt: start,
                expiresAt: nil,
                revokedAt: clock.now
            ),
            TokenEntry(
                id: TokenID(rawValue: 2),
                account: .of("Anna"),
                name: .of("Phone"),
                isReadOnly: true,
                createdAt: start,
                expiresAt: Moment(
                    millisecondsSinceEpoch: start.millisecondsSinceEpoch + 30 * 86_400_000
                ),
                revokedAt: nil
            ),
        ]
        XCTAssertEqual(try AccountBook.tokens(of: nil, inFileAt: path), entries)
        XCTAssertEqual(try AccountBook.tokens(of: .of("Anna"), inFileAt: path), [entries[1]])
        refuses("There is no account \"Ben\". goalpost account list shows those there are.") {
            _ = try AccountBook.tokens(of: .of("Ben"), inFileAt: path)
        }
        refuses(
            "There is no token 0000000000000003. goalpost token list shows those there are."
        ) { try book.change { try $0.revokeToken(TokenID(rawValue: 3)) } }
    }

    func testNeverGoesBackToServingWithoutTokens() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        func isOpen() throws -> Bool {
            let store = try fileStore(path)
            defer { store.close() }
            return try !store.openAccess().requiresTokens
        }
        XCTAssertTrue(try isOpen())
        do {
            let book = try book(path)
            try book.change { try $0.addAccount(.of("Anna")) }
            try book.change { try $0.addToken(.test(1), for: .of("Anna")) }
            try book.change { try $0.revokeToken(TokenID(rawValue: 1)) }
        }
        XCTAssertFalse(try isOpen())

        _ = try book(path).deleteAccount(.of("Anna"))

        XCTAssertEqual(try AccountBook.tokens(of: nil, inFileAt: path), [])
        XCTAssertFalse(try isOpen())
    }

    func testWritesBesideAServerWhichGoesByItAtOnce() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        defer { store.close() }
        let goal = try await store.create(.test(1))
        let before = store.accessVersion
        XCTAssertTrue(before.lasts)

        do {
            let book = try book(path)
            try book.change { try $0.addAccount(.of("Anna")) }
            try book.change { try $0.addToken(.test(1), for: .of("Anna")) }
        }

        XCTAssertTrue(store.accessVersion.lasts)
        XCTAssertNotEqual(store.accessVersion, before)
        XCTAssertEqual(
            try store.token(TokenID(rawValue: 1))?.grant,
            TokenGrant(
                account: AccountID(rawValue: 2),
                isReadOnly: false,
                expiresAt: nil,
                isWithdrawn: false
            )
        )
        // The server's own writes go on.
        try await store.create(.test(2))
        XCTAssertEqual(try store.goal(1).value, goal)
        XCTAssertGreaterThan(try XCTUnwrap(FileSystem.size(of: path + "-wal")), 0)
    }

    func testAServerSeesNothingOfWhatIsRefused() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        defer { store.close() }
        let before = store.accessVersion
        let book = try book(path)

        refuses("There is no account \"Ben\". goalpost account list shows those there are.") {
            try book.change { try $0.setDisabled(true, .of("Ben")) }
        }

        XCTAssertTrue(store.accessVersion.lasts)
        XCTAssertTrue(before.lasts)
        XCTAssertEqual(try names(path), ["default"])
    }

    func testWaitsForWhoeverIsWriting() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        defer { store.close() }
        let writer = try Database(at: path, mode: .readWrite)
        try writer.run("BEGIN IMMEDIATE")
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                try book(path).change { try $0.addAccount(.of("Anna")) }
            } catch {
                XCTFail("\(error)")
            }
            isDone.signal()
        }

        // Five times as long as SQLite waits by itself.
        XCTAssertEqual(isDone.wait(timeout: .now() + .milliseconds(100)), .timedOut)
        try writer.run("COMMIT")

        XCTAssertEqual(isDone.wait(timeout: .now() + .seconds(10)), .success)
        XCTAssertEqual(try names(path), ["default", "Anna"])
    }

    func testAServerLooksEachTimeWhileAChangeIsUnderWay() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let store = try fileStore(path)
        defer { store.close() }
        let lock = try XCTUnwrap(ChangeCounter.open(at: path + ".lock"))

        // As of one who was killed between the commit and saying so.
        _ = lock.beginChange()

        XCTAssertFalse(store.accessVersion.lasts)
        try book(path).change { try $0.addAccount(.of("Anna")) }
        XCTAssertTrue(store.accessVersion.lasts)
    }

    func testIsRefusedBesideAServerOfAnOlderVersion() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let database = try Database(at: path, mode: .create)
        try Schema.migrate(database, to: 2)
        let lock = try XCTUnwrap(LockFile.acquire(at: path + ".lock"))

        refuses(
            "\(path) is in use by a server of an older Goalpost. Update that one first: start this "
                + "program as the server."
        ) { _ = try book(path) }
        withExtendedLifetime(lock) {}
    }

    func testListsNothingOfAnOlderVersion() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let database = try Database(at: path, mode: .create)
        try Schema.migrate(database, to: 2)

        refuses(
            "\(path) was written by an older Goalpost, which had no tokens. Start a server on it, "
                + "which brings it to this version, or add something first."
        ) { _ = try AccountBook.accounts(ofFileAt: path) }
    }

    func testWritesNothingToAFileThatWasReplaced() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let book = try book(path)
        try FileSystem.rename(path, to: path + ".old")
        try Data("x".utf8).write(to: URL(filePath: path))

        refuses("\(path) is not there. Give the path of a data file.") {
            try book.change { try $0.addAccount(.of("Anna")) }
        }
    }

    func testACheckFindsWhatWouldLetSomebodyInWhoShouldNotBe() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let book = try book(path)
        try book.change { try $0.addToken(.test(1), for: .of("default")) }
        XCTAssertEqual(try DataCheck(ofFileAt: path).findings, [])

        try book.change { changes in
            try changes.database.run("UPDATE store SET requires_tokens = 0, last_account = 0")
            try changes.database.run("UPDATE tokens SET id = '000000000000000G'")
        }

        XCTAssertEqual(
            try DataCheck(ofFileAt: path).findings,
            [
                "An id of an account could be used again.",
                "There are tokens, but none is asked for.",
                "Token 000000000000000G has no id that there can be.",
            ]
        )
    }

    private func names(_ path: String) throws -> [String] {
        try AccountBook.accounts(ofFileAt: path).map(\.name.text)
    }
}

/// Opens the accounts of a file.
func book(_ path: String, _ clock: TestClock = TestClock()) throws -> AccountBook {
    try AccountBook(ofFileAt: path, now: { clock.now }, notice: { _ in })
}

/// Asserts that something is refused, and with which sentence.
func refuses<Value>(
    _ sentence: String,
    file: StaticString = #filePath,
    line: UInt = #line,
    _ body: () throws -> Value
) {
    XCTAssertThrowsError(try body(), file: file, line: line) { error in
        XCTAssertEqual("\(error)", sentence, file: file, line: line)
    }
}

extension Label {
    static func of(_ text: String) -> Label {
        guard let label = Label(text) else { preconditionFailure("\(text) is no name.") }
        return label
    }
}

extension NewToken {
    static func test(_ id: UInt64) -> NewToken {
        NewToken(
            id: TokenID(rawValue: id),
            secretHash: "hash",
            name: nil,
            isReadOnly: false,
            days: nil
        )
    }
}
