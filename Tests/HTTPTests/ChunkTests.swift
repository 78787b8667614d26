import HTTP
import XCTest

final class ChunkTests: XCTestCase {
    private let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    func testJoinsTheChunks() throws {
        let bodies: [(String, String)] = [
            ("0\r\n\r\n", ""),
            ("000\r\n\r\n", ""),
            ("2\r\n{}\r\n0\r\n\r\n", "{}"),
            ("1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", "{}"),
            ("a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n", "01234567890123456789a"),
            ("0000000000000002\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
            ("5\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n"),
        ]
        for (chunks, body) in bodies {
            XCTAssertEqual(try request(head + chunks).body, bytes(body), chunks)
        }
    }

    func testIgnoresExtensionsAndTrailerFields() throws {
        let bodies = [
            "2;a\r\n{}\r\n0\r\n\r\n", "2;a=b;c;d=\"e;f\"\r\n{}\r\n0;last\r\n\r\n",
            "2 ;\ta = b\t; c = \"\\\"\\\\\u{E9}\" ;d\r\n{}\r\n0\r\n\r\n",
            "2;a ;b =\"\"\r\n{}\r\n0\r\n\r\n",
            "2\r\n{}\r\n0\r\nX-Sum: 1\r\nX-Two:2\r\nX-Three:\r\n\r\n",
            "2\r\n{}\r\n0\r\nContent-Length: 999\r\nTransfer-Encoding: x\r\nHost: b\r\n\r\n",
        ]
        for chunks in bodies {
            let request = try request(head + chunks)
            XCTAssertEqual(request.body, bytes("{}"), chunks)
            XCTAssertEqual(request.headers, ["Host": "a", "Transfer-Encoding": "chunked"], chunks)
        }
    }

    func testRefusesWhatIsNoChunk() {
        let noSize = "A chunk does not begin with its size in hexadecimal digits."
        let noLine = "The line of a chunk's size has a byte that can't be there."
        let noEnd = "A chunk or its line does not end in CR and LF."
        let noExtension = "The extension of a chunk is not a name with an optional value."
        let noTrailer = "What follows the last chunk is neither a field nor the end."
        let sentences: [(String, String)] = [
            ("{\"title\"", noSize), ("\r\n", noSize), (" 2\r\n{}", noSize), ("+2\r\n{}", noSize),
            ("-2\r\n{}", noSize), ("xyz\r\n", noSize), (";a\r\n", noSize), ("\n", noSize),
            ("0x2\r\n{}", noLine), ("2_0\r\n", noLine), ("2\n{}", noLine), ("2g\r\n", noLine),
            ("2.0\r\n", noLine), ("2,\r\n", noLine), ("2\0\r\n", noLine),
            ("2\rX\r\n{}", noEnd), ("2\r\r\n{}", noEnd),
            ("2 \r\n{}", noExtension), ("2\t\r\n{}", noExtension), ("2 a\r\n{}", noExtension),
            ("2;\r\n{}", noExtension), ("2;\n", noExtension), ("2;;a\r\n", noExtension),
            ("2;a=\r\n{}", noExtension), ("2;a=;\r\n{}", noExtension),
            ("2;a \r\n{}", noExtension), ("2;a=\"\r\n", noExtension),
            ("2;a=\"\\\r\n", noExtension), ("2;a=\"\0\"\r\n", noExtension),
            ("2;\0\r\n", noExtension), ("2;=b\r\n", noExtension),
            ("2;a=\0\r\n", noExtension), ("2;a\n{}", noLine), ("2;a=b\n{}", noLine),
            ("2;a=\"b\"c\r\n", noLine), ("2;a=b@\r\n", noLine),
            ("2\r\n{}}\r\n", noEnd), ("2\r\n{}\n0\r\n", noEnd), ("2\r\n{}\r0\r\n", noEnd),
            ("2\r\n{}0\r\n\r\n", noEnd), ("3\r\n{}\r\n0\r\n\r\n", noEnd),
            ("0\r\nXX\r\n\r\n", noTrailer), ("0\r\n X: 1\r\n\r\n", noTrailer),
            ("0\r\nX : 1\r\n\r\n", noTrailer), ("0\r\n: 1\r\n\r\n", noTrailer),
            ("0\r\nX: \0\r\n\r\n", noTrailer), ("0\r\nX: 1\n\r\n", noTrailer),
            ("0\r\n\n", noTrailer), ("0\r\nX: 1\r\n 2\r\n\r\n", noTrailer),
            ("0\r\nX: 1\rY: 2\r\n\r\n", noEnd), ("0\r\n\rX", noEnd),
            ("00000000000000002\r\n{}", "The size of a chunk is too long."),
            ("10000000000000054\r\n", "The size of a chunk is too long."),
        ]
        for (chunks, sentence) in sentences {
            XCTAssertEqual(Reading(head + chunks).refusal, .malformed(sentence), chunks)
        }
    }

    func testRefusesChunksThatExceedTheLimitTogether() {
        for size in [
            "100001", "7fffffff", "7fffffffffffffff", "8000000000000000", "FFFFFFFFFFFFFFFF",
        ] {
            XCTAssertEqual(Reading("\(head)\(size)\r\n").refusal, .contentTooLarge, size)
        }

        var limits = RequestParser.Limits()
        limits.bodyBytes = 3
        XCTAssertNil(Reading("\(head)2\r\n{}\r\n1\r\n", limits: limits).refusal)
        XCTAssertEqual(
            Reading("\(head)2\r\n{}\r\n2\r\n", limits: limits).refusal,
            .contentTooLarge
        )
    }

    func testBoundsExtensionsAndTrailerFieldsAsAWhole() {
        let long = String(repeating: "x", count: 2_000)
        let tooLong = Refusal.malformed("The extensions of the chunks are too long.")
        XCTAssertNil(Reading("\(head)1;\(long)\r\n1\r\n1;\(long)").refusal)
        XCTAssertEqual(Reading("\(head)1;\(long)\r\n1\r\n1;\(long)\(long)").refusal, tooLong)
        XCTAssertEqual(Reading("\(head)0\(String(repeating: " ", count: 5_000))").refusal, tooLong)

        XCTAssertNil(Reading("\(head)0\r\nX: \(long)\r\nX: \(long)").refusal)
        XCTAssertEqual(
            Reading("\(head)0\r\nX: \(long)\r\nX: \(long)\(long)").refusal,
            .headTooLarge
        )
    }
}
