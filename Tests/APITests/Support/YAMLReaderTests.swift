import XCTest

/// The tests of the document stand on this reader, so it is tested itself.
final class YAMLReaderTests: XCTestCase {
    func testReadsBlocksScalarsAndComments() throws {
        let text = """
            # A comment
            plain: some words
            "quoted: key": "a \\"quote\\" and a \\\\"
            'single': 'it''s'
            number: -1.5
            nothing: null
            list: [a, "b", 3]
            empty: {}
            folded: >-
              two lines
              become one
            kept: |-
              two lines

                # remain
            items:
              - name: first
                deep:
                  - 1
              - second

            """

        XCTAssertEqual(
            try YAMLReader.read(text),
            .object([
                "plain": .string("some words"),
                "quoted: key": .string(#"a "quote" and a \"#),
                "single": .string("it's"),
                "number": .number(-1.5),
                "nothing": .null,
                "list": .array([.string("a"), .string("b"), .number(3)]),
                "empty": .object([:]),
                "folded": .string("two lines become one"),
                "kept": .string("two lines\n\n  # remain"),
                "items": .array([
                    .object(["name": .string("first"), "deep": .array([.number(1)])]),
                    .string("second"),
                ]),
            ])
        )
    }

    func testRefusesWhatItMightMisread() {
        for text in [
            "a: 1\na: 2", "a: {b: 1}", "a: [[b]]", "a: &anchor b", "a: b: c", "a: b # c", "a",
            "a:\n   b: 1", "a: \"b", "a: \"\\n\"", "a:", "a: >\n  b", "a: 1\n  b: 2",
        ] {
            XCTAssertThrowsError(try YAMLReader.read(text), text)
        }
    }
}
