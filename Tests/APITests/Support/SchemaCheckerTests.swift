import XCTest

/// The tests of the answers stand on this checker, so it is tested itself.
final class SchemaCheckerTests: XCTestCase {
    func testTakesWhatASchemaAllowsAndNothingElse() throws {
        for (schema, right, wrong) in [
            (#"{"type": "integer"}"#, "3", "3.5"),
            (#"{"type": ["string", "null"]}"#, "null", "1"),
            (#"{"enum": ["a", "b"]}"#, #""b""#, #""c""#),
            (#"{"const": "a"}"#, #""a""#, #""b""#),
            (#"{"pattern": "^[a-z]+$"}"#, #""ab""#, #""aB""#),
            (#"{"format": "date"}"#, #""2028-02-29""#, #""2027-02-29""#),
            (#"{"format": "uuid"}"#, #""01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70""#, #""01a318ae""#),
            (#"{"format": "date-time"}"#, #""2027-01-15T09:30:00.000Z""#, #""2027-01-15""#),
            (#"{"minLength": 2}"#, #""ab""#, #""a""#),
            (#"{"maxLength": 1}"#, #""a""#, #""ab""#),
            (#"{"minimum": 1}"#, "1", "0"),
            (#"{"maximum": 1}"#, "1", "2"),
            (#"{"exclusiveMinimum": 1}"#, "1.5", "1"),
            (#"{"minItems": 1}"#, "[1]", "[]"),
            (#"{"maxItems": 1}"#, "[1]", "[1, 2]"),
            (#"{"items": {"type": "null"}}"#, "[null]", "[null, 1]"),
            (#"{"required": ["a"]}"#, #"{"a": 1}"#, #"{"b": 1}"#),
            (#"{"properties": {"a": {"type": "null"}}}"#, #"{"a": null}"#, #"{"a": 1}"#),
            (#"{"additionalProperties": false}"#, "{}", #"{"a": 1}"#),
            (#"{"oneOf": [{"type": "null"}, {"type": "string"}]}"#, "null", "1"),
            (#"{"not": {"type": "null"}}"#, "1", "null"),
            (##"{"$ref": "#/word"}"##, #""a""#, "1"),
        ] {
            let checker = SchemaChecker(document: try tree(#"{"word": {"type": "string"}}"#))

            XCTAssertEqual(checker.mistakes(in: try tree(right), by: try tree(schema)), [])
            XCTAssertNotEqual(
                checker.mistakes(in: try tree(wrong), by: try tree(schema)),
                [],
                "\(wrong) by \(schema)"
            )
        }
    }

    func testSaysWhereAMistakeIs() throws {
        let schema = #"{"properties": {"a": {"items": {"required": ["b"]}}}}"#
        let checker = SchemaChecker(document: .null)

        XCTAssertEqual(
            checker.mistakes(in: try tree(#"{"a": [{"b": 1}, {}]}"#), by: try tree(schema)),
            ["/a/1: b is missing"]
        )
    }

    func testDoesNotPassOverAKeywordItDoesNotKnow() throws {
        let checker = SchemaChecker(document: .null)

        XCTAssertEqual(
            checker.mistakes(in: .null, by: try tree(#"{"maximun": 1}"#)),
            [": the schema has the keyword maximun, which is not read here"]
        )
    }

    private func tree(_ json: String) throws -> JSONTree {
        try JSONTree(json: Array(json.utf8))
    }
}
