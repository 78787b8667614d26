import Store

@testable import API
@testable import Goals

extension Shape {
    static var json: [Shape] {
        [
            Shape("json: deep arrays", repeating: "[", read: readJSON),
            Shape("json: empty arrays", "[", repeating: "[],", "1]", read: readJSON),
            Shape(
                "json: arrays that are as deep as may be",
                "[",
                repeating: deepest,
                "1]",
                read: readJSON
            ),
            Shape("json: numbers", "[", repeating: "0,", "0]", read: readJSON),
            Shape("json: a long number", repeating: "1", read: readJSON),
            Shape("json: blanks", repeating: " ", "1", read: readJSON),
            Shape("json: lines, then a mistake", repeating: "\n", "!", read: readJSON),
            Shape("json: one line, then a mistake", "\"", repeating: "é", "\n", read: readJSON),
            Shape("json: a plain string", "\"", repeating: "a", "\"", read: readJSON),
            Shape("json: a string of escapes", "\"", repeating: "\\n", "\"", read: readJSON),
            Shape(
                "json: a string of pairs",
                "\"",
                repeating: "\\ud83d\\ude00",
                "\"",
                read: readJSON
            ),
            Shape(
                "json: strings that begin alike",
                "[",
                repeating: "\"\\\"a\",",
                "1]",
                read: readJSON
            ),
            Shape("json: members", "{", numbering: { "\"\($0)\":1," }, "\"a\":1}", read: readJSON),
            Shape(
                "json: members, the last twice",
                "{",
                numbering: { "\"\($0)\":1," },
                "\"0\":1}",
                read: readJSON
            ),
            Shape(
                "json: a name of accents",
                "{\"a",
                repeating: "\u{301}\u{316}",
                "\":1}",
                read: readJSON
            ),
            Shape("json: names of accents", "{", numbering: accented, "\"a\":1}", read: readJSON),
            Shape(
                "json: no UTF-8 at the end",
                "\"",
                repeating: "é",
                "\u{FFFD}",
                read: readWithoutEnd
            ),
            Shape("json: writing a string", repeating: "\"\u{1}é", read: writeJSON),
        ]
    }

    static var values: [Shape] {
        [
            Shape("money: zeros", repeating: "0", read: readMoney),
            Shape("money: nines", repeating: "9", read: readMoney),
            Shape("money: decimals", "0.", repeating: "0", read: readMoney),
            Shape("money: points", repeating: "1.", read: readMoney),
            Shape("day: digits", "2027-01-", repeating: "0", read: readDay),
            Shape("day: hyphens", repeating: "-", read: readDay),
            Shape("identifier: digits", repeating: "0", read: readIdentifier),
            Shape("cursor: letters", repeating: "A", read: readCursor),
            Shape("cursor: with a long text", repeating: "a", read: readAndWriteCursor),
            Shape(
                "cursor: with a text of accents",
                "a",
                repeating: "\u{301}\u{316}",
                read: readAndWriteCursor
            ),
            Shape("condition: tags", repeating: "\"1\", ", "\"2\"", read: readCondition),
            Shape("condition: commas", repeating: ",", read: readCondition),
            Shape("condition: blanks", repeating: " ", read: readCondition),
            Shape("condition: a tag without end", "\"", repeating: "a", read: readCondition),
            Shape("condition: weak tags without quotes", repeating: "W/", read: readCondition),
            Shape(
                "condition: a tag of accents",
                "\"a",
                repeating: "\u{301}\u{316}",
                "\"",
                read: readCondition
            ),
            Shape(
                "body: a word of accents",
                "{\"status\":\"a",
                repeating: "\u{301}\u{316}",
                "\"}",
                read: readBody
            ),
            Shape(
                "body: a word of many accents",
                "{\"status\":\"a",
                repeating: String(repeating: "\u{301}\u{316}", count: 100) + "a",
                "\"}",
                read: readBody
            ),
            Shape(
                "body: unknown members",
                "{",
                numbering: { "\"\($0)\":1," },
                "\"a\":1}",
                read: readBody
            ),
            Shape(
                "body: unknown members with accents",
                "{",
                numbering: { number in
                    "\"e" + String(repeating: "\u{301}\u{316}", count: 99) + "\(number)\":1,"
                },
                "\"a\":1}",
                read: readBody
            ),
            Shape("query: words", "status=", repeating: "active,", read: readQuery),
            Shape("query: unknown parameters", "", numbering: { "\($0)&" }, "", read: readQuery),
            Shape(
                "query: one parameter again and again",
                repeating: "status=active&",
                read: readQuery
            ),
        ]
    }

    static var texts: [Shape] {
        [
            Shape("title: letters", repeating: "a", read: readTitle),
            Shape("title: blanks", "a", repeating: " ", "a", read: readTitle),
            Shape(
                "title: accents on one letter",
                "a",
                repeating: "\u{301}\u{316}",
                read: readTitle
            ),
            Shape(
                "title: accents in the wrong order",
                "a",
                repeating: "\u{301}",
                "\u{316}",
                read: readTitle
            ),
            Shape("title: families", repeating: "👨‍👩‍👧‍👦", read: readTitle),
            Shape("title: Korean, taken apart", repeating: "\u{1100}\u{1161}", read: readTitle),
            Shape("note: accents on one letter", "a", repeating: "\u{301}\u{316}", read: readNote),
            Shape("note: flags", repeating: "🇵🇱", read: readNote),
            Shape("search: letters with accents", repeating: "é", read: fold),
            Shape("search: accents on one letter", "a", repeating: "\u{301}\u{316}", read: fold),
            Shape("search: what folds twice", repeating: "ﬃßŉ", read: fold),
            Shape("search: planes by turns", repeating: "é😀", read: fold),
            Shape("search: the longest that there is", repeating: "\u{FDFA}", read: fold),
            Shape("search: blanks", repeating: "\u{2003}é", read: fold),
        ]
    }
}

/// An array in arrays to the deepest level that is read, in an array.
private let deepest = String(repeating: "[", count: 63) + String(repeating: "]", count: 63) + ","

/// A member whose name has a hundred accents, which stand in another order in each.
private func accented(_ number: Int) -> String {
    let accents = (0..<100).map { number >> ($0 % 20) & 1 == 0 ? "\u{301}" : "\u{316}" }
    return "\"\(number)\(accents.joined())\":1,"
}

private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}

private func readJSON(_ bytes: [UInt8]) {
    use(try? JSON(bytes))
}

private func readWithoutEnd(_ bytes: [UInt8]) {
    readJSON(bytes.dropLast())
}

private func writeJSON(_ bytes: [UInt8]) {
    use(text(bytes).jsonBytes)
}

private func readMoney(_ bytes: [UInt8]) {
    guard let currency = Currency("EUR") else { return }
    use(try? Money(decimal: text(bytes), in: currency))
}

private func readDay(_ bytes: [UInt8]) {
    use(CalendarDay(text(bytes)))
}

private func readIdentifier(_ bytes: [UInt8]) {
    use(Goal.ID(text(bytes)))
}

private func readCursor(_ bytes: [UInt8]) {
    use(Cursor(text(bytes), for: ListIdentity(of: .default, "goals")))
}

private func readAndWriteCursor(_ bytes: [UInt8]) {
    let list = ListIdentity(of: .default, "goals")
    let written = Cursor(Position(key: .text(text(bytes)), high: 1, low: 2)).text(for: list)
    use(Cursor(written, for: list)?.position)
}

private func readCondition(_ bytes: [UInt8]) {
    use(ETagCondition(text(bytes))?.matchesWeakly(ETag("active")))
}

private func readBody(_ bytes: [UInt8]) {
    guard var fields = try? Fields(body: bytes) else { return }
    use(fields.read(.required("status", .status)).sound)
    use(try? fields.end())
}

private func readQuery(_ bytes: [UInt8]) {
    guard var fields = try? Fields(query: text(bytes)) else { return }
    use(fields.read(.required("status", .statuses)).sound)
    use(try? fields.end())
}

private func readTitle(_ bytes: [UInt8]) {
    use(Title(text(bytes)))
}

private func readNote(_ bytes: [UInt8]) {
    use(Note(text(bytes)))
}

private func fold(_ bytes: [UInt8]) {
    use(TextFolding.fold(text(bytes)))
}
