import XCTest

@testable import Goals

final class TextTests: XCTestCase {
    func testNormalizesATitle() {
        let titles: [(raw: String, text: String)] = [
            ("New bike", "New bike"),
            ("  New \t\r\n  bike\u{3000}", "New bike"),
            ("\u{A0}New\u{2003}\u{2028}bike\u{85}", "New bike"),
            ("U\u{308}ber", "\u{DC}ber"),
            ("\u{212B}", "\u{C5}"),
            ("e\u{323}\u{302}", "\u{1EC7}"),
            ("e\u{302}\u{323}", "\u{1EC7}"),
            ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"),
            ("\u{AC00}\u{11A8}", "\u{AC01}"),
            // A half note is one with a stem; a Hebrew point comes before the stem.
            ("\u{1D15E}\u{5B3}", "\u{1D157}\u{5B3}\u{1D165}"),
            ("שלום\u{200F}", "שלום\u{200F}"),
            ("\u{200F}a\u{200E}", "\u{200F}a\u{200E}"),
            ("👩\u{200D}👩\u{200D}👧\u{200D}👦", "👩\u{200D}👩\u{200D}👧\u{200D}👦"),
            ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
            (" \u{301}a", "\u{301}a"),
        ]
        for (raw, text) in titles {
            assertSameBytes(Title(raw)?.text, text)
        }
    }

    func testAccentsStayWithWhatTheyStandOn() {
        // Linear B and a character of CJK extension B, whose low bits are those of A and of ¨.
        assertSameBytes(Title("\u{10041}\u{301}")?.text, "\u{10041}\u{301}")
        assertSameBytes(Title("\u{200A8}\u{301}")?.text, "\u{200A8}\u{301}")
        // Composed all the same: Kaithi, outside the basic plane.
        assertSameBytes(Title("\u{11099}\u{110BA}")?.text, "\u{1109A}")
    }

    func testRefusesTitlesThatHoldNothingToSee() {
        let raws = [
            "", " ", "\t\n", "\u{3000}\u{A0}", "\u{200B}", "\u{200D}\u{FEFF}", "\u{200F} \u{200E}",
            "\u{AD}", "\u{3164}", "\u{FE0F}", "\u{E0020}",
        ]
        for raw in raws {
            XCTAssertNil(Title(raw), escaped(raw))
            XCTAssertNil(Category(raw), escaped(raw))
        }
    }

    func testRefusesControlCharactersInOneLine() {
        let controls =
            (0x00...0x1F).filter { !(0x09...0x0D).contains($0) } + [0x7F]
            + (0x80...0x9F).filter { $0 != 0x85 }
        for control in controls {
            let raw = "a" + character(UInt32(control)) + "b"
            XCTAssertNil(Title(raw), escaped(raw))
            XCTAssertNil(Category(raw), escaped(raw))
        }
        for whiteSpace in [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85] {
            XCTAssertEqual(Title("a" + character(UInt32(whiteSpace)) + "b")?.text, "a b")
        }
    }

    func testCountsCharactersAsAPersonDoes() {
        // With skin tones, 41 bytes.
        let family = "👩🏻\u{200D}👩🏽\u{200D}👧🏿\u{200D}👦🏼"

        XCTAssertNotNil(Title(String(repeating: family, count: 200)))
        XCTAssertNil(Title(String(repeating: family, count: 201)))
        XCTAssertNotNil(Category(String(repeating: family, count: 100)))
        XCTAssertNil(Category(String(repeating: family, count: 101)))
        XCTAssertNotNil(Note(String(repeating: family, count: 2_000)))
        XCTAssertNil(Note(String(repeating: family, count: 2_001)))
        XCTAssertNotNil(Title(String(repeating: "e\u{301}", count: 200)))
        XCTAssertNil(Title(String(repeating: "x", count: 201)))
        XCTAssertEqual(Title(String(repeating: " x", count: 100))?.text.count, 199)
    }

    func testBoundsTheBytesOfATextToo() {
        let letter = "ж" + String(repeating: "\u{316}", count: 30)

        // 62 bytes for one character.
        let heap = String(repeating: letter, count: 200)

        XCTAssertNotNil(Title(heap))
        XCTAssertNil(Title(heap + String(repeating: "\u{316}", count: 200)))
        XCTAssertNil(Note("a" + String(repeating: "\u{301}", count: 64_000)))
    }

    func testKeepsANoteAsItWasWritten() {
        for text in ["", " \t a\r\n\r\n  b ", "U\u{308}ber", "\u{200F}", "\u{2028}"] {
            assertSameBytes(Note(text)?.text, text)
        }
        XCTAssertEqual(Note(""), .empty)
        XCTAssertNotEqual(Note("U\u{308}ber"), Note("\u{DC}ber"))
    }

    func testRefusesControlCharactersInANote() {
        let controls = (0x00...0x1F).filter { ![0x09, 0x0A, 0x0D].contains($0) } + (0x7F...0x9F)
        for control in controls {
            let raw = "a" + character(UInt32(control))
            XCTAssertNil(Note(raw), escaped(raw))
        }
    }

    func testNormalizingTwiceChangesNothing() {
        for raw in samples() {
            guard let text = Title(raw)?.text else { continue }
            assertSameBytes(Title(text)?.text, text)
        }
    }

    func testFoldsWhatASearchShouldNotMind() {
        let foldings: [(text: String, folded: String)] = [
            ("New Bike", "new bike"),
            (" New\t\n Bike ", "new bike"),
            ("Über", "uber"),
            ("U\u{308}ber", "uber"),
            ("Отпуск", "отпуск"),
            ("ОТПУСК", "отпуск"),
            ("Straße STRASSE", "strasse strasse"),
            ("ΌΣΟΣ ὅσος", "οσοσ οσοσ"),
            ("Łódź Ødegård", "lodz odegard"),
            ("İstanbul ısı", "istanbul isi"),
            ("ＡＢＣ１２", "abc12"),
            ("ｶﾞガカ\u{3099}", "ガガガ"),
            ("ﬁn ⅷ ㎏", "fin viii kg"),
            ("\u{1D400}\u{1F600}é", "a\u{1F600}e"),
            ("100%_\\", "100%_\\"),
            ("旅行", "旅行"),
            ("\u{200A8}", "\u{200A8}"),
        ]
        for (text, folded) in foldings {
            assertSameBytes(TextFolding.fold(text), folded)
        }
    }

    func testFoldingDoesNotMindHowATextIsComposed() {
        for (one, other) in [
            ("\u{AC00}\u{11A8}", "\u{AC01}"), ("\u{1D15E}\u{5B3}", "\u{1D157}\u{5B3}\u{1D165}"),
        ] {
            assertSameBytes(TextFolding.fold(one), TextFolding.fold(other))
        }
    }

    func testFoldingTwiceChangesNothing() {
        for text in samples() {
            let folded = TextFolding.fold(text)
            assertSameBytes(TextFolding.fold(folded), folded)
        }
    }

    func testFoldingDoesNotMindASCIIBesideAccents() {
        for value in UInt32(0)..<0x80 {
            let text = "x" + character(value) + "y"
            assertSameBytes(TextFolding.fold(text + "é"), TextFolding.fold(text + "e"))
        }
    }

    /// Every character of the alphabets, alone, after a letter, and with an accent.
    private func samples() -> [String] {
        (UInt32(0x20)..<0x3100).flatMap { value in
            [character(value), "a" + character(value), character(value) + "\u{301}"]
        }
    }

    private func character(_ value: UInt32) -> String {
        Unicode.Scalar(value).map { String(Character($0)) } ?? ""
    }

    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }

    private func assertSameBytes(
        _ text: String?,
        _ expected: String,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        XCTAssertEqual(
            text.map { Array($0.utf8) },
            Array(expected.utf8),
            "\(text.map(escaped) ?? "nil") instead of \(escaped(expected))",
            file: file,
            line: line
        )
    }
}
