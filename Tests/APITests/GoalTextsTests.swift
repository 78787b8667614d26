import Goals
import Store
import XCTest

@testable import API

final class GoalTextsTests: XCTestCase {
    private let texts = GoalTexts(bytes: 100_000, shardCount: 1)

    func testRemembersAGoalAfterAChange() throws {
        let first = try texts.text(of: key(1), change: 1) { try text("first") }
        let again = texts.text(of: key(1), change: 1) { unexpected() }

        XCTAssertEqual(first.bytes, Array("first".utf8))
        XCTAssertEqual(again.bytes, Array("first".utf8))
    }

    func testTellsChangesGoalsAndAccountsApart() throws {
        let other = GoalKey(account: AccountID(rawValue: 2), goal: key(1).goal)
        for (index, (key, change)) in [(key(1), 1), (key(1), 2), (other, 2), (key(2), 2)]
            .enumerated()
        {
            let found = try texts.text(of: key, change: change) { try text("\(index)") }

            XCTAssertEqual(found.bytes, Array("\(index)".utf8))
        }
    }

    func testTakesNoMoreThanItsPlaces() throws {
        for number in 1...1_000 {
            _ = try texts.text(of: key(UInt64(number)), change: 1) { try text("\(number)") }
        }

        var remembered = 0
        for number in 1...1_000 {
            var isMade = false
            _ = try texts.text(of: key(UInt64(number)), change: 1) {
                isMade = true
                return try text("again")
            }
            remembered += isMade ? 0 : 1
        }

        XCTAssertLessThan(remembered, 100)
    }

    func testRemembersNoLongTexts() throws {
        let long = String(repeating: "x", count: 1_025)
        for _ in 1...2 {
            var isMade = false
            _ = try texts.text(of: key(1), change: 1) {
                isMade = true
                return try text(long)
            }

            XCTAssertTrue(isMade)
        }
    }

    func testRemembersNothingWithoutRoom() throws {
        let none = GoalTexts(bytes: 0)

        let found = try none.text(of: key(1), change: 1) { try text("made") }

        XCTAssertEqual(found.bytes, Array("made".utf8))
    }

    private func key(_ number: UInt64) -> GoalKey {
        GoalKey(account: .default, goal: Goal.ID(high: 0, low: number))
    }

    private func text(_ text: String) throws -> ListedGoal {
        let new = try NewGoal(
            id: Goal.ID(high: 0, low: 1),
            title: XCTUnwrap(Title("Bike")),
            currency: XCTUnwrap(Currency("EUR"))
        )
        let goal = Goal(new, at: Moment(millisecondsSinceEpoch: 0))
        return ListedGoal(Array(text.utf8), of: goal)
    }

    private func unexpected() -> ListedGoal {
        preconditionFailure("What is remembered is not made again")
    }
}
