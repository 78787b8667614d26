import HTTP
import Sockets
import Store
import XCTest

@testable import API

final class AccessTokenTests: XCTestCase {
    func testIsReadAsItWasWritten() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let token = AccessToken(using: &generator)

            XCTAssertEqual(AccessToken(Array(token.text.utf8)[...]), token)
            XCTAssertEqual(token.text.utf8.count, 63)
            XCTAssertTrue(token.text.hasPrefix("gp_\(token.id)_"))
            XCTAssertTrue(token.text.hasSuffix("_\(token.secretText)"))
        }
    }

    func testHasABitForEveryBitOfItsRandomness() throws {
        // Each bit of the five words shows in the text, and so in what is compared.
        var texts: Set<String> = []
        for bit in 0..<320 {
            var generator = OneBit(bit: bit)
            texts.insert(AccessToken(using: &generator).text)
        }

        XCTAssertEqual(texts.count, 320)
    }

    func testIsNothingElse() {
        let good = "gp_00000000000000ff_" + String(repeating: "A", count: 43)
        XCTAssertNotNil(AccessToken(Array(good.utf8)[...]))
        let start = String(good.dropLast())
        let others: [String] = [
            "", "gp_", "gp_00000000000000ff_", good + "A", start, good.uppercased(), " " + start,
            good.replacing("ff_", with: "FF_"), good.replacing("gp", with: "gq"),
            good.replacing("ff_", with: "ff-"), good.replacing("00ff", with: "0xff"),
            start + "+", start + "=", start + "/",
            // The same bits in another spelling: the last two bits are of no use, and must be none.
            start + "B", start + "C", start + "D",
        ]
        for other in others {
            XCTAssertNil(AccessToken(Array(other.utf8)[...]), other)
        }
    }

    func testNeverShowsItsSecretInAMessage() throws {
        var generator = SystemRandomNumberGenerator()
        let token = AccessToken(using: &generator)

        for message in ["\(token)", String(reflecting: token), "\([token])"] {
            XCTAssertFalse(message.contains(token.secretText), message)
            XCTAssertTrue(message.contains("gp_\(token.id)_…"), message)
        }
    }

    func testAFixedTokenIsOneOfReasonableLength() throws {
        for good in [
            String(repeating: "x", count: 32), String(repeating: "x", count: 256),
            "AZaz09-._~+/AZaz09-._~+/AZaz09==", String(repeating: "a", count: 31) + "=",
        ] {
            let token = try XCTUnwrap(FixedToken(good), good)
            XCTAssertTrue(token.matches(Array(good.utf8)[...]))
            XCTAssertFalse(token.matches(Array(good.utf8.dropLast())[...]))
            XCTAssertFalse(token.matches(Array(good.utf8) + [0x78]))
            XCTAssertFalse("\(token)".contains(good))
            XCTAssertFalse(String(reflecting: token).contains(good))
            var dumped = ""
            dump(token, to: &dumped)
            XCTAssertFalse(dumped.contains("120"), "Not as bytes either: \(dumped)")
        }
        for bad in [
            "", "short", String(repeating: "x", count: 31), String(repeating: "x", count: 257),
            String(repeating: "x", count: 31) + " ", String(repeating: "x", count: 31) + "ä",
            String(repeating: "x", count: 20) + "=" + String(repeating: "x", count: 20),
            String(repeating: "=", count: 32), String(repeating: "x", count: 31) + "\n",
        ] {
            XCTAssertNil(FixedToken(bad), bad)
        }
    }
}

/// Makes 64-bit words that together have one bit set.
private struct OneBit: RandomNumberGenerator {
    var bit: Int

    mutating func next() -> UInt64 {
        defer { bit -= 64 }
        return (0..<64).contains(bit) ? 1 << UInt64(bit) : 0
    }
}
