import HTTP
import XCTest

@testable import API

/// A client may send a letter with accents without end, which Swift compares each with each.
///
/// If any were compared, these tests would take minutes.
final class EndlessAccentsTests: XCTestCase {
    private let endless = "a" + String(repeating: "\u{301}\u{316}", count: 250_000)

    func testABodyHasNone() {
        for (body, column) in [("{\"\(endless)\":1}", 3), ("{\"status\":\"\(endless)\"}", 12)] {
            XCTAssertThrowsError(try JSON(Array(body.utf8))) { error in
                let mistake = error as? JSONMistake
                XCTAssertEqual(mistake?.reason, "the string has more than 200 accents in a row")
                XCTAssertEqual(mistake?.column, column)
            }
        }
    }

    func testABodyHasNoneThatAreEscaped() {
        let body = "[\"\\n" + String(repeating: "\\u0301", count: 201) + "\"]"

        XCTAssertThrowsError(try JSON(Array(body.utf8)))
    }

    func testAsManyAsAnyoneWritesAreRead() throws {
        let text = "a" + String(repeating: "\u{301}", count: 200)

        XCTAssertEqual(try JSON(Array("\"\(text + text)\"".utf8)), .string(text + text))
        XCTAssertNoThrow(try Fields(query: "search=\(text)"))
    }

    func testAQueryHasNone() {
        for query in ["status=\(endless)", "\(endless)=1"] {
            XCTAssertThrowsError(try Fields(query: query)) { error in
                XCTAssertEqual((error as? Problem)?.code, .malformedQuery)
            }
        }
    }

    func testNoMediaTypeHasAny() {
        for headers in [
            [.contentType: endless],
            [.contentType: "application/json", .contentEncoding: endless],
        ] as [HeaderFields] {
            XCTAssertThrowsError(try headers.checkContent(isOneOf: [.json])) { error in
                XCTAssertEqual((error as? Problem)?.code, .unsupportedMediaType)
            }
        }
    }

    func testAnEntityTagMayHaveSomeAndIsAnother() {
        let condition = ETagCondition("\"\(endless)\"")

        XCTAssertEqual(condition?.matchesStrongly(ETag("a")), false)
        XCTAssertEqual(condition?.matchesWeakly(ETag("a")), false)
    }
}
