import HTTP
import XCTest

@testable import API

final class PaginationTests: APITestCase {
    func testFollowsTheLinkFromPageToPage() async throws {
        for number in 1...5 { _ = try await createGoal(#"{"title": "Goal \#(number)"}"#) }

        var target = "/goals?sort=createdAt&limit=2&status=active%2Cpaused&search=go+al%20"
        target = target.replacing("go+al%20", with: "goal+")
        var titles: [[String]] = []
        var links = 0
        while true {
            let page = try await get(target)
            titles.append(try page.items.compactMap { $0["title"]?.text })
            guard let cursor = try page.json["nextCursor"]?.text else {
                XCTAssertNil(page.headers[.link])
                break
            }
            target =
                "/goals?sort=createdAt&limit=2&status=active%2Cpaused&search=goal%20&cursor=\(cursor)"
            XCTAssertEqual(page.headers[.link], "<\(target)>; rel=\"next\"")
            links += 1
        }

        XCTAssertEqual(titles, [["Goal 1", "Goal 2"], ["Goal 3", "Goal 4"], ["Goal 5"]])
        XCTAssertEqual(links, 2)
    }

    func testACursorFitsIntoATargetWhateverTheTitle() async throws {
        // One code point that folds to 18, and an emoji of 41 bytes.
        for character in ["\u{FDFA}", "👩🏻\u{200D}👩🏽\u{200D}👧🏿\u{200D}👦🏼"] {
            let title = String(repeating: character, count: 200)
            for _ in 1...3 { _ = try await createGoal(#"{"title": "\#(title)"}"#) }
        }
        let search = String(repeating: "%D8%B5%20", count: 100)

        for query in ["sort=title&limit=1", "sort=-title&limit=1&search=\(search)"] {
            var seen = 0
            var target: String? = "/goals?\(query)"
            while let next = target {
                XCTAssertLessThan(next.utf8.count, 8_192)
                let page = try await get(next)
                seen += try page.items.count
                target = try page.json["nextCursor"]?.text.map { "/goals?\(query)&cursor=\($0)" }
            }
            XCTAssertEqual(seen, query.contains("search") ? 0 : 6)
        }
    }

    func testACursorDoesNotMindBlanksAroundASearch() async throws {
        for _ in 1...2 { _ = try await createGoal(#"{"title": "Bike"}"#) }
        let page = try await get("/goals?limit=1&search=bike%20")
        let cursor = try XCTUnwrap(page.json["nextCursor"]?.text)

        let next = try await get("/goals?limit=1&search=+bike&cursor=\(cursor)")

        XCTAssertEqual(try next.items.count, 1)
    }

    func testAPageThatIsJustFullIsTheLastOne() async throws {
        let goal = try await createGoal()
        for _ in 1...3 {
            _ = try await record(#"{"transactionType": "income", "amount": 1}"#, in: goal)
        }

        let page = try await get("\(goal)/transactions?limit=3")

        XCTAssertEqual(try page.items.count, 3)
        XCTAssertEqual(try page.json["nextCursor"], .null)
        XCTAssertNil(page.headers[.link])
    }

    func testHasFiftyRowsUnlessAskedForOthers() async throws {
        let goal = try await createGoal()
        for _ in 1...51 {
            _ = try await record(#"{"transactionType": "income", "amount": 1}"#, in: goal)
        }

        let page = try await get("\(goal)/transactions")
        XCTAssertEqual(try page.items.count, 50)
        let larger = try await get("\(goal)/transactions?limit=51")
        XCTAssertEqual(try larger.items.count, 51)
    }

    func testShowsEachTransactionOnceWhateverIsWrittenInBetween() async throws {
        let goal = try await createGoal()
        var standing: Set<String> = []
        for _ in 0..<500 { standing.insert(try await recordSame(in: goal)) }

        for sort in ["date", "-date", "amount", "-amount", "createdAt", "-createdAt"] {
            var seen: [String] = []
            try await forEachPage(of: "\(goal)/transactions?sort=\(sort)&limit=60") { ids in
                seen += ids
                // Another one comes, and the one that the cursor is at goes.
                _ = try await self.recordSame(in: goal)
                if let last = ids.last {
                    try await self.delete("\(goal)/transactions/\(last)")
                    standing.remove(last)
                }
            }
            XCTAssertEqual(Set(seen).count, seen.count, "\(sort): a row twice")
            XCTAssertTrue(standing.isSubset(of: seen), "\(sort): a row left out")
        }
    }

    func testShowsEachGoalOnceWhateverIsWrittenInBetween() async throws {
        var standing: Set<String> = []
        for _ in 0..<500 { standing.insert(String(try await createGoal().suffix(36))) }

        for field in ["createdAt", "updatedAt", "title", "plannedCompletionDate"] {
            for sort in [field, "-" + field] {
                var seen: [String] = []
                try await forEachPage(of: "/goals?sort=\(sort)&limit=60") { ids in
                    seen += ids
                    _ = try await self.createGoal()
                    if let last = ids.last {
                        try await self.delete("/goals/\(last)")
                        standing.remove(last)
                    }
                }
                XCTAssertEqual(Set(seen).count, seen.count, "\(sort): a row twice")
                XCTAssertTrue(standing.isSubset(of: seen), "\(sort): a row left out")
            }
        }
    }

    func testACursorIsOnlyGoodForItsList() async throws {
        let goal = try await createGoal()
        let other = try await createGoal(#"{"title": "Boat"}"#)
        for path in [goal, goal, other, other] { _ = try await recordSame(in: path) }
        let list = "\(goal)/transactions?limit=1"
        let first = try await get("\(list)&from=2027-01-01")
        let cursor = try XCTUnwrap(first.json["nextCursor"]?.text)

        let good = try await get("\(goal)/transactions?from=2027-01-01&cursor=\(cursor)&limit=200")
        XCTAssertEqual(good.status, .ok)
        let others = [
            "\(list)&cursor=\(cursor)", "\(list)&from=2027-01-02&cursor=\(cursor)",
            "\(list)&from=2027-01-01&sort=date&cursor=\(cursor)",
            "\(list)&from=2027-01-01&search=a&cursor=\(cursor)",
            "\(other)/transactions?from=2027-01-01&cursor=\(cursor)", "/goals?cursor=\(cursor)",
            "\(list)&from=2027-01-01&cursor=\(cursor)A", "\(list)&from=2027-01-01&cursor=",
            "\(list)&from=2027-01-01&cursor=\(cursor.dropLast())",
        ]
        for target in others {
            try XCTAssertProblem(
                await get(target),
                .malformedCursor,
                detail: "The cursor does not belong to this list with this sort and these filters.",
                mistakes: [
                    "cursor": "must be a nextCursor of this list, with the same other parameters"
                ]
            )
        }
    }

    /// Follows the cursors of a list to its end, with the ids of each page in turn.
    private func forEachPage(
        of list: String,
        _ body: ([String]) async throws -> Void
    ) async throws {
        var next: String? = ""
        while let cursor = next {
            let page = try await get(list + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            try await body(page.items.compactMap { $0["id"]?.text })
            next = try page.json["nextCursor"]?.text
        }
    }

    /// Records a transaction like all others, and returns its id.
    private func recordSame(in goal: String) async throws -> String {
        let body = #"{"transactionType": "income", "amount": 1, "date": "2027-01-10"}"#
        return String(try await record(body, in: goal).suffix(36))
    }
}
