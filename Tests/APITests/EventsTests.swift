import Goals
import HTTP
import Store
import Synchronization
import XCTest

@testable import API

/// `GET /events`, asked of the application itself: what it sends over a socket, the server's own tests
/// show.
final class EventsTests: APITestCase {
    func testSendsWhatIsThereAndThenWhatChanges() async throws {
        let goal = try await createGoal()
        let follower = try follow()
        defer { follower.stream.close() }

        XCTAssertEqual(follower.head.status, .ok)
        XCTAssertEqual(follower.head.headers[.contentType], "text/event-stream")
        XCTAssertEqual(follower.head.headers[.cacheControl], "no-store")
        XCTAssertEqual(follower.head.text, "retry: 2000\n\n")
        XCTAssertEqual(follower.stream.heartbeat, Array(":\n\n".utf8))
        let first = follower.events()
        let shown = try await get("/changes").json["changes"]?.items
        XCTAssertEqual(try first.map { try $0.json }, shown)
        XCTAssertEqual(follower.wakes, 0)

        _ = try await record(#"{"transactionType": "income", "amount": 5}"#, in: goal)

        XCTAssertEqual(follower.wakes, 1)
        let second = follower.events()
        let since = try XCTUnwrap(first.last?.id)
        let changes = try await get("/changes?since=\(since)").json["changes"]?.items
        XCTAssertEqual(try second.map { try $0.json }, changes)
        XCTAssertEqual(try second.map { try $0.json["type"]?.text }, ["transaction", "goal"])
    }

    func testGoesOnWhereAClientWasCutOff() async throws {
        for _ in 1...4 { _ = try await createGoal() }
        let all = try follow().events()

        for (index, event) in all.enumerated() {
            let rest = Array(all[(index + 1)...]).map(\.data)
            XCTAssertEqual(try follow(since: event.id).events().map(\.data), rest)
            XCTAssertEqual(try follow(lastEvent: event.id).events().map(\.data), rest)
        }
        // The field comes before the parameter, which a browser cannot change.
        let last = try follow(since: all[0].id, lastEvent: all[2].id).events()
        XCTAssertEqual(last.map(\.data), [all[3].data])
        let fromStart = try follow(lastEvent: "").events()
        XCTAssertEqual(fromStart.map(\.data), all.map(\.data))
    }

    func testTheIDOfAnEventIsAPlaceForChangesAndTheOtherWayAround() async throws {
        for _ in 1...3 { _ = try await createGoal() }
        let page = try await get("/changes?limit=1")
        let next = try XCTUnwrap(try page.json["next"]?.text)

        let rest = try follow(since: next).events()

        XCTAssertEqual(rest.count, 2)
        let last = try await get("/changes?since=\(rest[0].id)").json
        XCTAssertEqual(last["changes"]?.items, [try rest[1].json])
    }

    func testSendsNoMoreAtOnceThanThereIsRoomFor() async throws {
        for _ in 1...10 { _ = try await createGoal() }
        let follower = try follow()

        guard case .bytes(let bytes) = follower.stream.next(room: 1) else {
            return XCTFail("There are changes to send")
        }

        XCTAssertEqual(Event.read(bytes).count, 1)
        XCTAssertEqual(follower.events().count, 9)
    }

    func testAsksForANewStartWhenADeletionIsForgotten() async throws {
        let goal = try await createGoal()
        let since = try XCTUnwrap(try follow().events().last?.id)
        try await delete(goal)
        clock.moment = clock.moment.adding(milliseconds: 1)
        try await store.forgetExpired(at: clock.moment, deletionsBefore: clock.moment)

        let piece = try follow(since: since).stream.next(room: 1_000)

        XCTAssertEqual(piece, .end(Array("event: resync\nid:\ndata: {}\n\n".utf8)))
    }

    func testWakesNobodyWhoHasLeft() async throws {
        let follower = try follow()
        let other = try follow()
        follower.stream.close()

        _ = try await createGoal()

        XCTAssertEqual([follower.wakes, other.wakes], [0, 1])
        other.stream.close()
    }

    func testEndsForWhoMayNoLongerAsk() async throws {
        let follower = try follow()
        defer { follower.stream.close() }
        _ = try await createGoal()
        XCTAssertEqual(follower.events().count, 1)

        let name = try XCTUnwrap(Label("default"))
        try await store.changeAccess { try $0.setDisabled(true, name) }
        let goal = try XCTUnwrap(Goal.ID("01990000-0000-7000-8000-000000000001"))
        try await store.write { transaction in
            _ = try transaction.create(
                NewGoal(
                    id: goal,
                    title: try XCTUnwrap(Title("Boat")),
                    currency: currency("USD")
                ),
                of: .default
            )
        }

        XCTAssertEqual(follower.stream.next(room: 1_000), .end([]))
    }

    func testRefusesAPlaceThatIsNone() async throws {
        for target in ["/events?since=x", "/events?since="] {
            try XCTAssertProblem(
                try await get(target),
                .malformedCursor,
                mistakes: ["since": "must be a \"next\" of /changes or an id of /events"]
            )
        }
        try XCTAssertProblem(
            try await get("/events", headers: [.lastEventID: "x"]),
            .malformedCursor,
            mistakes: ["Last-Event-ID": "must be a \"next\" of /changes or an id of /events"]
        )
    }

    private func follow(since: String? = nil, lastEvent: String? = nil) throws -> Follower {
        var headers: HeaderFields = [:]
        if let lastEvent { headers.append(lastEvent, for: .lastEventID) }
        let request = Request(
            .get,
            "/events" + (since.map { "?since=\($0)" } ?? ""),
            headers: headers
        )
        guard case .streamed(let head, let stream) = application.respond(to: request) else {
            throw NoStream()
        }
        return Follower(head: head, stream: stream)
    }

    private struct NoStream: Error {}
}

/// A client that reads all there is when it is asked to.
private final class Follower: Sendable {
    let head: Response
    let stream: any ResponseStream
    private let wakeCount = Mutex(0)

    init(head: Response, stream: any ResponseStream) {
        self.head = head
        self.stream = stream
        stream.start { [self] in wakeCount.withLock { $0 += 1 } }
    }

    var wakes: Int { wakeCount.withLock { $0 } }

    func events() -> [Event] {
        var bytes: [UInt8] = []
        while case .bytes(let piece) = stream.next(room: 4_096) { bytes += piece }
        return Event.read(bytes)
    }
}

private struct Event: Hashable {
    let id: String
    let data: String

    var json: JSONTree {
        get throws { try JSONTree(json: Array(data.utf8)) }
    }

    /// Reads events, which must be in the form that the standard has for them.
    static func read(_ bytes: [UInt8]) -> [Event] {
        let text = String(decoding: bytes, as: UTF8.self)
        XCTAssertTrue(text.isEmpty || text.hasSuffix("\n\n"), text)
        return text.split(separator: "\n\n").map { event in
            let lines = event.split(separator: "\n")
            XCTAssertEqual(lines.count, 2, text)
            XCTAssertTrue(lines[0].hasPrefix("id: ") && lines[1].hasPrefix("data: "), text)
            return Event(id: String(lines[0].dropFirst(4)), data: String(lines[1].dropFirst(6)))
        }
    }
}
