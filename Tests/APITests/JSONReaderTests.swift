import XCTest

@testable import API

final class JSONReaderTests: XCTestCase {
    func testReadsEveryKindOfValue() throws {
        let text = #"""
             { "null" : null, "yes": true, "no": false, "numbers": [0, -1, 12.50, 1e3, -2.5E-10],
               "text": "a\"b\\c\/d\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\uDE00é😀", "empty": {}, "none": [ ] }
            """#

        XCTAssertEqual(
            try JSON(Array(text.utf8)),
            .object([
                "null": .null,
                "yes": .bool(true),
                "no": .bool(false),
                "numbers": .array([
                    .number("0"), .number("-1"), .number("12.50"), .number("1e3"),
                    .number("-2.5E-10"),
                ]),
                "text": .string("a\"b\\c/d\u{8}\u{C}\n\r\tAé€😀é😀"),
                "empty": .object([:]),
                "none": .array([]),
            ])
        )
    }

    func testKeepsTheDigitsOfNumbers() throws {
        for digits in ["9007199254740993.01", "1" + String(repeating: "0", count: 400), "1e400"] {
            XCTAssertEqual(try JSON(Array(digits.utf8)), .number(digits))
        }
    }

    func testSaysWhereAndWhyATextIsNotJSON() {
        let cases: [(String, line: Int, column: Int, String)] = [
            ("", 1, 1, "the text ends where a value is expected"),
            (" \n ", 2, 2, "the text ends where a value is expected"),
            ("{\"a\":1,\n \"é\": }", 2, 7, "a value is expected here"),
            ("{\"a\" 1}", 1, 6, "a colon is expected here"),
            ("{\"a\":1 \"b\":2}", 1, 8, "a comma or the end of the object, }, is expected here"),
            ("{\"a\":1,}", 1, 8, "the name of a member, in double quotes, is expected here"),
            ("{'a':1}", 1, 2, "the name of a member, in double quotes, is expected here"),
            ("{a:1}", 1, 2, "the name of a member, in double quotes, is expected here"),
            ("[1 2]", 1, 4, "a comma or the end of the array, ], is expected here"),
            ("[1,]", 1, 4, "a value is expected here"),
            ("[1", 1, 3, "a comma or the end of the array, ], is expected here"),
            ("{} {}", 1, 4, "nothing may follow the value"),
            ("{\"a\":1,\"b\":2,\"a\":3}", 1, 14, "the object has this member already"),
            ("{\"a\":1,\"\\u0061\":3}", 1, 8, "the object has this member already"),
            ("nul", 1, 1, "a value is expected here"),
            ("True", 1, 1, "a value is expected here"),
            ("NaN", 1, 1, "a value is expected here"),
            ("Infinity", 1, 1, "a value is expected here"),
            ("01", 1, 1, "a number does not begin with a 0 before other digits"),
            ("-", 1, 2, "a digit is expected here"),
            ("+1", 1, 1, "a value is expected here"),
            (".5", 1, 1, "a value is expected here"),
            ("5.", 1, 3, "a digit is expected here"),
            ("1e", 1, 3, "a digit is expected here"),
            ("0x10", 1, 2, "nothing may follow the value"),
            ("\"a", 1, 3, "the text ends within a string"),
            ("\"a\\", 1, 4, "the text ends within a string"),
            ("\"a\nb\"", 1, 3, "a control character must be written as an escape, such as \\n"),
            ("\"a\0b\"", 1, 3, "a control character must be written as an escape, such as \\n"),
            ("\"a\\xb\"", 1, 3, "there is no such escape"),
            ("\"\\u12g4\"", 1, 2, "\\u is followed by four hexadecimal digits"),
            ("\"\\u12", 1, 2, "\\u is followed by four hexadecimal digits"),
            ("\"\\ud800\"", 1, 2, "half of a surrogate pair is no character"),
            ("\"\\udc00\\ud800\"", 1, 2, "half of a surrogate pair is no character"),
            ("\"\\ud800\\ud800\"", 1, 2, "half of a surrogate pair is no character"),
            ("\"\\ud800x\"", 1, 2, "half of a surrogate pair is no character"),
            ("\u{FEFF}{}", 1, 1, "a value is expected here"),
            ("[1]//", 1, 4, "nothing may follow the value"),
        ]
        for (text, line, column, reason) in cases {
            let readers: [([UInt8]) throws -> Void] = [
                { _ = try JSON($0) }, { _ = try JSON.members(of: $0) },
            ]
            for read in readers {
                XCTAssertThrowsError(try read(Array(text.utf8)), text) { error in
                    let mistake = error as? JSONMistake
                    XCTAssertEqual(mistake?.line, line, text)
                    XCTAssertEqual(mistake?.column, column, text)
                    XCTAssertEqual(mistake?.reason, reason, text)
                }
            }
        }
    }

    func testReadsTheMembersOfAnObjectInTheirOrder() throws {
        let text = #" {"b": 1, "a": {"c": null}, "": []} "#

        XCTAssertEqual(
            try JSON.members(of: Array(text.utf8)),
            [
                JSON.Member(name: "b", value: .number("1")),
                JSON.Member(name: "a", value: .object(["c": .null])),
                JSON.Member(name: "", value: .array([])),
            ]
        )
        XCTAssertEqual(try JSON.members(of: Array("{ }".utf8)), [])
        for other in ["[{}]", "1", #""{}""#, "null"] {
            XCTAssertNil(try JSON.members(of: Array(other.utf8)), other)
        }
    }

    func testFindsANameThatIsThereTwiceAmongFewAndAmongMany() {
        for count in [2, 15, 16, 17, 18, 100] {
            for twice in [0, (count - 2) / 2, count - 2] {
                let names = (0..<count - 1).map { "\"\($0)\":0" } + ["\"\(twice)\":0"]
                let text = "{" + names.joined(separator: ",") + "}"

                XCTAssertThrowsError(try JSON.members(of: Array(text.utf8)), text) { error in
                    let mistake = error as? JSONMistake
                    XCTAssertEqual(mistake?.reason, "the object has this member already", text)
                }
            }
        }
    }

    func testTakesNothingButUTF8() {
        let cases: [[UInt8]] = [
            [0xFF], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x7B, 0x00, 0x7D, 0x80],
        ]
        for bytes in cases {
            XCTAssertThrowsError(try JSON(bytes), "\(bytes)") { error in
                XCTAssertEqual((error as? JSONMistake)?.reason, "here is no UTF-8 text")
            }
        }
    }

    func testReadsNestingUpToABound() {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8
            )
        }

        XCTAssertNoThrow(try JSON(nested(64)))
        for depth in [65, 100_000] {
            XCTAssertThrowsError(try JSON(nested(depth))) { error in
                XCTAssertEqual(
                    (error as? JSONMistake)?.reason,
                    "values are nested deeper than 64 levels"
                )
            }
        }
        let openOnly = Array(String(repeating: "{\"a\":", count: 100_000).utf8)
        XCTAssertThrowsError(try JSON(openOnly))
    }

    func testFailsAtEveryCutOfAText() {
        let bytes = Array(#"{"a": [1.5e3, "\ud83d\ude00é", true], "b": {"c": null}}"#.utf8)

        XCTAssertNoThrow(try JSON(bytes))
        for length in bytes.indices {
            XCTAssertThrowsError(try JSON(Array(bytes[..<length])), "\(length) bytes")
        }
    }
}
