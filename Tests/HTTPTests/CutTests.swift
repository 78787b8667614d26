import HTTP
import TestRandom
import XCTest

/// The network cuts a stream of bytes wherever it likes, and no cut may change what is read.
final class CutTests: XCTestCase {
    private let streams = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\n\r\nGET /a?b HTTP/1.0\r\nX-A:  1 \r\nConnection: keep-alive\r\n\r\n\r\nHEAD / HTTP/1.1\r\nHost: b\r\n\r\n",
        "POST /goals HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n\r\n\r\n\rGET /b HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;a=\"b\\\"\" ;c\r\n\r\n0\r\n0a\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n"
            + "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\nGET http://[::1]?q HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}GET /x",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /%4 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\rGET / HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\nbc\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\nGET / HTTP/1.1\r\n",
        "GET / HTTP/2.0\r\n\r\n",
        "BREW / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\u{E9} HTTP/1.1\r\nHost: a\r\n\r\n",
        "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM@ / HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX-Long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\0\r\n\r\n",
    ]

    /// Limits that the longest of the streams reach.
    private var limits: RequestParser.Limits {
        var limits = RequestParser.Limits()
        limits.targetBytes = 40
        limits.headBytes = 90
        limits.bodyBytes = 20
        return limits
    }

    func testReadsTheSameHoweverTheBytesAreCutInTwo() {
        for stream in streams.map(bytes) {
            let whole = Reading([stream[...]], limits: limits)
            for cut in stream.indices {
                let reading = Reading([stream[..<cut], stream[cut...]], limits: limits)
                XCTAssertEqual(reading, whole, "cut at \(cut)")
            }
        }
    }

    func testReadsTheSameByteByByte() {
        for stream in streams.map(bytes) {
            XCTAssertEqual(
                Reading(stream.indices.map { stream[$0...$0] }, limits: limits),
                Reading([stream[...]], limits: limits)
            )
        }
    }

    func testReadsTheSameInRandomPieces() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let stream = bytes(
                (0..<3).map { _ in streams.randomElement(using: &generator) ?? "" }.joined()
            )
            var pieces: [ArraySlice<UInt8>] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let length = Int.random(in: 0...30, using: &generator)
                pieces.append(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            XCTAssertEqual(Reading(pieces, limits: limits), Reading([stream[...]], limits: limits))
        }
    }

    func testNeverStopsTheProcessWhateverArrives() {
        var generator = SplitMix64(seed: 2)
        let interesting = bytes("\r\n\r\n :;,/?%*#\"\\\t\0\u{FF}0aGET HTTP/1.1Host:")
        for _ in 0..<20_000 {
            var stream = bytes(streams.randomElement(using: &generator) ?? "")
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<stream.count, using: &generator)
                let byte = interesting.randomElement(using: &generator) ?? 0
                switch UInt8.random(in: 0...2, using: &generator) {
                case 0: stream[place] = byte
                case 1: stream.insert(byte, at: place)
                default: stream.removeSubrange(place..<min(place + 3, stream.count))
                }
            }
            let cut = Int.random(in: 0...stream.count, using: &generator)
            XCTAssertEqual(
                Reading([stream[..<cut], stream[cut...]], limits: limits),
                Reading([stream[...]], limits: limits)
            )
        }
    }

    func testReadsManyRequestsSentTogether() {
        let one = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
        let reading = Reading(String(repeating: one, count: 5_000))

        XCTAssertNil(reading.refusal)
        XCTAssertEqual(reading.requests.count, 5_000)
        XCTAssertEqual(reading.requests.last?.id, RequestID(made: 5_000))
    }

    func testReadsBackWhatARequestIsPrintedAs() throws {
        for stream in streams.map(bytes) {
            for request in Reading([stream[...]], limits: limits).requests {
                let origin = request.path + (request.query.map { "?" + $0 } ?? "")
                let target = request.authority.map { "http://\($0)\(origin)" } ?? origin
                let version = request.version == .http10 ? "1.0" : "1.1"
                let fields = request.headers
                    .filter { $0[0] != "Transfer-Encoding" && $0[0] != "Content-Length" }
                    .map { "\($0[0]): \($0[1])\r\n" }
                    .joined()
                let again = Reading(
                    [
                        bytes("\(request.method.rawValue) \(target) HTTP/\(version)\r\n\(fields)")[
                            ...
                        ],
                        bytes("Content-Length: \(request.body.count)\r\n\r\n")[...],
                        request.body[...],
                    ]
                )
                XCTAssertNil(again.refusal)
                XCTAssertEqual(again.requests.count, 1)
                let printed = try XCTUnwrap(again.requests.first)
                XCTAssertEqual(printed.method, request.method)
                XCTAssertEqual(printed.path, request.path)
                XCTAssertEqual(printed.query, request.query)
                XCTAssertEqual(printed.authority, request.authority)
                XCTAssertEqual(printed.body, request.body)
                XCTAssertEqual(printed.keepsAlive, request.keepsAlive)
            }
        }
    }
}
