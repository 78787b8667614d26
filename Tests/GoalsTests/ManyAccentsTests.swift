import Goals
import XCTest

/// A letter may have accents without end, and Foundation compares each of them with each.
///
/// With a MiB of them in one title, these tests would take minutes if it had its way.
final class ManyAccentsTests: XCTestCase {
    func testATextOfAccentsIsReadAsFastAsAnother() {
        // An acute and a grave below, which belong in the other order.
        let text = "a" + String(repeating: "\u{301}\u{316}", count: 250_000)

        XCTAssertNil(Title(text))
        XCTAssertNil(Category(text))
        XCTAssertNil(Note(text))
        XCTAssertEqual(TextFolding.fold(text), "a")
    }

    func testATextOfAccentsThatCompatibilityUncoversIsFoldedAsFast() {
        let katakana = "ハ" + String(repeating: "\u{FF9E}\u{316}", count: 100_000)
        let tibetan = "ཀ" + String(repeating: "\u{F73}\u{F81}", count: 100_000)

        for text in [katakana, tibetan] {
            let folded = TextFolding.fold(text)
            XCTAssertEqual(TextFolding.fold(folded), folded)
        }
    }

    func testHangulInPiecesIsPutTogether() throws {
        for count in [1, 63, 64, 65, 100, 200] {
            let title = try XCTUnwrap(
                Title(String(repeating: "\u{1112}\u{1161}\u{11AB}", count: count))
            )

            XCTAssertEqual(
                Array(title.text.unicodeScalars),
                Array(repeating: "한", count: count)
            )
        }
    }

    func testThirtyAccentsOnALetterAreKept() throws {
        let text = "a" + String(repeating: "\u{316}", count: 29) + "\u{33D}"
        let title = try XCTUnwrap(Title(text))

        XCTAssertEqual(Array(title.text.unicodeScalars), Array(text.unicodeScalars))
    }

    func testMoreAccentsAreKeptWithAnInvisibleJoinerBetweenThem() throws {
        let thirty = String(repeating: "\u{316}", count: 30)
        let title = try XCTUnwrap(Title("a" + thirty + thirty + "\u{316}"))
        let expected = "a" + thirty + "\u{34F}" + thirty + "\u{34F}\u{316}"

        XCTAssertEqual(Array(title.text.unicodeScalars), Array(expected.unicodeScalars))
    }

    func testNormalizingATitleOfAccentsTwiceChangesNothing() throws {
        let accents = ["\u{316}", "\u{301}", "\u{344}", "\u{F73}", "\u{316}\u{301}", "\u{345}"]
        for letter in ["a", "ấ", "\u{958}", "\u{1F82}", "한"] {
            for accent in accents {
                let text = letter + String(repeating: accent, count: 100)
                let once = try XCTUnwrap(Title(text)).text
                let twice = try XCTUnwrap(Title(once)).text

                XCTAssertEqual(Array(twice.unicodeScalars), Array(once.unicodeScalars), text)
            }
        }
    }
}
