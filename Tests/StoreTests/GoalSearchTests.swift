import Goals
import SQLite
import TestRandom
import XCTest

@testable import Store

/// A search by the index finds what going along all goals finds.
final class GoalSearchTests: XCTestCase {
    func testFindsWhatTextsContainWhateverTheirScript() async throws {
        var random = SplitMix64(seed: 20_261_130)
        let store = try memoryStore()
        let texts = (0..<400).map { _ in Text.random(&random) }
        try await store.write { transaction in
            for (number, text) in texts.enumerated() {
                _ = try transaction.create(
                    .test(number, title: text.title, note: text.note),
                    of: .default
                )
            }
        }
        // Some are edited, some go, and some of those that stay are not indexed yet.
        for number in stride(from: 0, to: 400, by: 7) {
            let text = Text.random(&random)
            try await store.change(
                GoalChanges(title: .set(.of(text.title)), note: .set(.of(text.note))),
                of: number
            )
        }
        for number in stride(from: 3, to: 400, by: 11) { try await store.delete(number) }
        let query = GoalQuery(sort: GoalSort(.createdAt), limit: 1_000)
        let goals = try store.goals(query, of: .default).items.map { goal in
            (
                id: goal.id,
                title: TextFolding.fold(goal.title.text),
                note: TextFolding.fold(goal.note.text)
            )
        }

        var hits = 0
        for _ in 0..<300 {
            let term = Text.random(&random).part(&random)
            guard let folded = SearchTerm(term)?.folded else { continue }
            let expected = goals.filter {
                $0.title.containsBytes(of: folded) || $0.note.containsBytes(of: folded)
            }
            var search = query
            search.search = term
            let found = try store.goals(search, of: .default).items
            XCTAssertEqual(found.map(\.id), expected.map(\.id), "\(term.debugDescription)")
            hits += expected.count
        }
        XCTAssertGreaterThan(hits, 500)
    }

    func testHasTheSamePagesInEveryOrderAndFilter() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        for number in 0..<150 {
            try await store.create(
                .test(
                    number,
                    title: ["Äpfel", "apfel", "Birne"][number % 3] + " \(number % 5)",
                    note: number.isMultiple(of: 2) ? "für den Ausflug" : "",
                    currency: number.isMultiple(of: 4) ? "EUR" : "USD",
                    planned: number.isMultiple(of: 3) ? nil : "2027-0\(number % 9 + 1)-01"
                )
            )
            clock.advance(by: Int64(number % 2))
        }
        for number in stride(from: 0, to: 150, by: 6) {
            try await store.change(GoalChanges(status: .set(.paused)), of: number)
            clock.advance(by: 1)
        }
        let texts = try store.goals(GoalQuery(limit: 1_000), of: .default).items.reduce(into: [:]) {
            $0[$1.id] = [$1.title.text, $1.note.text].map(TextFolding.fold)
        }
        let filters = [
            GoalQuery(search: "apfel"),
            GoalQuery(search: "AUSFLUG"),
            GoalQuery(statuses: [.paused], search: "apfel"),
            GoalQuery(search: "apfel 3", currency: .of("EUR")),
            GoalQuery(search: "kirsche"),
        ]
        let orders = GoalSort.Field.allCases.flatMap {
            [GoalSort($0), GoalSort($0, descending: true)]
        }
        for filter in filters {
            for order in orders {
                var query = filter
                query.sort = order
                query.limit = 1_000
                let term = try XCTUnwrap(SearchTerm(query.search)?.folded)
                var all = query
                all.search = nil
                let expected = try store.goals(all, of: .default).items.filter { goal in
                    texts[goal.id]?.contains { $0.containsBytes(of: term) } ?? false
                }
                var paged: [Goal.ID] = []
                query.limit = 7
                repeat {
                    let page = try store.goals(query, of: .default)
                    paged += page.items.map(\.id)
                    query.after = page.next
                } while query.after != nil
                XCTAssertEqual(paged, expected.map(\.id), "\(filter) \(order)")
            }
        }
    }

    func testGoesAlongTheOrderForWhatManyHaveAndForShortTerms() async throws {
        let store = try memoryStore()
        try await store.write { transaction in
            for number in 1...4_100 {
                _ = try transaction.create(.test(number, title: "Trip \(number)"), of: .default)
            }
        }

        let matches = try store.writer.read { database in
            try ["trip", "tr", "trip 77", "nowhere"].map { term in
                try SearchTerm(term).map { try database.match(for: $0, of: .default) != nil }
            }
        }

        XCTAssertEqual(matches, [false, false, true, true])
        XCTAssertEqual(try store.titles(GoalQuery(search: "trip 4100")), ["Trip 4100"])
        XCTAssertEqual(try store.titles(GoalQuery(search: "trip", limit: 2)).count, 2)
    }

    func testLooksAtNothingThatAnotherAccountHas() async throws {
        let path = try temporaryFolder() + "/goals.sqlite"
        do {
            let book = try AccountBook(
                ofFileAt: path,
                now: { TestClock().now },
                notice: { XCTFail($0) }
            )
            try book.change { try $0.addAccount(.of("Anna")) }
        }
        let store = try fileStore(path)
        defer { store.close() }
        let anna = AccountID(rawValue: 2)
        try await store.write { transaction in
            for number in 1...5_000 {
                _ = try transaction.create(.test(number, title: "Trip \(number)"), of: .default)
            }
            for number in 1...70 {
                _ = try transaction.create(.test(number, title: "Trip"), of: anna)
            }
        }

        XCTAssertEqual(
            try store.goals(GoalQuery(search: "trip", limit: 1_000), of: anna).items.count,
            70
        )
        // The other's five thousand would be too many.
        let candidates = try store.read { database in
            try SearchTerm("trip").map { try database.match(for: $0, of: anna) != nil }
        }
        XCTAssertEqual(candidates, true)
    }

    func testNumbersGoOnBehindTheMarkAfterTheLastGoalsAreGone() async throws {
        let store = try memoryStore()
        for number in 1...64 { try await store.create(.test(number, title: "Trip \(number)")) }
        for number in 1...64 { try await store.delete(number) }
        for number in 65...200 { try await store.create(.test(number, title: "Trip \(number)")) }

        XCTAssertEqual(try store.titles(GoalQuery(search: "trip 13")).count, 10)
    }

    func testAnUpgradeIndexesTheGoalsOfAllAccounts() throws {
        let database = try Database(at: ":memory:", mode: .create)
        try Schema.migrate(database, to: 4)
        try database.runScript(
            """
            INSERT INTO accounts (id, name) VALUES (2, 'Anna');

            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2500)
            INSERT INTO goals (
                account, id, revision, created_at, updated_at, saved_amount, transaction_count,
                status, currency, starting_amount, creation, title, title_search, note,
                note_search, sequence
            )
            SELECT 1 + n % 2, CAST(printf('%016x', n) AS BLOB), 2, 0, 0, 0, 0, 'active', 'USD', 0, 0,
                'Trip ' || n, 'trip ' || n, '', '', n
            FROM n;
            """
        )

        try Schema.migrate(database)

        let numbers = try database.row(
            """
            SELECT min(number), max(number), count(DISTINCT number), indexed_number
            FROM goals, store
            """
        ) { row in try (0..<4).map { try row[$0] as Int } }
        XCTAssertEqual(numbers, [1, 2_500, 2_500, 2_500])
        var examination = Examination(database)
        try examination.examineSearch()
        XCTAssertEqual(examination.findings, [])
    }

    /// The words are in people's files.
    func testPartsHaveTheFormOfReleasedFiles() {
        let grams = SearchGrams(of: "abcd", "éa", "bcd", "é", "")
        let account = AccountID(rawValue: 33)

        XCTAssertEqual(grams.words(of: account), "1162oj3 1164or4 11c7ab1 ")
        XCTAssertEqual(
            SearchGrams(ofTerm: "abcd")?.match(of: account),
            "\"1162oj3\" \"1164or4\" "
        )
        XCTAssertNil(SearchGrams(ofTerm: "é"))
    }

    func testIndexesAGoalOfLongTextsAtOnce() async throws {
        let store = try memoryStore()
        try await store.create(.test(1, title: "Boat"))
        let bricks = String(repeating: "brick ", count: 300)
        try await store.create(.test(2, title: "House", note: bricks))
        try await store.create(.test(3, title: "Trip"))

        XCTAssertEqual(try indexed(store), [1, 2])
        for title in ["Boat", "House", "Trip"] {
            XCTAssertEqual(try store.titles(GoalQuery(search: title)), [title])
        }
    }

    func testIndexesAGoalThatGetsLongTextsAtOnce() async throws {
        let store = try memoryStore()
        for number in 1...3 { try await store.create(.test(number, title: "Trip \(number)")) }

        let note = String(repeating: "w", count: 1_021) + "ish"
        try await store.change(GoalChanges(note: .set(.of(note))), of: 2)

        XCTAssertEqual(try indexed(store), [1, 2, 3])
        XCTAssertEqual(try store.titles(GoalQuery(search: "wish")), ["Trip 2"])
        XCTAssertEqual(try store.titles(GoalQuery(search: "trip")).count, 3)
        XCTAssertEqual(try store.writer.read { try DataCheck(of: $0) }.findings, [])
    }

    func testAnEditThatChangesNoTextLeavesTheIndexAlone() async throws {
        let store = try memoryStore()
        for number in 1...64 { try await store.create(.test(number, title: "Trip \(number)")) }
        let before = try segments(store)

        try await store.change(
            GoalChanges(title: .set(.of("TRIP 1")), targetAmount: .set(Money(minorUnits: 7)))
        )
        try await store.record(.test())

        XCTAssertEqual(try segments(store), before)
    }

    func testFollowsCommandsThatAreUndone() async throws {
        let store = try memoryStore()
        for number in 1...64 { try await store.create(.test(number, title: "Trip \(number)")) }

        // It has written when it fails, so that the transaction is run again with savepoints.
        struct Failure: Error {}
        async let undone: Void = store.write { transaction in
            _ = try transaction.update(
                .number(1),
                with: GoalChanges(title: .set(.of("Voyage"))),
                if: .none,
                of: .default
            )
            throw Failure()
        }
        async let kept = store.change(GoalChanges(title: .set(.of("Journey"))), of: 2)
        _ = try await kept
        do {
            try await undone
            XCTFail("Nothing was thrown.")
        } catch is Failure {}

        XCTAssertEqual(try store.titles(GoalQuery(search: "voyage")), [])
        XCTAssertEqual(try store.titles(GoalQuery(search: "journey")), ["Journey"])
        XCTAssertEqual(try store.titles(GoalQuery(search: "trip 1", limit: 1)).count, 1)
        XCTAssertEqual(try store.writer.read { try DataCheck(of: $0).findings }, [])
    }

    /// The numbers of the goals that the index has.
    private func indexed(_ store: GoalStore) throws -> [Int] {
        try store.writer.read { database in
            try database.rows("SELECT DISTINCT doc FROM goal_search_grams ORDER BY doc") { row in
                try row[0] as Int
            }
        }
    }

    private func segments(_ store: GoalStore) throws -> [[UInt8]] {
        try store.writer.read { database in
            try database.rows("SELECT block FROM goal_search_data ORDER BY id") { row in
                try row[0] as [UInt8]
            }
        }
    }
}

/// Texts that people and machines write, of the parts that search has to see alike.
private struct Text {
    let title: String
    let note: String

    private static let parts = [
        "Reise", "REISE", "rei", "Über", "u\u{308}ber", "straße", "STRASSE", "ﬁnal", "İstanbul",
        "ıssız",
        "Отпуск", "отпуск", "旅行", "旅", "日本へ", "ｶﾞｯｺｳ", "ガッコウ", "여행", "여", "رحلة", "יוֹם",
        "ΣΊΣΥΦΟΣ", "σίσυφος", "👩🏽\u{200D}🚀", "🚲", "e\u{301}e", "ee", "100%", "a_b", "\"q\"", "'x'",
        "*",
        "AND", "OR", "NOT", "NEAR(", "-1", "^a", "{", "grams:", "\\", "𝔊𝔬𝔞𝔩", "½", "ก่อน", "हिन्दी", "a",
        "aa", "aaa", "aaaa",
    ]

    static func random(_ random: inout SplitMix64) -> Text {
        func line(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random))
                .map { _ in parts.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? " " : "")
        }
        return Text(title: line(1...3), note: line(0...6))
    }

    /// A stretch of it, which may begin and end within a character.
    func part(_ random: inout SplitMix64) -> String {
        let scalars = Array((Bool.random(using: &random) ? title : note).unicodeScalars)
        guard !scalars.isEmpty else { return "" }
        let start = Int.random(in: scalars.indices, using: &random)
        let end = min(start + Int.random(in: 1...9, using: &random), scalars.count)
        return String(String.UnicodeScalarView(scalars[start..<end]))
    }
}

extension String {
    /// Whether the bytes of another text are somewhere among those of this one, as `instr` has it.
    fileprivate func containsBytes(of part: String) -> Bool {
        var rest = utf8[...]
        while rest.count >= part.utf8.count {
            if rest.starts(with: part.utf8) { return true }
            rest.removeFirst()
        }
        return false
    }
}
