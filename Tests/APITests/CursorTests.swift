import Store
import XCTest

@testable import API

final class CursorTests: XCTestCase {
    private let list = ListIdentity(of: .default, "goals", "active", nil, "title")
    private let positions = [
        Position(key: .integer(-5), high: 1, low: .max),
        Position(key: .integer(.max), high: .max, low: 0),
        Position(key: .text(""), high: 0, low: 0),
        Position(key: .text("fahrräder ÷ 自転車"), high: 3, low: 4),
    ]

    func testComesBackAsItWasGiven() throws {
        for position in positions {
            let text = Cursor(position).text(for: list)

            XCTAssertEqual(Cursor(text, for: list)?.position, position)
            XCTAssertTrue(
                text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
            )
        }
    }

    func testIsOnlyGoodForItsList() {
        let others = [
            ListIdentity(of: .default, "transactions", "active", nil, "title"),
            ListIdentity(of: .default, "goals", nil, "active", "title"),
            ListIdentity(of: .default, "goals", "active", "", "title"),
            ListIdentity(of: .default, "goals", "active", nil, "-title"),
            ListIdentity(of: .default, "goals", "active", nil, "title", nil),
            ListIdentity(of: .default, "goals", "activ", "e", "title"),
            ListIdentity(of: AccountID(rawValue: 2), "goals", "active", nil, "title"),
        ]
        for position in positions {
            let text = Cursor(position).text(for: list)
            for other in others {
                XCTAssertNil(Cursor(text, for: other))
            }
        }
    }

    func testIsNoLongerGoodWhenAnyPartIsChanged() {
        let text = Cursor(positions[3]).text(for: list)

        for index in text.indices {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            XCTAssertNil(Cursor(changed, for: list), changed)
            XCTAssertNil(Cursor(String(text[..<index]), for: list))
        }
        for changed in [text + "A", text + "=", " " + text, "", "nonsense", "é"] {
            XCTAssertNil(Cursor(changed, for: list), changed)
        }
    }

    func testBase64HasOneSpellingForEachBytes() {
        for bytes: [UInt8] in [[], [0], [255], [1, 2], [251, 255], [1, 2, 3], Array(0...255)] {
            XCTAssertEqual(Base64URL.decode(Base64URL.encode(bytes)), bytes)
        }
        XCTAssertEqual(Base64URL.encode([0xFB, 0xFF, 0xFE]), "-__-")
        // The last letter has bits that stand for nothing.
        XCTAssertEqual(Base64URL.decode("AA"), [0])
        XCTAssertNil(Base64URL.decode("AB"))
        XCTAssertNil(Base64URL.decode("A"))
        XCTAssertNil(Base64URL.decode("AA=="))
        XCTAssertNil(Base64URL.decode("+/+/"))
    }
}
