import Foundation
import Synchronization
import XCTest

@testable import OfflineClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Two devices and the built server, with nothing bad in between.
final class SyncTests: XCTestCase {
    func testAsksAboutWhatBothHaveChanged() async throws {
        let server = try startServer()
        let outcomes: [(Resolution, title: String)] = [
            (.keepMine, "mine"),
            (.takeTheirs, "theirs"),
            (.merge(Fields(["title": "both"])), "both"),
        ]
        for (resolution, title) in outcomes {
            let asked = Asked()
            let mine = try client(of: server) { conflict in
                await asked.add(conflict)
                return resolution
            }
            let theirs = try client(of: server)
            let goal = try await mine.createGoal(title: "Bike", currency: "EUR")
            try await mine.sync()
            try await theirs.sync()
            try await theirs.edit(goal: goal) {
                $0.title = "theirs"
                $0.note = "theirs"
            }
            try await theirs.sync()

            try await mine.edit(goal: goal) { $0.title = "mine" }
            try await mine.sync()
            try await theirs.sync()

            let conflicts = await asked.conflicts
            XCTAssertEqual(conflicts.map(\.disputed), [["title"]])
            XCTAssertEqual(conflicts.first?.base["title"], "Bike")
            XCTAssertEqual(conflicts.first?.mine?["title"], "mine")
            XCTAssertEqual(conflicts.first?.theirs["title"], "theirs")
            for client in [mine, theirs] {
                let seen = await client.goals.first { $0.goal.id == goal }?.goal
                XCTAssertEqual(seen?.title, title)
                XCTAssertEqual(seen?.note, "theirs")
            }
        }
    }

    /// Has another device come in between the reading of changes and the sending of a piece.
    func testSettlesWhatOthersWereFasterWithOnTheWay() async throws {
        let server = try startServer()
        let theirs = try client(of: server)
        let goal = try await theirs.createGoal(title: "Bike", currency: "EUR")
        try await theirs.sync()
        let direct = try server.direct
        let asked = Asked()
        let mine = try OfflineClient(
            file: try temporaryFile(),
            address: direct.address,
            token: direct.token,
            send: { request in
                if request.httpMethod == "POST", await asked.conflicts.isEmpty {
                    try await theirs.edit(goal: goal) { $0.title = "theirs" }
                    try await theirs.sync()
                }
                return try await direct.send(request)
            },
            resolve: { conflict in
                await asked.add(conflict)
                return .keepMine
            }
        )
        try await mine.sync()
        try await mine.edit(goal: goal) { $0.title = "mine" }

        try await mine.sync()

        let conflicts = await asked.conflicts
        XCTAssertEqual(conflicts.map { $0.theirs["title"] }, ["theirs"])
        let title = try await server.contents().goals[goal]?.title
        XCTAssertEqual(title, "mine")
    }

    func testALateAnswerDoesNotHideWhatOthersHaveDoneSince() async throws {
        let server = try startServer()
        let direct = try server.direct
        let lost = Mutex(0)
        var retries = eagerRetries
        retries.attempts = 1
        let mine = try OfflineClient(
            file: try temporaryFile(),
            address: direct.address,
            token: direct.token,
            retries: retries,
            send: { request in
                let answer = try await direct.send(request)
                guard request.httpMethod == "POST" else { return answer }
                let isLost = lost.withLock { lost in
                    lost += 1
                    return lost == 1
                }
                if isLost { throw URLError(.networkConnectionLost) }
                return answer
            },
            resolve: { _ in .keepMine }
        )
        let theirs = try client(of: server)
        let goal = try await mine.createGoal(title: "Bike", currency: "EUR")
        do {
            try await mine.sync()
            XCTFail("The answer was lost")
        } catch is Unreachable {
            // The server has the goal, and this device does not know.
        }
        try await theirs.sync()
        try await theirs.edit(goal: goal) { $0.title = "Boat" }
        try await theirs.sync()

        try await mine.sync()

        let (seen, contents) = (await mine.store.state.replica, try await server.contents())
        XCTAssertEqual(seen, contents)
        XCTAssertEqual(seen.goals[goal]?.title, "Boat")
    }

    func testTakesOutWhatIsRefusedAndSendsTheRest() async throws {
        let server = try startServer()
        let client = try client(of: server)
        let goal = try await client.createGoal(title: "Bike", currency: "EUR")
        let archived = try await client.createGoal(title: "Car", currency: "EUR")
        try await client.edit(goal: archived) { $0.status = .archived }
        var wrong: [Transaction.ID] = []
        var right: [Transaction.ID] = []
        for amount in ["1", "0.001", "2", "x"] {
            let id = try await client.record(.income, amount: amount, for: goal, date: "2027-01-15")
            if ["1", "2"].contains(amount) { right.append(id) } else { wrong.append(id) }
        }
        wrong.append(
            try await client.record(.income, amount: "1", for: archived, date: "2027-01-15")
        )

        try await client.sync()

        let refusals = await client.refusals
        XCTAssertEqual(
            refusals.map(\.command.thing),
            [
                .transaction(wrong[0], goal: goal), .transaction(wrong[1], goal: goal),
                .transaction(wrong[2], goal: archived),
            ]
        )
        XCTAssertEqual(refusals.map(\.problem.status), [422, 422, 409])
        let contents = try await server.contents()
        XCTAssertEqual(Set(contents.transactions.keys), Set(right))
        let seen = await client.store.state.view
        XCTAssertEqual(seen, contents)

        try await client.dismiss(refusals[0])
        let rest = await client.refusals
        XCTAssertEqual(rest, Array(refusals.dropFirst()))
    }

    func testFollowsWhatOthersDoAndTellsWhatIsDoneHere() async throws {
        let server = try startServer()
        let pages = Mutex(0)
        let direct = try server.direct
        let mine = try OfflineClient(
            file: try temporaryFile(),
            address: direct.address,
            token: direct.token,
            send: { request in
                if request.url?.path() == "/changes" { pages.withLock { $0 += 1 } }
                return try await direct.send(request)
            },
            resolve: { _ in .keepMine }
        )
        let theirs = try client(of: server)
        let following = Task { try await mine.follow() }
        let goal = try await theirs.createGoal(title: "Bike", currency: "EUR")
        try await theirs.sync()
        await mine.wait { $0.goals.map(\.goal.title) == ["Bike"] }

        for amount in 1...20 {
            try await theirs.record(.income, amount: "\(amount)", for: goal, date: "2027-01-15")
            try await theirs.sync()
        }
        await mine.wait { $0.goals.first?.saved == 210 }

        try await mine.record(.expense, amount: "10", for: goal, date: "2027-01-15")
        await mine.wait { $0.queue.isEmpty }
        try await theirs.sync()
        let saved = await theirs.goals.first?.saved
        XCTAssertEqual(saved, 200)

        try await theirs.delete(.goal(goal))
        try await theirs.sync()
        await mine.wait { $0.goals.isEmpty }

        // One to begin with, and one before and one after the piece: the rest came as events.
        XCTAssertEqual(pages.withLock { $0 }, 3)
        following.cancel()
        let end = await following.result
        XCTAssertThrowsError(try end.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
    }

    func testReadsEventsByASessionAsWell() async throws {
        let server = try RunningServer()
        let client = try client(of: server)
        try await client.createGoal(title: "Bike", currency: "EUR")
        try await client.sync()
        let request = try server.direct.eventRequest(since: nil)
        var parser = EventParser()
        var pieces = 0
        var events: [Event] = []

        do {
            for try await data in OfflineClient.streamBySession(request) {
                if pieces == 0 { XCTAssertEqual(data, Data()) }
                pieces += 1
                events += parser.read(data)
                // Which ends the stream.
                if !events.isEmpty { try server.stop() }
            }
        } catch is Unreachable {
            // As good an end as any other.
        }

        XCTAssertEqual(events.count, 1)
        XCTAssertTrue(events[0].data.contains("Bike"), events[0].data)
        XCTAssertFalse(events[0].id.isEmpty)
    }

    func testStopsForAPersonWhenTheTokenIsNoLongerGood() async throws {
        let server = try startServer()
        let client = try OfflineClient(
            file: try temporaryFile(),
            address: try address(port: server.port),
            token: "gp_wrong",
            resolve: { _ in .keepMine }
        )
        try await client.createGoal(title: "Bike", currency: "EUR")

        do {
            try await client.sync()
            XCTFail("The token is none")
        } catch let problem as Problem {
            XCTAssertEqual(problem.code, "unauthorized")
        }

        let titles = await client.goals.map(\.goal.title)
        XCTAssertEqual(titles, ["Bike"])
    }
}

/// The conflicts that somebody was asked about.
private actor Asked {
    private(set) var conflicts: [Conflict] = []

    func add(_ conflict: Conflict) {
        conflicts.append(conflict)
    }
}

extension OfflineClient {
    /// Waits until something is so, looking after each change.
    fileprivate func wait(until isSo: @Sendable (isolated OfflineClient) -> Bool) async {
        if isSo(self) { return }
        for await _ in updates where isSo(self) { return }
    }
}
