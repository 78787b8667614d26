import HTTP
import XCTest

@testable import API

/// What every field answers to every kind of wrong value.
final class BadInputTests: APITestCase {
    func testRefusesTitles() async throws {
        try await refuses(
            [
                "/title": wrongTypes
                    + texts("", " ", "\t\n", "\u{A0}\u{3000}", "a\u{0}b", "a\u{7F}b")
                    + texts(
                        String(repeating: "x", count: 201),
                        String(repeating: family, count: 201)
                    )
                    + texts(
                        String(repeating: "e" + String(repeating: "\u{301}", count: 200), count: 40)
                    )
            ]
        )
    }

    func testTakesTitlesOfAllScripts() async throws {
        let titles: [(given: String, kept: String)] = [
            (String(repeating: "x", count: 200), String(repeating: "x", count: 200)),
            (String(repeating: family, count: 200), String(repeating: family, count: 200)),
            ("U\u{308}ber", "\u{DC}ber"),
            ("\u{200F}שלום\u{200F} עולם", "\u{200F}שלום\u{200F} עולם"),
            (" a \n\t b ", "a b"),
            ("'; DROP TABLE goal; --", "'; DROP TABLE goal; --"),
            ("\u{FEFF}a", "\u{FEFF}a"),
        ]
        for (given, kept) in titles {
            let response = try await post("/goals", "{\"title\": \(quoted(given))}")
            XCTAssertEqual(response.status, .created, response.text)
            XCTAssertTrue(
                response.text.utf8.firstRange(of: "\"title\":\(quoted(kept)),\"note\"".utf8) != nil,
                "\(given.debugDescription): \(response.text.debugDescription)"
            )
        }
    }

    func testRefusesNotes() async throws {
        try await refuses(
            [
                "/note": wrongTypes
                    + texts("a\u{0}b", "\u{1B}[31m", String(repeating: "x", count: 2_001))
            ]
        )
    }

    func testRefusesCurrencies() async throws {
        try await refuses(
            [
                "/currency": wrongTypes
                    + texts("", "eur", "EURO", "EU", "XXX", "XAU", "€", "DEM", "ЕUR")
            ]
        )
    }

    func testRefusesAmounts() async throws {
        let never =
            texts(
                "",
                " ",
                ".5",
                "5.",
                ".",
                "-5",
                "+5",
                "1e2",
                "1E2",
                "0.1+0.2",
                "1,000.00",
                "1 000",
                "1.2.3",
                " 5",
                "5 ",
                "5\u{0}",
                "NaN",
                "Infinity",
                "0x10",
                "٥",
                "５",
                "1_000",
                "$5",
                "5 USD",
                "1.234",
                "1.000",
                "10000000000000",
                "9999999999999.991",
                "99999999999999999999999999"
            ) + ["-5", "-0", "-1e2", "1E400", "1e-3", "1e13", "0.001", "5.000", "10000000000000"]
            + ["1" + String(repeating: "0", count: 400)] + ["true", "[]", "{}", #"["5"]"#]

        try await refuses(["/targetAmount": never + texts("0", "0.00") + ["0", "0.0"]])
        try await refuses(["/startingAmount": never + ["null"]])
    }

    func testReadsAmountsExactlyFromTheirDigits() async throws {
        let amounts: [(given: String, currency: String, kept: String)] = [
            ("\"9007199254740.93\"", "USD", "9007199254740.93"),
            ("9007199254740.93", "USD", "9007199254740.93"),
            ("2147483648.00", "USD", "2147483648.00"),
            ("\"9999999999999.99\"", "USD", "9999999999999.99"),
            ("0.1", "USD", "0.10"),
            ("1e2", "USD", "100.00"),
            ("1.25E+1", "USD", "12.50"),
            ("1250e-2", "USD", "12.50"),
            ("1e-2", "USD", "0.01"),
            ("0.0001e4", "JPY", "1"),
            ("9999999999999.99e0", "USD", "9999999999999.99"),
            ("0.29", "USD", "0.29"),
            ("4.35", "USD", "4.35"),
            ("\"0005\"", "USD", "5.00"),
            ("\"999999999999999\"", "JPY", "999999999999999"),
            ("1.125", "KWD", "1.125"),
            ("\"999999999999.999\"", "KWD", "999999999999.999"),
            ("1.0001", "CLF", "1.0001"),
        ]
        for (given, currency, kept) in amounts {
            let response = try await post(
                "/goals",
                "{\"title\": \"Bike\", \"currency\": \"\(currency)\", \"targetAmount\": \(given)}"
            )
            XCTAssertEqual(response.status, .created, response.text)
            XCTAssertEqual(try response.json["targetAmount"], .string(kept), "\(given) \(currency)")
        }
    }

    func testAnAmountHasAtMostTheDecimalsOfItsCurrency() async throws {
        for (currency, amount) in [
            ("JPY", "5.0"), ("JPY", "5.5"), ("KWD", "1.0000"), ("USD", "1.005"),
        ] {
            for value in [amount, "\"\(amount)\""] {
                let response = try await post(
                    "/goals",
                    #"{"title": "Bike", "currency": "\#(currency)", "targetAmount": \#(value)}"#
                )
                XCTAssertEqual(try response.pointers, ["/targetAmount"], "\(currency) \(value)")
            }
        }
        try XCTAssertProblem(
            await post("/goals", #"{"title": "Bike", "currency": "JPY", "targetAmount": "5.0"}"#),
            .validationFailed,
            mistakes: [
                "/targetAmount": #"must be a whole number such as "1250", without decimals (JPY), "#
                    + "above 0, at most 999999999999999, or null"
            ]
        )
    }

    func testRefusesDays() async throws {
        let days = texts(
            "",
            "2027-02-29",
            "2027-13-01",
            "2027-00-01",
            "2027-01-00",
            "2027-01-32",
            "0000-00-00",
            "1899-12-31",
            "2200-01-01",
            "20270101",
            "2027-1-1",
            "2027-01-01T00:00:00Z",
            "2027-01-01 ",
            "01/02/2027",
            "2027-01-01\u{0}",
            "today",
            "２０２７-01-01",
            "+2027-01-01",
            "12027-01-01"
        )
        let numbers = ["0", "20270101", "true", "[]", "{}"]

        try await refuses(["/plannedCompletionDate": days + numbers])
    }

    func testTakesTheFirstAndTheLastDay() async throws {
        for day in ["1900-01-01", "2028-02-29", "2199-12-31"] {
            let body = #"{"title": "Bike", "plannedCompletionDate": "\#(day)"}"#
            let response = try await post("/goals", body)
            XCTAssertEqual(try response.json["plannedCompletionDate"], .string(day))
        }
    }

    func testRefusesIDs() async throws {
        try await refuses(
            [
                "/id": wrongTypes
                    + texts(
                        "",
                        "1",
                        "00000000-0000-4000-8000-00000000001",
                        "00000000000040008000000000000001",
                        "{00000000-0000-4000-8000-000000000001}",
                        "urn:uuid:00000000-0000-4000-8000-000000000001",
                        "00000000-0000-4000-8000-00000000000g",
                        "00000000-0000-4000-8000-0000000000011"
                    )
            ]
        )
    }

    func testRefusesTransactionFields() async throws {
        let path = try await createGoal() + "/transactions"
        let cases: KeyValuePairs = [
            "/transactionType": wrongTypes + texts("", "Income", "transfer", "income "),
            "/amount": ["null", "0", "-1", "\"0.00\"", "1e-3", "\"1.001\"", "true", "[]", "\"\""],
            "/date": wrongTypes + texts("", "2027-02-29", "2027-01-01T00:00:00Z"),
            "/category": ["5", "true", "[]", "{}"]
                + texts("", " ", "a\u{0}", String(repeating: "x", count: 101)),
            "/note": wrongTypes + texts("\u{0}", String(repeating: "x", count: 2_001)),
            "/id": wrongTypes + texts("1"),
        ]
        for (pointer, values) in cases {
            for value in values {
                var members = ["\"transactionType\": \"income\"", "\"amount\": 5"]
                members.removeAll { $0.hasPrefix("\"\(pointer.dropFirst())\"") }
                members.append("\"\(pointer.dropFirst())\": \(value)")
                let response = try await post(path, "{\(members.joined(separator: ", "))}")
                XCTAssertEqual(response.status, .unprocessableContent, "\(pointer) \(value)")
                XCTAssertEqual(try response.pointers, [pointer], "\(pointer) \(value)")
            }
        }
    }

    func testNamesEveryMistakeOfATransactionAtOnce() async throws {
        let goal = try await createGoal()

        try XCTAssertProblem(
            await post(
                "\(goal)/transactions",
                #"{"date": null, "category": "", "goalId": "x", "ammount": 5}"#
            ),
            .validationFailed,
            mistakes: [
                "/transactionType": #"is required and must be "income" or "expense""#,
                "/amount": #"is required and must be a decimal number such as "1250.00" with at "#
                    + "most 2 decimals (USD), above 0, at most 9999999999999.99",
                "/date": #"must be a day such as "2027-01-31", from 1900-01-01 to 2199-12-31"#,
                "/category": "must be text of 1 to 100 characters, without control characters, "
                    + "or null",
                "/ammount": "is not a member that this request may have",
                "/goalId": "is read-only",
            ]
        )
    }

    func testRefusesBodiesThatAreNoObject() async throws {
        for body in ["[]", "null", "\"Bike\"", "5", "true", "[{\"title\": \"Bike\"}]"] {
            try XCTAssertProblem(
                await post("/goals", body),
                .validationFailed,
                mistakes: ["": #"must be a JSON object, such as {"title": "Bike"}"#]
            )
        }
    }

    func testSaysWhereABodyIsNotJSON() async throws {
        let bomb = String(repeating: "[", count: 100_000)
        let cases: [(String, String)] = [
            ("{", "line 1, column 2: the name of a member, in double quotes, is expected here"),
            (
                "{\n  \"title\": \"Bike\",\n}",
                "line 3, column 1: the name of a member, in double quotes, is expected here"
            ),
            (
                #"{"title": "\ud800"}"#,
                "line 1, column 12: half of a surrogate pair is no character"
            ),
            (
                #"{"title": "a", "title": "b"}"#,
                "line 1, column 16: the object has this member already"
            ),
            (#"{"title": NaN}"#, "line 1, column 11: a value is expected here"),
            ("{\"title\": \(bomb)", "line 1, column 74: values are nested deeper than 64 levels"),
            (
                "{\"title\": \"a\u{0}\"}",
                "line 1, column 13: a control character must be written as an escape, such as \\n"
            ),
        ]
        for (body, place) in cases {
            try XCTAssertProblem(
                await post("/goals", body),
                .malformedJSON,
                detail: "The body cannot be read as JSON: \(place)."
            )
        }
        try XCTAssertProblem(
            await api.send(
                .post,
                "/goals",
                body: Array(#"{"title": ""#.utf8) + [0xC3, 0x28] + Array("\"}".utf8),
                headers: [.contentType: "application/json"]
            ),
            .malformedJSON,
            detail: "The body cannot be read as JSON: line 1, column 12: here is no UTF-8 text."
        )
    }

    func testNeedsABodyToCreate() async throws {
        try XCTAssertProblem(
            await post("/goals", ""),
            .malformedJSON,
            detail: "The request needs a body, which is a JSON object."
        )
    }

    func testTakesBackATextThatItHasAnswered() async throws {
        let goal = try await createGoal()
        let title = "a" + String(repeating: "\u{301}\u{316}", count: 100)
        let changed = try await patch(goal, #"{"title": "\#(title)"}"#)
        let kept = try XCTUnwrap(changed.json["title"]?.text)

        let response = try await patch(goal, #"{"title": "\#(kept)"}"#)

        XCTAssertEqual(response.status, .ok)
        XCTAssertEqual(response.headers[.eTag], changed.headers[.eTag])
    }

    func testAnswersHoweverLongANumberIs() async throws {
        let numbers = [
            "1e400", "1" + String(repeating: "0", count: 100_000), "1e-999999999999",
            "1e\(Int.max)", "1e\(Int.min)", "1e-9223372036854775809", "0.\(Int.max)e101",
        ]
        for number in numbers {
            let response = try await post(
                "/goals",
                #"{"title": "Bike", "targetAmount": \#(number)}"#
            )
            XCTAssertEqual(try response.pointers, ["/targetAmount"])
        }
    }

    // MARK: - Tables

    private let family = "👨‍👩‍👧‍👦"

    /// Values that are no text.
    private let wrongTypes = ["null", "5", "true", "[]", "{}"]

    private func texts(_ texts: String...) -> [String] {
        texts.map(quoted)
    }

    private func quoted(_ text: String) -> String {
        String(decoding: text.jsonBytes, as: UTF8.self)
    }

    /// Asserts that each value is a mistake of a new goal, and the only one.
    private func refuses(
        _ cases: KeyValuePairs<String, [String]>,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        for (pointer, values) in cases {
            for value in values {
                let title = pointer == "/title" ? "" : "\"title\": \"Bike\", "
                let response = try await post(
                    "/goals",
                    "{\(title)\"\(pointer.dropFirst())\": \(value)}"
                )
                XCTAssertEqual(
                    response.status,
                    .unprocessableContent,
                    "\(pointer) \(value.prefix(100).debugDescription)",
                    file: file,
                    line: line
                )
                XCTAssertEqual(
                    try response.pointers,
                    [pointer],
                    value.prefix(100).debugDescription,
                    file: file,
                    line: line
                )
            }
        }
    }
}

extension Response {
    /// Where the mistakes are that a problem names.
    var pointers: [String] {
        get throws { try (json["errors"]?.items ?? []).compactMap { $0["pointer"]?.text } }
    }
}
