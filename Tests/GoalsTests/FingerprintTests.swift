import XCTest

@testable import Goals

final class FingerprintTests: XCTestCase {
    func testIsTheSameInEveryRelease() throws {
        XCTAssertEqual(try goal().fingerprint, 5_640_660_592_063_773_108)
        XCTAssertEqual(try transaction().fingerprint, 10_127_946_600_442_101_999)
    }

    func testDoesNotDependOnTheIdentifier() throws {
        XCTAssertEqual(
            try goal(id: Goal.ID(high: 9, low: 9)).fingerprint,
            try goal().fingerprint
        )
        XCTAssertEqual(
            try transaction(id: Transaction.ID(high: 9, low: 9)).fingerprint,
            try transaction().fingerprint
        )
    }

    func testTellsEveryDifferenceOfAGoal() throws {
        let goals = try [
            goal(),
            goal(title: "New bik", note: "e"),
            goal(note: "e"),
            goal(note: "e\u{301}"),
            goal(note: "\u{E9}"),
            goal(currency: "PLN"),
            goal(target: nil),
            goal(target: 0),
            goal(target: 1),
            goal(starting: 1),
            goal(date: nil),
            goal(date: "1970-01-01"),
        ]

        XCTAssertEqual(Set(goals.map(\.fingerprint)).count, goals.count)
    }

    func testTellsEveryDifferenceOfATransaction() throws {
        let transactions = try [
            transaction(),
            transaction(type: .expense),
            transaction(amount: 6),
            transaction(date: nil),
            transaction(date: "1970-01-01"),
            transaction(category: nil),
            transaction(category: nil, note: "Gifts"),
            transaction(category: "Gift", note: "s"),
            transaction(note: "s"),
        ]

        XCTAssertEqual(Set(transactions.map(\.fingerprint)).count, transactions.count)
    }

    private func goal(
        id: Goal.ID = Goal.ID(high: 1, low: 2),
        title: String = "New bike",
        note: String = "",
        currency: String = "EUR",
        target: Int64? = 100_000,
        starting: Int64 = 0,
        date: String? = "2027-12-31"
    ) throws -> NewGoal {
        try NewGoal(
            id: id,
            title: XCTUnwrap(Title(title)),
            note: XCTUnwrap(Note(note)),
            currency: XCTUnwrap(Currency(currency)),
            targetAmount: target.map { Money(minorUnits: $0) },
            startingAmount: Money(minorUnits: starting),
            plannedCompletionDate: date.map { try day($0) }
        )
    }

    private func transaction(
        id: Transaction.ID = Transaction.ID(high: 3, low: 4),
        type: Transaction.Kind = .income,
        amount: Int64 = 5,
        date: String? = "2027-01-15",
        category: String? = "Gifts",
        note: String = ""
    ) throws -> NewTransaction {
        try NewTransaction(
            id: id,
            type: type,
            amount: Money(minorUnits: amount),
            date: date.map { try day($0) },
            category: category.map { try XCTUnwrap(Category($0)) },
            note: XCTUnwrap(Note(note))
        )
    }
}
