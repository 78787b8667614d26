import Foundation
import HTTP
import XCTest

@testable import API

final class StatisticsTests: APITestCase {
    /// Each case is played as a client would: create the goal, record the transactions, ask.
    func testAnswersEveryWorkedCase() async throws {
        let file = try XCTUnwrap(
            Bundle.module.url(forResource: "Fixtures/statistics", withExtension: "json")
        )
        let cases = try XCTUnwrap(JSONTree(json: Array(Data(contentsOf: file))).items)
        XCTAssertEqual(cases.count, 54)

        for example in cases {
            let why = example["why"]?.text ?? ""
            var newGoal = example["goal"]?.members ?? [:]
            newGoal["title"] = .string(why.isEmpty ? "Goal" : why)
            let goal = try await createGoal(JSONTree.object(newGoal).jsonText)
            for transaction in example["transactions"]?.items ?? [] {
                _ = try await record(transaction.jsonText, in: goal)
            }

            let response = try await get("\(goal)/statistics?\(query(example["query"]))")

            XCTAssertEqual(response.status, .ok, why)
            let answer = try XCTUnwrap(response.json.members, why)
            for (name, expected) in example["expected"]?.members ?? [:] {
                XCTAssertEqual(answer[name], expected, "\(why): \(name)")
            }
            let more = Set(answer.keys).subtracting(example["expected"]?.members?.keys ?? [:].keys)
            XCTAssertEqual(more, ["goalId", "revision", "timeZone"], why)
        }
    }

    func testWritesItsMembersInOrder() async throws {
        let goal = try await createGoal(
            #"{"title": "Bike", "targetAmount": 300, "plannedCompletionDate": "2027-02-20"}"#
        )
        _ = try await record(
            #"{"transactionType": "income", "amount": 100, "category": "pay"}"#,
            in: goal
        )

        let response = try await get("\(goal)/statistics")

        XCTAssertEqual(
            response.text,
            #"{"goalId":"\#(goal.suffix(36))","revision":2,"asOf":"2027-01-15","timeZone":"UTC","#
                + #""currency":"USD","targetAmount":"300.00","savedAmount":"100.00","#
                + #""remainingAmount":"200.00","progress":0.3333,"daysUntilCompletion":36,"#
                + #""requiredMonthlySaving":"166.67","outlook":"behind","#
                + #""averageMonthlySaving":"100.00","projectedCompletionDate":"2027-03-16","#
                + #""transactionCount":1,"incomeCount":1,"expenseCount":0,"incomeTotal":"100.00","#
                + #""expenseTotal":"0.00","maxExpenseAmount":"0.00","#
                + #""series":[{"month":"2027-01","income":"100.00","expense":"0.00","#
                + #""balance":"100.00"}],"#
                + #""categories":[{"category":"pay","income":"100.00","expense":"0.00","count":1}],"#
                + #""projection":[{"date":"2027-02-14","saving":"166.67","balance":"266.67"},"#
                + #"{"date":"2027-02-20","saving":"33.33","balance":"300.00"}]}"#
        )
    }

    func testAsksForTodayInTheZone() async throws {
        let goal = try await createGoal()
        // 23:30 in UTC: tomorrow in Warsaw, still today in New York.
        clock.advance(byMilliseconds: 14 * 3_600_000)

        let cases = [
            ("", "UTC", "2027-01-15"), ("?timeZone=Europe/Warsaw", "Europe/Warsaw", "2027-01-16"),
            ("?timeZone=America%2FNew_York", "America/New_York", "2027-01-15"),
            ("?timeZone=Europe/Warsaw&asOf=2030-02-03", "Europe/Warsaw", "2030-02-03"),
        ]
        for (query, zone, day) in cases {
            let json = try await get("\(goal)/statistics\(query)").json
            XCTAssertEqual(json["timeZone"], .string(zone))
            XCTAssertEqual(json["asOf"], .string(day))
        }
    }

    func testTomorrowItIsAnother() async throws {
        let goal = try await createGoal()
        let today = try await get("\(goal)/statistics")
        clock.advance(byMilliseconds: 86_400_000)

        let tag = try XCTUnwrap(today.headers[.eTag])
        let tomorrow = try await get("\(goal)/statistics", headers: [.ifNoneMatch: tag])

        XCTAssertEqual(tomorrow.status, .ok)
        XCTAssertEqual(try tomorrow.json["asOf"], .string("2027-01-16"))
    }

    func testItsTagChangesWithAllThatItsBytesDependOn() async throws {
        let goal = try await createGoal()
        let queries = [
            "", "?asOf=2027-01-16", "?timeZone=GMT", "?onlyExpenses=true", "?from=2027-01-01",
            "?to=2027-01-01", "?from=2027-01-01&to=2027-01-01", "?category=", "?category=a",
            "?category=2027-01-01",
        ]
        var tags: Set<String> = []
        for round in 1...2 {
            for query in queries {
                let response = try await get("\(goal)/statistics\(query)")
                let tag = try XCTUnwrap(response.headers[.eTag])
                XCTAssertTrue(tag.hasPrefix("\"\(round)-202701"), tag)
                XCTAssertTrue(tags.insert(tag).inserted, "\(query) has the tag of another")
                let again = try await get("\(goal)/statistics\(query)")
                XCTAssertEqual(again, response)
            }
            try await patch(goal, #"{"note": "\#(round)"}"#)
        }
        // What says the same in other words is the same.
        let plain = try await get("\(goal)/statistics")
        for query in ["?onlyExpenses=false", "?asOf=2027-01-15", "?timeZone=UTC", "?"] {
            let response = try await get("\(goal)/statistics\(query)")
            XCTAssertEqual(response, plain)
        }
    }

    func testNamesEveryMistakeOfItsQueryAtOnce() async throws {
        let goal = try await createGoal()

        try XCTAssertProblem(
            await get(
                "\(goal)/statistics?asOf=2200-01-01&timeZone=Nope/Zone&onlyExpenses=yes"
                    + "&from=2027-02-02&to=2027-02-01&category=%07&color=red&onlyExpenses=no"
            ),
            .malformedQuery,
            detail: "The query is not as it should be; errors says where and what is right.",
            mistakes: [
                "onlyExpenses": "must not be given more than once",
                "asOf": #"must be a day such as "2027-01-31", from 1900-01-01 to 2199-12-31"#,
                "timeZone": #"must be the name of an IANA time zone, such as "Europe/Warsaw""#,
                "onlyExpenses": #"must be "true" or "false""#,
                "to": "must be a day that is not before the one in from, 2027-02-02",
                "category": "must be a category of at most 100 characters, or empty for what has "
                    + "none",
                "color": "is not a parameter of this resource",
            ]
        )
    }

    private func query(_ parameters: JSONTree?) -> String {
        (parameters?.members ?? [:]).map { name, value in
            var allowed = CharacterSet.alphanumerics
            allowed.insert(charactersIn: "-")
            let text =
                switch value {
                case .bool(let flag): "\(flag)"
                default: value.text ?? ""
                }
            return name + "=" + (text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
        }
        .joined(separator: "&")
    }
}

extension JSONTree {
    /// The value as JSON text.
    fileprivate var jsonText: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .string(let text): String(decoding: text.jsonBytes, as: UTF8.self)
        case .array(let items): "[\(items.map(\.jsonText).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(JSONTree.string($0).jsonText):\($1.jsonText)" }.joined(separator: ","))}"
        }
    }
}
