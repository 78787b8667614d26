import Goals
import HTTP
import Store
import XCTest

@testable import API

/// `GET /changes`.
final class ChangesTests: APITestCase {
    func testShowsEachThingOnceAsItIsNow() async throws {
        let goal = try await createGoal()
        let kept = try await record(#"{"transactionType": "income", "amount": 5}"#, in: goal)
        let gone = try await record(#"{"transactionType": "income", "amount": 7}"#, in: goal)
        try await delete(gone)
        let other = try await createGoal()
        try await delete(other)

        let page = try await get("/changes")
        let (keptNow, goalNow) = (try await get(kept).json, try await get(goal).json)

        XCTAssertEqual(page.status, .ok)
        XCTAssertEqual(
            try page.json["changes"],
            .array([
                .object([
                    "type": .string("transaction"), "id": .string(id(kept)),
                    "goalId": .string(id(goal)), "revision": .number(1), "deleted": .bool(false),
                    "transaction": keptNow,
                ]),
                .object([
                    "type": .string("transaction"), "id": .string(id(gone)),
                    "goalId": .string(id(goal)), "revision": .number(2), "deleted": .bool(true),
                ]),
                .object([
                    "type": .string("goal"), "id": .string(id(goal)), "revision": .number(4),
                    "deleted": .bool(false), "goal": goalNow,
                ]),
                .object([
                    "type": .string("goal"), "id": .string(id(other)), "revision": .number(2),
                    "deleted": .bool(true),
                ]),
            ])
        )
        XCTAssertEqual(try page.json["hasMore"], .bool(false))
        XCTAssertNil(page.headers[.link])

        let next = try XCTUnwrap(try page.json["next"]?.text)
        let rest = try await get("/changes?since=\(next)")
        XCTAssertEqual(try rest.json["changes"], .array([]))
        XCTAssertEqual(try rest.json["next"], .string(next))
    }

    func testGoesOnFromPageToPageByLinkOrByToken() async throws {
        for _ in 1...5 { _ = try await createGoal() }

        var target: String? = "/changes?limit=2"
        var ids: [String?] = []
        while let page = target {
            let response = try await get(page)
            ids += (try response.json["changes"]?.items ?? []).map { $0["id"]?.text }
            let link = response.headers[.link]
            XCTAssertEqual(try response.json["hasMore"], .bool(link != nil))
            target = link.map { String($0.dropFirst().prefix { $0 != ">" }) }
        }

        let goals = try await get("/goals?sort=createdAt").json["items"]?.items ?? []
        XCTAssertEqual(ids, goals.map { $0["id"]?.text })
        XCTAssertEqual(Set(ids).count, 5)
    }

    func testAsksForANewStartWhenADeletionIsForgotten() async throws {
        let goal = try await createGoal()
        let since = try await latest()
        try await delete(goal)
        clock.moment = clock.moment.adding(milliseconds: 1)
        try await store.forgetExpired(at: clock.moment, deletionsBefore: clock.moment)

        try XCTAssertProblem(
            try await get("/changes?since=\(since)"),
            .resyncRequired,
            detail:
                "What has changed since then can no longer be told. Drop what you have, and read "
                + #"from the start: without "since"."#
        )
        let changes = try await get("/changes").json["changes"]
        XCTAssertEqual(changes, .array([]))
        let status = try await get(goal).status
        XCTAssertEqual(status, .notFound)
    }

    func testRefusesATokenThatIsNone() async throws {
        let next = try await latest()
        let changed = (next.first == "A" ? "B" : "A") + next.dropFirst()
        for since in ["", "x", changed, next + "A", String(next.dropLast()), "1"] {
            try XCTAssertProblem(
                try await get("/changes?since=\(since)"),
                .malformedCursor,
                detail: "since is no place in the order of this account's changes.",
                mistakes: ["since": "must be a \"next\" of /changes or an id of /events"]
            )
        }
        try XCTAssertProblem(
            try await get("/changes?limit=0&since="),
            .malformedQuery,
            mistakes: ["limit": "must be a whole number from 1 to 200"]
        )
    }

    func testSeesABatchAsWhatItChanged() async throws {
        let goal = try await createGoal()
        let since = try await latest()
        try await post(
            "/batch",
            #"""
            {"commands": [
                {"method": "PATCH", "path": "\#(goal)", "body": {"note": "a"}},
                {"method": "POST", "path": "\#(goal)/transactions",
                    "body": {"transactionType": "income", "amount": 1}},
                {"method": "PATCH", "path": "\#(goal)", "body": {"note": "b"}}
            ]}
            """#
        )

        let changes = try await get("/changes?since=\(since)").json["changes"]?.items ?? []

        XCTAssertEqual(changes.map { $0["type"]?.text }, ["transaction", "goal"])
        XCTAssertEqual(changes.last?["goal"]?["note"], .string("b"))
        XCTAssertEqual(changes.last?["revision"], .number(4))
    }

    /// The place after all that has changed.
    private func latest() async throws -> String {
        let page = try await get("/changes").json
        return try XCTUnwrap(page["next"]?.text)
    }

    private func id(_ path: String) -> String {
        String(path.suffix(36))
    }
}
