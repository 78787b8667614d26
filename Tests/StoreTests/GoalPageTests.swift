import Goals
import Store
import XCTest

final class GoalPageTests: XCTestCase {
    func testSortsByEveryField() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        let goals = [
            ("beta", "2027-03-01"), ("Älpha", nil), ("alpha", "2027-02-01"), ("Gamma", nil),
        ]
        for (number, (title, planned)) in goals.enumerated() {
            try await store.create(.test(number + 1, title: title, planned: planned))
            clock.advance(by: 1)
        }
        try await store.record(.test(), in: 1)

        let orders: [(GoalSort, [String])] = [
            (GoalSort(.updatedAt), ["Älpha", "alpha", "Gamma", "beta"]),
            (GoalSort(.updatedAt, descending: true), ["beta", "Gamma", "alpha", "Älpha"]),
            (GoalSort(.createdAt), ["beta", "Älpha", "alpha", "Gamma"]),
            (GoalSort(.createdAt, descending: true), ["Gamma", "alpha", "Älpha", "beta"]),
            (GoalSort(.title), ["Älpha", "alpha", "beta", "Gamma"]),
            (GoalSort(.title, descending: true), ["Gamma", "beta", "alpha", "Älpha"]),
            (GoalSort(.plannedCompletionDate), ["alpha", "beta", "Älpha", "Gamma"]),
            (
                GoalSort(.plannedCompletionDate, descending: true),
                ["beta", "alpha", "Gamma", "Älpha"]
            ),
        ]
        for (sort, titles) in orders {
            XCTAssertEqual(try store.titles(GoalQuery(sort: sort)), titles, "\(sort)")
            var paged: [String] = []
            var query = GoalQuery(sort: sort, limit: 1)
            repeat {
                let page = try store.goals(query, of: .default)
                paged += page.items.map(\.title.text)
                query.after = page.next
            } while query.after != nil
            XCTAssertEqual(paged, titles, "\(sort) page by page")
        }
    }

    func testAPageOfLongTextsEndsEarly() async throws {
        let store = try memoryStore()
        let families = String(repeating: "👩🏻\u{200D}👩🏽\u{200D}👧🏿\u{200D}👦🏼", count: 2_000)
        for number in 1...7 { try await store.create(.test(number, note: families)) }

        var query = GoalQuery(sort: GoalSort(.createdAt), limit: 200)
        var counts: [Int] = []
        repeat {
            let page = try store.goals(query, of: .default)
            counts.append(page.items.count)
            query.after = page.next
        } while query.after != nil

        // 82,000 bytes each, of 262,144.
        XCTAssertEqual(counts, [3, 3, 1])
    }

    func testTellsTheLastPage() async throws {
        let store = try memoryStore()
        for number in 1...2 {
            try await store.create(.test(number))
        }

        XCTAssertNotNil(try store.goals(GoalQuery(limit: 1), of: .default).next)
        XCTAssertNil(try store.goals(GoalQuery(limit: 2), of: .default).next)
    }

    /// Rows that stand throughout come exactly once, whatever happens between two pages.
    func testShowsEveryGoalOnceWhateverComesAndGoes() async throws {
        let fields = GoalSort.Field.allCases
        for sort in fields.flatMap({ [GoalSort($0), GoalSort($0, descending: true)] }) {
            let store = try memoryStore()
            // Equal sort keys, and for the planned date none at all in half of them.
            try await store.write { transaction in
                for number in stride(from: 2, through: 1_000, by: 2) {
                    let planned = number % 4 == 0 ? "2027-06-01" : nil
                    _ = try transaction.create(.test(number, planned: planned), of: .default)
                }
            }
            var seen: [Goal.ID] = []
            var deleted: Set<Goal.ID> = []
            var query = GoalQuery(sort: sort, limit: 7)
            var inserted = 1
            repeat {
                let page = try store.goals(query, of: .default)
                seen += page.items.map(\.id)
                query.after = page.next
                guard let last = page.items.last, let next = page.next else { break }
                // The cursor's own row goes, and new ones come in at both sides of it.
                let (before, after) = (last.id.low - 1, last.id.low + 1)
                let number = inserted
                try await store.write { transaction in
                    try transaction.delete(last.id, if: .none, of: .default)
                    for low in [before, after] {
                        let new = NewGoal.test(number)
                        let goal = NewGoal(
                            id: Goal.ID(high: last.id.high, low: low),
                            title: new.title,
                            note: new.note,
                            currency: new.currency,
                            targetAmount: new.targetAmount,
                            startingAmount: new.startingAmount,
                            plannedCompletionDate: last.plannedCompletionDate
                        )
                        _ = try transaction.create(goal, of: .default)
                    }
                }
                XCTAssertEqual(next.low, last.id.low)
                deleted.insert(last.id)
                inserted += 2
            } while query.after != nil

            XCTAssertEqual(Set(seen).count, seen.count, "\(sort): a goal came twice")
            let standing = stride(from: 2, through: 1_000, by: 2)
                .map { Goal.ID.number($0) }
                .filter { !deleted.contains($0) }
            XCTAssertTrue(Set(seen).isSuperset(of: standing), "\(sort): a goal was left out")
        }
    }

    func testShowsOnlyWhatMeetsAllConditions() async throws {
        let store = try memoryStore()
        try await store.create(.test(1, title: "A"))
        try await store.create(.test(2, title: "B", currency: "EUR"))
        try await store.create(.test(3, title: "C", note: "ab", currency: "EUR"))
        try await store.create(.test(4, title: "D", currency: "EUR"))
        try await store.change(GoalChanges(status: .set(.paused)), of: 2)
        try await store.change(GoalChanges(status: .set(.archived)), of: 4)
        let sort = GoalSort(.title)

        let cases: [(GoalQuery, [String])] = [
            (GoalQuery(statuses: [.active], sort: sort), ["A", "C"]),
            (GoalQuery(statuses: [.paused, .archived], sort: sort), ["B", "D"]),
            (GoalQuery(statuses: [.completed], sort: sort), []),
            (GoalQuery(currency: .of("EUR"), sort: sort), ["B", "C", "D"]),
            (GoalQuery(search: "b", sort: sort), ["B", "C"]),
            (GoalQuery(search: "  \t ", sort: sort), ["A", "B", "C", "D"]),
            (
                GoalQuery(statuses: [.paused], search: "b", currency: .of("EUR"), sort: sort),
                ["B"]
            ),
        ]
        for (query, titles) in cases {
            XCTAssertEqual(try store.titles(query), titles, "\(query)")
        }
    }

    func testSearchMindsNoCaseAccentWidthOrComposition() async throws {
        let store = try memoryStore()
        let titles = [
            "Über die Alpen", "Cafe\u{301} bauen", "Отпуск", "100% sicher", "a_b", "c\\d", "ｆｕｌｌ",
        ]
        for (number, title) in titles.enumerated() {
            try await store.create(.test(number + 1, title: title))
        }

        let cases: [(String, [String])] = [
            ("uber", ["Über die Alpen"]),
            ("ÜBER", ["Über die Alpen"]),
            ("U\u{308}ber", ["Über die Alpen"]),
            ("  über  ", ["Über die Alpen"]),
            ("über  die", ["Über die Alpen"]),
            ("café", ["Café bauen"]),
            ("отпуск", ["Отпуск"]),
            ("%", ["100% sicher"]),
            ("_", ["a_b"]),
            ("\\", ["c\\d"]),
            ("full", ["ｆｕｌｌ"]),
            ("'; DROP TABLE goals; --", []),
        ]
        for (term, found) in cases {
            XCTAssertEqual(try store.titles(GoalQuery(search: term)), found, term)
        }
    }

    func testSearchFollowsAnEdit() async throws {
        let store = try memoryStore()
        try await store.create(.test(title: "Trip"))
        try await store.change(
            GoalChanges(title: .set(.of("Voyage")), note: .set(.of("Überall")))
        )

        XCTAssertEqual(try store.titles(GoalQuery(search: "trip")), [])
        XCTAssertEqual(try store.titles(GoalQuery(search: "voyage")), ["Voyage"])
        XCTAssertEqual(try store.titles(GoalQuery(search: "uberall")), ["Voyage"])
    }

    func testTellsQueriesThatAnIndexServes() {
        XCTAssertTrue(GoalQuery().isBounded)
        XCTAssertTrue(GoalQuery(search: " ", sort: GoalSort(.title)).isBounded)
        XCTAssertFalse(GoalQuery(search: "a").isBounded)
        XCTAssertFalse(GoalQuery(statuses: [.active]).isBounded)
        XCTAssertFalse(GoalQuery(currency: .of("EUR")).isBounded)
    }
}
