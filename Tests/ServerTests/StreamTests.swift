import Sockets
import Synchronization
import TestClient
import XCTest

@testable import HTTP
@testable import Server

final class StreamTests: XCTestCase {
    private var servers: [Server] = []

    override func tearDown() {
        for server in servers { server.stop(within: 10) }
        servers = []
    }

    func testSendsEachPieceWhenThereIsOneInItsOrder() throws {
        let stream = TestStream()
        let client = try TestClient(port: start([stream]).port)

        try client.send("GET /stream/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        let head = try client.answer()
        XCTAssertEqual(head.status, 200)
        XCTAssertEqual(head["transfer-encoding"], "chunked")
        XCTAssertEqual(head["content-type"], "text/event-stream")
        XCTAssertNil(head["content-length"])
        XCTAssertNil(head["connection"])

        var body = ChunkedBody(client)
        XCTAssertEqual(try body.next(6), "first\n")
        stream.waitUntilStarted()
        for number in 0..<100 {
            stream.say("\(1_000 + number)\n")
            XCTAssertEqual(try body.next(5), "\(1_000 + number)\n")
        }
        stream.say(.bytes([]))
        stream.say(.end(Array("last\n".utf8)))
        XCTAssertEqual(try body.rest(), "last\n")
        stream.waitUntilClosed()
    }

    func testAnswersTheRequestThatFollowsAStreamAfterItsEnd() throws {
        let stream = TestStream([.bytes(Array("a".utf8)), .bytes(Array("b".utf8))])
        let client = try TestClient(port: start([stream]).port)

        try client.send(
            "GET /stream/0 HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n"
        )
        _ = try client.answer()
        var body = ChunkedBody(client)
        XCTAssertEqual(try body.next(8), "first\nab")
        stream.waitUntilStarted()
        // This arrives while the stream goes on.
        try client.send("GET /another HTTP/1.1\r\nHost: x\r\n\r\n")
        stream.say(.end([]))

        XCTAssertEqual(try body.rest(), "")
        XCTAssertEqual(try client.answer().text, "/next from 127.0.0.1")
        XCTAssertEqual(try client.answer().text, "/another from 127.0.0.1")
    }

    func testEndsAStreamForHTTP10WithTheConnection() throws {
        let stream = TestStream([.bytes(Array("a".utf8)), .end(Array("b".utf8))])
        let client = try TestClient(port: start([stream]).port)

        try client.send("GET /stream/0 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")

        let head = try client.answer()
        XCTAssertNil(head["transfer-encoding"])
        XCTAssertNil(head["connection"])
        XCTAssertEqual(try client.readToEnd(), "first\nab")
        stream.waitUntilClosed()
    }

    func testAnswersHeadWithTheHeadOfAStreamAlone() throws {
        let stream = TestStream()
        let server = try start([stream])
        let client = try TestClient(port: server.port)

        try client.send("HEAD /stream/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(try client.answer(toHead: true)["content-type"], "text/event-stream")
        try client.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")

        XCTAssertEqual(try client.answer().text, "/next from 127.0.0.1")
        XCTAssertFalse(stream.isStarted)
        XCTAssertEqual(stream.closings, 1)
        XCTAssertEqual(server.figures.openStreams, 0)
    }

    func testStreamsAnAnswerThatHadToBeWaitedFor() throws {
        let stream = TestStream([.end(Array("last\n".utf8))])
        let server = try start([stream])
        let client = try TestClient(port: server.port)

        try client.send("GET /later/0 HTTP/1.1\r\nHost: x\r\n\r\n")

        XCTAssertEqual(try client.answer().status, 200)
        var body = ChunkedBody(client)
        XCTAssertEqual(try body.rest(), "first\nlast\n")
        XCTAssertEqual(server.figures.requestsInFlight, 0)
    }

    func testSendsWhatManyThreadsSayAtOnceAndLosesNothing() throws {
        let stream = TestStream()
        let client = try TestClient(port: start([stream]).port)
        try client.send("GET /stream/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try client.answer()
        stream.waitUntilStarted()

        let threads = 4
        let lines = 2_000
        let done = expectation(description: "All is said")
        DispatchQueue.global().async {
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                for number in 0..<lines {
                    stream.say("\(thread) \(number)\n")
                    if number.isMultiple(of: 7) { stream.wake() }
                }
            }
            stream.say(.end([]))
            done.fulfill()
        }

        var body = ChunkedBody(client)
        let said = try body.rest().split(separator: "\n").dropFirst()
        wait(for: [done], timeout: 10)
        for thread in 0..<threads {
            XCTAssertEqual(
                said.filter { $0.hasPrefix("\(thread) ") },
                (0..<lines).map { "\(thread) \($0)" }
            )
        }
    }

    func testSendsAHeartbeatWhenThereIsNothingElse() throws {
        let stream = TestStream()
        let server = try start([stream]) { $0.heartbeatInterval = 50 }
        let client = try TestClient(port: server.port)

        try client.send("GET /stream/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try client.answer()

        var body = ChunkedBody(client)
        XCTAssertEqual(try body.next(10), "first\n:\n:\n")
        stream.say(.end([]))
        XCTAssertEqual(try body.rest().filter { $0 != ":" && $0 != "\n" }, "")
        XCTAssertEqual(server.figures.idleTimeouts, 0)
    }

    func testTellsWhereARequestCameFrom() throws {
        let server = try start([], host: "::")
        let addresses = [("127.0.0.1", "127.0.0.1"), ("::1", "::1")]
        for (host, peer) in addresses {
            let client = try TestClient(port: server.port, host: host)
            for _ in 0..<2 {
                try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                XCTAssertEqual(try client.answer().text, "/a from \(peer)")
            }
        }
    }
}

// MARK: - Bounds

extension StreamTests {
    func testDropsAClientThatDoesNotReadItsStream() throws {
        let stream = TestStream(endless: [UInt8](repeating: 7, count: 10_000))
        let server = try start([stream]) { $0.writeTimeout = 50 }
        let client = try TestClient(port: server.port)

        try client.send("GET /stream/0 HTTP/1.1\r\nHost: x\r\n\r\n")

        stream.waitUntilClosed()
        XCTAssertEqual(server.figures.writeTimeouts, 1)
        XCTAssertEqual(server.figures.openStreams, 0)
        // What the kernel holds for both sides is all that it was asked for.
        XCTAssertLessThan(stream.bytesGiven, 32 * 1024 * 1024)
        client.close()
    }

    func testAnswersAStreamBeyondTheLimitWithARefusal() throws {
        let streams = [TestStream(), TestStream(), TestStream()]
        let server = try start(streams) { $0.streams = 1 }
        let (first, second) = (try TestClient(port: server.port), try TestClient(port: server.port))
        try first.send("GET /stream/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try first.answer()
        XCTAssertEqual(server.figures.openStreams, 1)

        try second.send("GET /stream/1 HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(try second.answer().status, 503)
        XCTAssertEqual(streams[1].closings, 1)
        XCTAssertFalse(streams[1].isStarted)

        first.close()
        streams[0].waitUntilClosed()
        try second.send("GET /stream/2 HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(try second.answer().status, 200)
    }

    func testGivesOthersTheirTurnWhileAllStreamsWake() throws {
        let streams = (0..<300).map { _ in TestStream() }
        let order = Mutex<[String]>([])
        let server = try start(
            streams,
            log: { exchange in
                order.withLock { $0.append(exchange.path ?? "-") }
            }
        )
        let clients = try streams.indices.map { index in
            let client = try TestClient(port: server.port)
            try client.send("GET /stream/\(index) HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try client.answer()
            return client
        }
        let other = try TestClient(port: server.port)
        // The loop has nothing to do any more once it has answered this.
        try other.send("GET /before HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try other.answer()
        order.withLock { $0 = [] }

        let (held, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for stream in streams { stream.onNext { order.withLock { $0.append("piece") } } }
        streams[0].onNext {
            held.signal()
            released.wait()
        }
        streams[0].say("a")
        held.wait()
        streams[0].onNext(nil)
        for stream in streams.dropFirst() { stream.say("a") }
        try other.send("GET /between HTTP/1.1\r\nHost: x\r\n\r\n")
        released.signal()

        XCTAssertEqual(try other.answer().text, "/between from 127.0.0.1")
        for client in clients { XCTAssertFalse(try client.more().isEmpty) }
        let place = try XCTUnwrap(order.withLock { $0.firstIndex(of: "/between") })
        XCTAssertLessThan(place, 2 * 64 + 1, "It waits for more than a turn's streams")
    }
}

// MARK: - Ends

extension StreamTests {
    func testClosesAStreamWhoseClientHangsUp() throws {
        let streams = [TestStream(), TestStream(), TestStream()]
        let server = try start(streams)
        let clients = try streams.indices.map { _ in try TestClient(port: server.port) }
        for (index, client) in clients.enumerated() {
            try client.send("GET /stream/\(index) HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try client.answer()
            streams[index].waitUntilStarted()
        }

        clients[0].close()
        streams[0].waitUntilClosed()
        try clients[1].reset()
        streams[1].waitUntilClosed()
        // It may still read, but wants no more.
        clients[2].shutDownWriting()
        streams[2].waitUntilClosed()

        var body = ChunkedBody(clients[2])
        XCTAssertEqual(try body.rest(), "first\n")
        for stream in streams {
            stream.wake()
            XCTAssertEqual(stream.closings, 1)
        }
    }

    func testClosesAStreamWhoseClientHangsUpBehindWhatItHasSent() throws {
        let stream = TestStream()
        let client = try TestClient(port: start([stream]).port)
        try client.send("GET /stream/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try client.answer()
        stream.waitUntilStarted()

        try client.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
        client.shutDownWriting()

        stream.waitUntilClosed()
        var body = ChunkedBody(client)
        XCTAssertEqual(try body.rest(), "first\n")
        XCTAssertEqual(try client.answer().text, "/next from 127.0.0.1")
        XCTAssertEqual(try client.readToEnd(), "")
    }

    func testEndsStreamsInOrderWhenStopped() throws {
        let streams = [TestStream(), TestStream()]
        let server = try start(streams)
        let clients = try streams.indices.map { _ in try TestClient(port: server.port) }
        for (index, client) in clients.enumerated() {
            try client.send("GET /stream/\(index) HTTP/1.\(1 - index)\r\nHost: x\r\n\r\n")
            _ = try client.answer()
            streams[index].waitUntilStarted()
        }

        let stopped = expectation(description: "The server stops in time")
        DispatchQueue.global().async {
            if server.stop(within: 10) { stopped.fulfill() }
        }

        var body = ChunkedBody(clients[0])
        XCTAssertEqual(try body.rest(), "first\nfarewell\n")
        XCTAssertEqual(try clients[0].readToEnd(), "")
        XCTAssertEqual(try clients[1].readToEnd(), "first\nfarewell\n")
        for client in clients { client.close() }
        wait(for: [stopped], timeout: 10)
        XCTAssertEqual(streams.map(\.closings), [1, 1])
        XCTAssertEqual(server.figures.openStreams, 0)
    }

    func testWaitsForAClientThatDoesNotReadItsStreamOnlyShortlyWhenStopped() throws {
        let stream = TestStream(endless: [UInt8](repeating: 7, count: 10_000))
        let server = try start([stream])
        let client = try TestClient(port: server.port)
        try client.send("GET /stream/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        stream.waitUntilStarted()

        // Less than the time-out of a client that does not read.
        XCTAssertTrue(server.stop(within: 8), "It waits for the client")

        XCTAssertEqual(stream.closings, 1)
        client.close()
    }

    func testClosesTheStreamsThatAStopCutsOff() throws {
        let stream = TestStream()
        let server = try start([stream])
        let client = try TestClient(port: server.port)
        try client.send("GET /stream/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        stream.waitUntilStarted()

        server.stop(within: 0)

        XCTAssertEqual(stream.closings, 1)
        client.close()
    }

    // MARK: -

    private func start(
        _ streams: [TestStream],
        host: String = "127.0.0.1",
        _ configure: (inout ServerConfiguration.Limits) -> Void = { _ in },
        log: (@Sendable (Exchange) -> Void)? = nil
    ) throws -> Server {
        var configuration = ServerConfiguration()
        configuration.host = host
        configure(&configuration.limits)
        let server = try Server(configuration, responder: StreamResponder(streams), log: log)
        server.start()
        servers.append(server)
        return server
    }
}

/// The body of an answer in chunks, as it comes in.
private struct ChunkedBody {
    private let client: TestClient
    private var reader = ChunkReader()
    private var bytes: [UInt8] = []
    private var offset = 0
    private var body: [UInt8] = []

    init(_ client: TestClient) {
        self.client = client
    }

    /// Reads the next so many bytes of the body.
    mutating func next(_ count: Int) throws -> String {
        while body.count < count {
            guard try !advance() else { throw Nonsense("ended before its time") }
        }
        defer { body.removeFirst(count) }
        return String(decoding: body[..<count], as: UTF8.self)
    }

    /// Reads the body to its end, and leaves to the client what comes after it.
    mutating func rest() throws -> String {
        while try !advance() {}
        client.putBack(bytes[offset...])
        defer { (bytes, offset, body) = ([], 0, []) }
        return String(decoding: body, as: UTF8.self)
    }

    /// Reads on.
    ///
    /// - Returns: Whether the body has ended.
    private mutating func advance() throws -> Bool {
        if offset == bytes.count {
            (bytes, offset) = (try client.more(), 0)
            guard !bytes.isEmpty else { throw Nonsense("ended in a chunk") }
        }
        var limits = RequestParser.Limits()
        limits.bodyBytes = .max
        return try reader.read(bytes, from: &offset, into: &body, limits: limits)
    }

    private struct Nonsense: Error {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}
