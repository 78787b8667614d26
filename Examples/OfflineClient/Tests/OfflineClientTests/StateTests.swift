import Foundation
import XCTest

@testable import OfflineClient

/// What is kept of what a person does, and what is made of it.
final class StateTests: XCTestCase {
    private let limits = PieceLimits()
    private var state = State()
    private let goal = Goal(id: .version7(), title: "Bike", currency: "EUR", startingAmount: "1.00")

    func testShowsWhatTheServerHasYetToHearOf() throws {
        state.create(.goal(goal))
        let income = transaction("2.50")
        state.create(.transaction(income))
        state.create(.transaction(transaction("0.75", .expense)))

        XCTAssertEqual(state.replica, Replica())
        XCTAssertEqual(state.view.goals, [goal.id: goal])
        XCTAssertEqual(state.view.saved(for: goal), Decimal(string: "2.75"))

        try state.delete(.transaction(income.id, goal: goal.id))
        XCTAssertEqual(state.view.saved(for: goal), Decimal(string: "0.25"))
    }

    func testChangesWhatWasNotSentInThePlaceWhereItIs() throws {
        state.create(.goal(goal))
        try state.edit(title("Boat"))
        try state.edit(title("Ship"))

        XCTAssertEqual(state.queue.count, 1)
        XCTAssertEqual(
            try sent(),
            [
                #"{"body":{"currency":"EUR","id":"\#(goal.id)","note":"","#
                    + #""plannedCompletionDate":null,"startingAmount":"1.00","targetAmount":null,"#
                    + #""title":"Ship"},"method":"POST","path":"/goals"}"#
            ]
        )
    }

    func testSendsOnlyWhatWasChangedAndOnlyIfItIsStillAsItWasSeen() throws {
        see(goal, revision: 3)
        try state.edit(title("Boat"))
        try state.edit(.goal(goal.id)) { $0.fields = $0.fields.applying(Fields(["note": "x"])) }

        XCTAssertEqual(
            try sent(),
            [
                #"{"body":{"note":"x","title":"Boat"},"ifMatch":"\"3\"","method":"PATCH","#
                    + #""path":"/goals/\#(goal.id)"}"#
            ]
        )
    }

    func testSendsNothingOfWhatWasTakenBack() throws {
        state.create(.goal(goal))
        state.create(.transaction(transaction("1")))
        try state.delete(.goal(goal.id))

        XCTAssertEqual(state, State())

        see(goal, revision: 1)
        try state.edit(title("Boat"))
        try state.edit(title(goal.title))
        XCTAssertNil(state.nextConflict())
        XCTAssertEqual(state.queue, [])
    }

    func testKeepsAStatusInItsPlaceAmongTheTransactions() throws {
        see(goal, revision: 1)
        try state.edit(title("Boat"))
        state.create(.transaction(transaction("1")))
        try state.edit(.goal(goal.id)) {
            $0.fields = $0.fields.applying(Fields(["status": "archived"]))
        }

        XCTAssertEqual(state.queue.count, 3)
        // What the transaction makes of the goal's revision, only the answer tells.
        XCTAssertEqual(try sent().count, 2)
    }

    func testLeavesWhatIsOnItsWayAsItIs() throws {
        state.create(.goal(goal))
        try state.makePiece(limits: limits, encoder: Store.encoder)
        let piece = state.piece
        try state.edit(title("Boat"))
        try state.delete(.goal(goal.id))

        XCTAssertEqual(state.piece, piece)
        XCTAssertEqual(state.queue.count, 2)
        XCTAssertEqual(state.view, Replica())

        var answer = goal
        answer.revision = 1
        state.confirm([.goal(answer)])
        XCTAssertNil(state.nextConflict())
        XCTAssertEqual(
            try sent(),
            [#"{"ifMatch":"\"1\"","method":"DELETE","path":"/goals/\#(goal.id)"}"#]
        )
    }

    func testTakesOverHowTheServerWritesWhatItWasGiven() throws {
        state.create(.goal(goal))
        try state.makePiece(limits: limits, encoder: Store.encoder)
        try state.edit(.goal(goal.id)) { $0.fields = $0.fields.applying(Fields(["note": "x"])) }
        var answer = goal
        answer.startingAmount = "1.000"
        answer.revision = 1

        state.confirm([.goal(answer)])

        XCTAssertNil(state.nextConflict())
        answer.note = "x"
        XCTAssertEqual(state.view.goals, [goal.id: answer])
    }

    func testAsksNobodyWhenOnlyTheRevisionMovedOn() throws {
        see(goal, revision: 1)
        try state.edit(title("Boat"))
        see(goal, revision: 2)

        XCTAssertNil(state.nextConflict())
        XCTAssertTrue(try sent()[0].contains(#""ifMatch":"\"2\"""#))
    }

    func testAsksNobodyWhenOthersDidTheSame() throws {
        see(goal, revision: 1)
        try state.edit(title("Boat"))
        var theirs = goal
        theirs.title = "Boat"
        see(theirs, revision: 2)

        XCTAssertNil(state.nextConflict())
        XCTAssertEqual(state.queue, [])
    }

    func testDoesWithAConflictWhatWasChosen() throws {
        let results: [(Resolution, [String: String?]?)] = [
            (.keepMine, ["title": "Boat"]),
            (.takeTheirs, nil),
            (.merge(Fields(["title": "Boat or ship"])), ["title": "Boat or ship"]),
        ]
        for (resolution, sentFields) in results {
            state = State()
            let conflict = try conflict()
            XCTAssertEqual(conflict.disputed, ["title"])

            state.settle(conflict, by: resolution)

            XCTAssertNil(state.nextConflict())
            XCTAssertEqual(state.view.goals[goal.id]?.note, "theirs")
            let changes = state.queue.first.map { command in
                guard case .edit(let base, let mine) = command.action else { return Fields() }
                return mine.changes(since: base)
            }
            XCTAssertEqual(changes, sentFields.map { Fields($0) }, "\(resolution)")
        }
    }

    func testDoesNothingWithAChoiceThatHasBeenOvertaken() throws {
        let conflict = try conflict()
        try state.edit(title("Raft"))
        let before = state

        state.settle(conflict, by: .takeTheirs)

        XCTAssertEqual(state, before)
    }

    func testTakesWithARefusedCreationWhatDependsOnIt() throws {
        let other = Goal(id: .version7(), title: "Car", currency: "EUR")
        state.create(.goal(goal))
        state.create(.transaction(transaction("1")))
        state.create(.goal(other))
        try state.makePiece(limits: limits, encoder: Store.encoder)
        let problem = Problem(status: 422, code: "validation-failed", title: "", detail: "")

        state.refuse(0, because: problem)

        XCTAssertNil(state.piece)
        XCTAssertEqual(state.view.goals, [other.id: other])
        XCTAssertEqual(state.refusals.map(\.problem), [problem, problem])
    }

    func testHoldsADeletionForDoneThatSomebodyElseDid() throws {
        see(goal, revision: 1)
        try state.delete(.goal(goal.id))
        try state.makePiece(limits: limits, encoder: Store.encoder)

        state.refuse(0, because: Problem(status: 410, code: "gone", title: "", detail: ""))

        XCTAssertEqual(state, State())
    }

    func testComesBackFromTheFileAsItWas() throws {
        _ = try conflict()
        state.create(.transaction(transaction("1")))
        try state.makePiece(limits: limits, encoder: Store.encoder)
        state.since = "a"

        let read = try JSONDecoder().decode(State.self, from: try Store.encoder.encode(state))

        XCTAssertEqual(read, state)
    }

    private func transaction(_ amount: String, _ kind: Transaction.Kind = .income) -> Transaction {
        Transaction(
            id: .version7(),
            goalId: goal.id,
            transactionType: kind,
            amount: amount,
            date: "2027-01-15"
        )
    }

    private func see(_ goal: Goal, revision: Int) {
        var goal = goal
        goal.revision = revision
        state.replica.put(.goal(goal))
    }

    /// Gives the goal another title here, and another title and note there.
    private func conflict() throws -> Conflict {
        see(goal, revision: 1)
        try state.edit(title("Boat"))
        var theirs = goal
        theirs.title = "Ship"
        theirs.note = "theirs"
        see(theirs, revision: 2)
        return try XCTUnwrap(state.nextConflict())
    }

    /// The commands of the next piece.
    private func sent() throws -> [String] {
        try state.makePiece(limits: limits, encoder: Store.encoder)
        let body = try XCTUnwrap(state.piece?.body)
        let commands = try XCTUnwrap(
            try JSONSerialization.jsonObject(with: body) as? [String: [[String: Any]]]
        )
        return try (commands["commands"] ?? []).map {
            let data = try JSONSerialization.data(
                withJSONObject: $0,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
            return String(decoding: data, as: UTF8.self)
        }
    }
}

extension State {
    fileprivate mutating func edit(_ change: (Thing, String)) throws {
        try edit(change.0) { $0.fields = $0.fields.applying(Fields(["title": change.1])) }
    }
}

extension StateTests {
    fileprivate func title(_ title: String) -> (Thing, String) {
        (.goal(goal.id), title)
    }
}
