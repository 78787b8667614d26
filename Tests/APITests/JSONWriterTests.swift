import XCTest

@testable import API

final class JSONWriterTests: XCTestCase {
    func testWritesMembersInTheirOrder() {
        var json = JSONWriter()
        json.object { json in
            json.member("text", "a")
            json.member("number", -12)
            json.member("nothing", String?.none)
            json.member("numbers", array: [1, 2, 3])
            json.member("none", array: [Int]())
            json.member("last", "z")
        }

        XCTAssertEqual(
            String(decoding: json.bytes, as: UTF8.self),
            #"{"text":"a","number":-12,"nothing":null,"numbers":[1,2,3],"none":[],"last":"z"}"#
        )
    }

    func testEscapesWhatMustBeAndNothingElse() {
        let text = "\"\\/\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}é😀\u{2028}"

        XCTAssertEqual(
            String(decoding: text.jsonBytes, as: UTF8.self),
            #""\"\\/\u0000\u0001\b\t\n\u000b\f\r\u001f"# + "\u{7F}é😀\u{2028}\""
        )
        XCTAssertEqual(try JSON(text.jsonBytes), .string(text))
    }
}
