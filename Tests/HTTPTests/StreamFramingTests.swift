import XCTest

@testable import HTTP

final class StreamFramingTests: XCTestCase {
    private let date = HTTPDate(secondsSinceEpoch: 784_111_777)

    func testWritesPiecesAsChunksThatReadAsTheBody() throws {
        let lengths = [0, 1, 15, 16, 17, 0, 255, 256, 4_095, 4_096, 65_536]
        var output: [UInt8] = []
        for length in lengths {
            StreamFraming.chunked.write(
                [UInt8](repeating: UInt8(truncatingIfNeeded: length), count: length),
                into: &output
            )
        }
        StreamFraming.chunked.writeEnd(into: &output)

        var reader = ChunkReader()
        var (offset, body): (Int, [UInt8]) = (0, [])
        XCTAssertTrue(try reader.read(output, from: &offset, into: &body, limits: .init()))
        XCTAssertEqual(offset, output.count)
        XCTAssertEqual(
            body,
            lengths.flatMap { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: $0) }
        )
    }

    func testWritesNothingForAnEmptyPieceWhichWouldBeTheEnd() {
        var output: [UInt8] = []
        StreamFraming.chunked.write([], into: &output)

        XCTAssertEqual(output, [])
    }

    func testWritesPiecesAsTheyAreWhereTheConnectionEndsTheBody() {
        var output: [UInt8] = []
        StreamFraming.untilClose.write(Array("one".utf8), into: &output)
        StreamFraming.untilClose.write(Array("two".utf8), into: &output)
        StreamFraming.untilClose.writeEnd(into: &output)

        XCTAssertEqual(String(decoding: output, as: UTF8.self), "onetwo")
    }

    func testBeginsAStreamWithItsHeadAndFirstPiece() {
        let start = start(of: Response(.ok, headers: ["X-A": "b"], body: Array("piece".utf8)))

        XCTAssertEqual(
            start.text,
            """
            HTTP/1.1 200 OK\r
            X-A: b\r
            Transfer-Encoding: chunked\r
            Date: Sun, 06 Nov 1994 08:49:37 GMT\r
            X-Request-Id: 0000000000000007\r
            \r
            5\r
            piece\r

            """
        )
        XCTAssertEqual(start.framing, .chunked)
    }

    func testBeginsAStreamForAClientThatKnowsNoChunks() {
        let start = start(of: Response(.ok, body: Array("piece".utf8)), version: .http10)

        XCTAssertEqual(
            start.text,
            """
            HTTP/1.1 200 OK\r
            Date: Sun, 06 Nov 1994 08:49:37 GMT\r
            X-Request-Id: 0000000000000007\r
            \r
            piece
            """
        )
        XCTAssertEqual(start.framing, .untilClose)
    }

    func testEndsAfterTheHeadWhereThereIsNoBody() {
        let head = start(of: Response(.ok, body: Array("piece".utf8)), method: .head)
        let empty = start(of: Response(.noContent, body: Array("piece".utf8)))

        for start in [head, empty] {
            XCTAssertTrue(start.text.hasSuffix("X-Request-Id: 0000000000000007\r\n\r\n"))
            XCTAssertFalse(start.text.contains("Transfer-Encoding"), start.text)
            XCTAssertNil(start.framing)
        }
    }

    // MARK: -

    private func start(
        of response: Response,
        method: HTTP.Method = .get,
        version: HTTPVersion = .http11
    ) -> (text: String, framing: StreamFraming?) {
        var output: [UInt8] = []
        let framing = ResponseWriter.writeStart(
            of: response,
            to: ResponseWriter.Context(
                method: method,
                version: version,
                requestID: RequestID(made: 7),
                keepsAlive: version == .http11
            ),
            date: date,
            into: &output
        )
        return (String(decoding: output, as: UTF8.self), framing)
    }
}
