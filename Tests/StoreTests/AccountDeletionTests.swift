import Foundation
import Goals
import SQLite
import XCTest

@testable import Store

final class AccountDeletionTests: XCTestCase {
    private let account = AccountID(rawValue: 2)

    func testDeletesAllThatAnAccountHas() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try await fill(path)
        let book = try book(path)

        let deletion = try book.deleteAccount(.of("Anna"))

        XCTAssertEqual(
            deletion,
            deleted(goals: 2, transactions: 2_502, notes: 2, tokens: 1)
        )
        XCTAssertEqual(try rows(path), 0)
        XCTAssertEqual(
            try AccountBook.accounts(ofFileAt: path).map { [$0.goals, $0.transactions] },
            [[1, 1]],
            "What is another's stays"
        )
        XCTAssertEqual(try DataCheck(ofFileAt: path).findings, [])
        refuses("There is no account \"Anna\". goalpost account list shows those there are.") {
            _ = try book.deleteAccount(.of("Anna"))
        }
    }

    func testGoesOnWhereItWasCutShortAndAddsUpMeanwhile() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try await fill(path)
        var pieces = 0
        while try pieces == 0
            || !AccountBook.accounts(ofFileAt: path).allSatisfy({ $0.id != account })
        {
            // One piece, and then nothing more, as if the process had been killed.
            let book = try book(path)
            var deletion = AccountDeletion()
            _ = try book.deletePiece(of: account, &deletion)
            pieces += 1
            XCTAssertEqual(try DataCheck(ofFileAt: path).findings, [], "after \(pieces) pieces")
            if pieces == 1 {
                XCTAssertEqual(deletion, deleted(transactions: 1_000))
            }
        }

        XCTAssertEqual(pieces, 4)
        XCTAssertEqual(try rows(path), 0)
    }

    /// The expenses are smaller, and would go first: what is left would leave the bounds.
    func testASavedAmountStaysWithinItsBoundsUntilItIsGone() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        do {
            let book = try book(path)
            try book.change { try $0.addAccount(.of("Anna")) }
        }
        let store = try fileStore(path)
        let account = account
        try await store.write { transaction in
            _ = try transaction.create(.test(1), of: account)
            for number in 1...3_000 {
                let isIncome = number.isMultiple(of: 2)
                let amount = Money.largestAmount.minorUnits - (isIncome ? 0 : 1)
                _ = try transaction.record(
                    .test(number, isIncome ? .income : .expense, amount),
                    in: .number(1),
                    today: today,
                    of: account
                )
            }
        }
        store.close()
        let book = try book(path)
        var deletion = AccountDeletion()

        _ = try book.deletePiece(of: account, &deletion)

        XCTAssertEqual(try DataCheck(ofFileAt: path).findings, [])
        while try book.deletePiece(of: account, &deletion) {}
        XCTAssertEqual(deletion, deleted(goals: 1, transactions: 3_000))
        XCTAssertEqual(try rows(path), 0)
    }

    /// Each part of a text is a word that is taken out of the index, while a server waits for the file.
    func testGoalsWithLongTextsAreDeletedFewAtATime() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        do {
            let book = try book(path)
            try book.change { try $0.addAccount(.of("Anna")) }
        }
        let store = try fileStore(path)
        let account = account
        try await store.write { transaction in
            for number in 1...20 {
                let note = String(repeating: "wish ", count: 300)
                _ = try transaction.create(.test(number, note: note), of: account)
            }
        }
        store.close()
        let book = try book(path)
        var deletion = AccountDeletion()

        _ = try book.deletePiece(of: account, &deletion)

        XCTAssertLessThan(deletion.goals, 15)
        while try book.deletePiece(of: account, &deletion) {}
        XCTAssertEqual(deletion, deleted(goals: 20))
        XCTAssertEqual(try DataCheck(ofFileAt: path).findings, [])
    }

    func testLetsNobodyInFromTheFirstMoment() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try await fill(path)
        let store = try fileStore(path)
        defer { store.close() }
        XCTAssertEqual(try store.token(TokenID(rawValue: 1))?.grant.isWithdrawn, false)
        let book = try book(path)

        try book.change { try $0.setDisabled(true, .of("Anna")) }
        XCTAssertEqual(try store.token(TokenID(rawValue: 1))?.grant.isWithdrawn, true)
        _ = try book.deleteAccount(.of("Anna"))

        XCTAssertNil(try store.token(TokenID(rawValue: 1)))
    }

    func testTakesAlongWhatWasWrittenMeanwhile() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try await fill(path)
        let store = try fileStore(path)
        defer { store.close() }
        let book = try book(path)
        var deletion = AccountDeletion()
        _ = try book.deletePiece(of: account, &deletion)

        // A request that was let in before the account was disabled.
        let account = account
        _ = try await store.write { try $0.create(.test(77), of: account) }
        let rest = try book.deleteAccount(.of("Anna"))

        XCTAssertEqual(deletion.goals + rest.goals, 3)
        XCTAssertEqual(try rows(path), 0)
        await assertThrows(.accountAbsent) {
            _ = try await store.write { try $0.create(.test(78), of: account) }
        }
    }

    func testLeavesNoTraceInTheFile() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try await fill(path)
        // The first word that the index has for the account, which comes there in full.
        let word = "2" + String(" se".utf8.reduce(0) { $0 << 8 | UInt32($1) }, radix: 32)
        let texts = ["A secret wish", word]
        for text in texts { XCTAssertTrue(try contains(text, path), text) }

        _ = try book(path).deleteAccount(.of("Anna"))

        for text in texts { XCTAssertFalse(try contains(text, path), text) }
    }

    func testWhatIsLeftOfAnAccountCantBeUsedAgain() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        try await fill(path)
        let book = try book(path)
        try book.change { try $0.beginDeletion(of: account) }
        var deletion = AccountDeletion()
        _ = try book.deletePiece(of: account, &deletion)

        refuses(
            "Account \"Anna\" is being deleted, and can't be used again: goalpost account delete goes on "
                + "where it was cut short."
        ) { try book.change { try $0.setDisabled(false, .of("Anna")) } }

        XCTAssertEqual(try AccountBook.accounts(ofFileAt: path).map(\.isDisabled), [false, true])
    }

    func testKeepsTheDefaultAccount() throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        let book = try book(path)
        try book.change { try $0.renameAccount(.of("default"), to: .of("Home")) }

        refuses(
            "The default account can't be deleted, since it is the one that is served without tokens."
                + " It can be renamed and disabled, and its goals deleted."
        ) { _ = try book.deleteAccount(.of("Home")) }

        XCTAssertEqual(try AccountBook.accounts(ofFileAt: path).map(\.isDisabled), [false])
    }

    /// Makes an account with a long history, beside one with a short one.
    private func fill(_ path: String) async throws {
        do {
            let book = try book(path)
            try book.change { try $0.addAccount(.of("Anna")) }
            try book.change { try $0.addToken(.test(1), for: .of("Anna")) }
        }
        let store = try fileStore(path)
        defer { store.close() }
        try await store.create(.test(1))
        try await store.record(.test(1), in: 1)
        let account = account
        try await store.write { transaction in
            for number in 1...3 {
                // One is long enough to be indexed at once.
                let note = number == 2 ? String(repeating: "wish", count: 400) : ""
                _ = try transaction.create(
                    .test(number, title: "A secret wish", note: note),
                    of: account
                )
            }
            for number in 1...2_503 {
                _ = try transaction.record(
                    .test(
                        number,
                        number.isMultiple(of: 3) ? .expense : .income,
                        Int64(number % 700 + 1),
                        on: number.isMultiple(of: 2) ? "2027-01-15" : "2026-03-01",
                        category: number.isMultiple(of: 5) ? "Salary" : nil
                    ),
                    in: .number(number == 2_502 ? 2 : 1),
                    today: today,
                    of: account
                )
            }
            try transaction.delete(.number(2_503), in: .number(1), if: .none, of: account)
            try transaction.delete(.number(3), if: .none, of: account)
        }
    }

    private func deleted(
        goals: Int = 0,
        transactions: Int = 0,
        notes: Int = 0,
        answers: Int = 0,
        tokens: Int = 0
    ) -> AccountDeletion {
        var deletion = AccountDeletion()
        deletion.goals = goals
        deletion.transactions = transactions
        deletion.notes = notes
        deletion.answers = answers
        deletion.tokens = tokens
        return deletion
    }

    /// How many rows of any table are the account's.
    private func rows(_ path: String) throws -> Int {
        try DataFile.reading(path) { database in
            try database.row(
                """
                SELECT (SELECT count(*) FROM goals WHERE account = ?1)
                    + (SELECT count(*) FROM transactions WHERE account = ?1)
                    + (SELECT count(*) FROM monthly_totals WHERE account = ?1)
                    + (SELECT count(*) FROM tombstones WHERE account = ?1)
                    + (SELECT count(*) FROM kept_answers WHERE account = ?1)
                    + (SELECT count(*) FROM tokens WHERE account = ?1)
                    + (SELECT count(*) FROM accounts WHERE id = ?1)
                """,
                account.rawValue
            ) { row in try row[0] as Int }
        } ?? -1
    }

    private func contains(_ text: String, _ path: String) throws -> Bool {
        try Data(contentsOf: URL(filePath: path)).range(of: Data(text.utf8)) != nil
    }
}
