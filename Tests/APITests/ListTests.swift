import HTTP
import XCTest

@testable import API

/// Conditions, sorting and mistakes of both lists.
final class ListTests: APITestCase {
    // MARK: - Goals

    func testListsWhatIsThere() async throws {
        let goal = try await createGoal()

        let response = try await get("/goals")

        let shown = try await get(goal)
        XCTAssertEqual(response.text, #"{"items":[\#(shown.text)],"nextCursor":null}"#)
        XCTAssertEqual(response.headers[.contentType], "application/json")
        XCTAssertNil(response.headers[.link])
    }

    func testAnEmptyListIsAList() async throws {
        let goals = try await get("/goals")
        XCTAssertEqual(goals.status, .ok)
        XCTAssertEqual(goals.text, #"{"items":[],"nextCursor":null}"#)
        let transactions = try await get("\(createGoal())/transactions")
        XCTAssertEqual(transactions.status, .ok)
        XCTAssertEqual(transactions.text, #"{"items":[],"nextCursor":null}"#)
    }

    func testFindsGoalsByTheirConditions() async throws {
        _ = try await createGoal(
            #"{"title": "Über-Fahrrad", "currency": "EUR", "note": "100% rot"}"#
        )
        let vacation = try await createGoal(#"{"title": "Отпуск", "currency": "RUB"}"#)
        let boat = try await createGoal(#"{"title": "Boat", "currency": "EUR", "note": "ＡＢＣ_x"}"#)
        try await patch(vacation, #"{"status": "paused"}"#)
        try await patch(boat, #"{"status": "archived"}"#)

        let cases: [(String, Set<String>)] = [
            ("", ["Über-Fahrrad", "Отпуск", "Boat"]),
            ("status=active", ["Über-Fahrrad"]),
            ("status=paused,archived", ["Отпуск", "Boat"]),
            ("status=completed", []),
            ("currency=EUR", ["Über-Fahrrad", "Boat"]),
            ("currency=EUR&status=archived", ["Boat"]),
            ("search=uber", ["Über-Fahrrad"]),
            ("search=U%CC%88BER", ["Über-Fahrrad"]),
            ("search=%D0%BE%D1%82%D0%BF%D1%83%D1%81%D0%BA", ["Отпуск"]),
            ("search=abc", ["Boat"]),
            ("search=%25", ["Über-Fahrrad"]),
            ("search=_", ["Boat"]),
            ("search=%5C", []),
            ("search=+uber++", ["Über-Fahrrad"]),
            ("search=", ["Über-Fahrrad", "Отпуск", "Boat"]),
            ("search=+", ["Über-Fahrrad", "Отпуск", "Boat"]),
            ("search=b&currency=EUR&status=active", ["Über-Fahrrad"]),
        ]
        for (query, expected) in cases {
            let response = try await get("/goals?\(query)")
            XCTAssertEqual(
                try Set(response.items.compactMap { $0["title"]?.text }),
                expected,
                query
            )
        }
    }

    func testSortsGoals() async throws {
        let goals: [(title: String, day: String)] = [
            ("b", "\"2027-06-01\""), ("A", "null"), ("ä", "\"2027-05-01\""), ("c", "null"),
        ]
        for (title, day) in goals {
            clock.advance(byMilliseconds: 1_000)
            _ = try await createGoal(#"{"title": "\#(title)", "plannedCompletionDate": \#(day)}"#)
        }
        clock.advance(byMilliseconds: 1_000)
        let first = try await get("/goals?sort=createdAt").items.first?["id"]?.text
        try await patch("/goals/\(first ?? "")", #"{"note": "x"}"#)

        let cases = [
            ("createdAt", "bAäc"), ("-createdAt", "cäAb"), ("updatedAt", "Aäcb"),
            ("-updatedAt", "bcäA"),
        ]
        for (sort, expected) in cases {
            let response = try await get("/goals?sort=\(sort)")
            XCTAssertEqual(try response.titles, expected, sort)
        }
        let unsorted = try await get("/goals")
        XCTAssertEqual(try unsorted.titles, "bcäA")
        let byDay = try await get("/goals?sort=plannedCompletionDate")
        XCTAssertEqual(try byDay.titles.prefix(2), "äb")
        let byLatestDay = try await get("/goals?sort=-plannedCompletionDate")
        XCTAssertEqual(try byLatestDay.titles.prefix(2), "bä")
        let byTitle = try await get("/goals?sort=title")
        XCTAssertEqual(try byTitle.titles.suffix(2), "bc")
        let byLastTitle = try await get("/goals?sort=-title")
        XCTAssertEqual(try byLastTitle.titles.prefix(2), "cb")
    }

    func testNamesEveryMistakeOfAQueryForGoals() async throws {
        try XCTAssertProblem(
            await get(
                "/goals?status=active,done&currency=eur&sort=amount&limit=201&cursor=x&colour=red"
            ),
            .malformedQuery,
            mistakes: [
                "status": #"must be one or more of "active", "paused", "completed" or "#
                    + #""archived", with commas between them"#,
                "currency": #"must be a currency's code in ISO 4217, such as "EUR""#,
                "sort": #"must be one of "createdAt", "plannedCompletionDate", "title", "#
                    + #""updatedAt", or one of these after a hyphen for the other direction"#,
                "limit": "must be a whole number from 1 to 200",
                "colour": "is not a parameter of this resource",
            ]
        )
        for limit in ["", "0", "-1", "201", "1.0", "+1", "0x1", "99999999999999999999", "１"] {
            let escaped = limit == "１" ? "%EF%BC%91" : limit.replacing("+", with: "%2B")
            let response = try await get("/goals?limit=\(escaped)")
            XCTAssertEqual(response.status, .badRequest, limit)
            XCTAssertEqual(try response.pointers, ["limit"], limit)
        }
        for status in ["", ",", "active,", "Active"] {
            let response = try await get("/goals?status=\(status)")
            XCTAssertEqual(try response.pointers, ["status"], status)
        }
    }

    // MARK: - Transactions

    func testFindsTransactionsByTheirConditions() async throws {
        let goal = try await createGoal()
        let other = try await createGoal(#"{"title": "Boat"}"#)
        _ = try await record(#"{"transactionType": "income", "amount": 9}"#, in: other)
        let members = [
            #""transactionType": "income", "amount": 1, "date": "2027-01-01", "category": "Pay""#,
            #""transactionType": "income", "amount": 2, "date": "2027-01-31", "note": "Café""#,
            #""transactionType": "expense", "amount": 3, "date": "2027-02-01", "category": "pay""#,
            #""transactionType": "expense", "amount": 4, "date": "2026-12-31", "category": "rent""#,
        ]
        for text in members { _ = try await record("{\(text)}", in: goal) }

        let cases: [(String, String)] = [
            ("sort=amount", "1234"), ("sort=-amount", "4321"), ("sort=date", "4123"),
            ("", "3214"), ("sort=createdAt", "1234"), ("sort=-createdAt", "4321"),
            ("transactionType=income&sort=amount", "12"), ("transactionType=expense", "34"),
            ("category=pay", "3"), ("category=Pay", "1"), ("category=", "2"), ("category=x", ""),
            ("from=2027-01-01&to=2027-01-31", "21"), ("from=2027-02-01", "3"),
            ("to=2026-12-31", "4"), ("from=2027-01-31&to=2027-01-31", "2"),
            ("search=cafe", "2"), ("search=PAY", "31"), ("search=e", "24"),
            ("search=pay&transactionType=income", "1"),
        ]
        for (query, expected) in cases {
            // Those of one moment come in the order of their ids, which are made in a row.
            let response = try await get("\(goal)/transactions?\(query)")
            XCTAssertEqual(
                try response.items.compactMap { $0["amount"]?.text?.first.map(String.init) }
                    .joined(),
                expected,
                query
            )
        }
    }

    func testNamesEveryMistakeOfAQueryForTransactions() async throws {
        let goal = try await createGoal()

        try XCTAssertProblem(
            await get(
                "\(goal)/transactions?transactionType=gift&category=%07&from=2027-02-29"
                    + "&to=20270101&sort=title&limit=x&status=active"
            ),
            .malformedQuery,
            mistakes: [
                "transactionType": #"must be "income" or "expense""#,
                "category": "must be a category of at most 100 characters, or empty for what has "
                    + "none",
                "from": #"must be a day such as "2027-01-31", from 1900-01-01 to 2199-12-31"#,
                "to": #"must be a day such as "2027-01-31", from 1900-01-01 to 2199-12-31"#,
                "sort": #"must be one of "amount", "createdAt", "date", or one of these after a "#
                    + "hyphen for the other direction",
                "limit": "must be a whole number from 1 to 200",
                "status": "is not a parameter of this resource",
            ]
        )
    }

    func testThereAreNoTransactionsOfNoGoal() async throws {
        try XCTAssertProblem(
            await get("/goals/00000000-0000-4000-8000-000000000001/transactions"),
            .notFound,
            detail: "There is no goal with this id."
        )
    }
}

extension Response {
    /// The items of a page.
    var items: [JSONTree] {
        get throws { try json["items"]?.items ?? [] }
    }

    /// The titles of a page's goals in a row.
    fileprivate var titles: String {
        get throws { try items.compactMap { $0["title"]?.text }.joined() }
    }
}
