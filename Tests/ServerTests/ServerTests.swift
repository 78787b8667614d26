import HTTP
import Sockets
import Synchronization
import TestClient
import XCTest

@testable import Server

final class ServerTests: XCTestCase {
    private let responder = TestResponder()
    private var servers: [Server] = []

    override func tearDown() {
        responder.open()
        for server in servers { server.stop(within: 10) }
        servers = []
    }

    func testAnswersOneRequestAfterTheOtherOnAConnection() throws {
        let client = try TestClient(port: start().port)

        for path in ["/a", "/b", "/c"] {
            try client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try client.answer()
            XCTAssertEqual(answer.status, 200)
            XCTAssertEqual(answer.text, "GET \(path) ")
            XCTAssertNil(answer["connection"])
        }
    }

    func testAnswersInTheOrderOfTheRequestsHoweverLongEachTakes() throws {
        let client = try TestClient(port: start().port)
        let kinds = ["", "/later", "/promised/elsewhere", "/promised/here"]
        let paths = (0..<200).map { "\(kinds[$0 * 7 % 11 % 4])/\($0)" }

        try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())

        for path in paths { XCTAssertEqual(try client.answer().text, "GET \(path) ") }
    }

    func testServesManyConnectionsOnSeveralLoops() throws {
        let port = try start { $0.loops = 3 }.port
        let clients = try (0..<50).map { _ in try TestClient(port: port) }

        for round in 0..<5 {
            for client in clients { try client.send("GET /\(round) HTTP/1.1\r\nHost: x\r\n\r\n") }
            for client in clients { XCTAssertEqual(try client.answer().text, "GET /\(round) ") }
        }
    }

    func testReadsABodyOfAnyCut() throws {
        let client = try TestClient(port: start().port)
        let body = String(repeating: "0123456789", count: 60_000)

        try client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n")
        try client.send(body)
        XCTAssertEqual(try client.answer().text, "POST /a \(body)")

        try client.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for start in stride(from: 0, to: body.count, by: 100_000) {
            try client.send("186a0\r\n\(body.dropFirst(start).prefix(100_000))\r\n")
        }
        try client.send("0\r\n\r\n")
        XCTAssertEqual(try client.answer().text, "POST /a \(body)")
    }

    func testSaysContinueBeforeTheBody() throws {
        let client = try TestClient(port: start().port)

        try client.send(
            "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        )
        XCTAssertEqual(try client.answer().status, 100)
        try client.send("{}")
        XCTAssertEqual(try client.answer().text, "POST /a {}")
    }

    func testAnswersHeadWithoutABodyButWithItsLength() throws {
        let client = try TestClient(port: start().port)

        try client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = try client.answer(toHead: true)

        XCTAssertEqual(answer["content-length"], "8")
        try client.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(try client.answer().text, "GET /b ")
    }

    func testEndsAConnectionOfHTTP10AfterItsAnswer() throws {
        let client = try TestClient(port: start().port)

        try client.send("GET /a HTTP/1.0\r\n\r\n")

        XCTAssertEqual(try client.answer().text, "GET /a ")
        XCTAssertEqual(try client.readToEnd(), "")
    }

    func testKeepsAConnectionOfHTTP10ThatAsksForIt() throws {
        let client = try TestClient(port: start().port)

        for path in ["/a", "/b"] {
            try client.send("GET \(path) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let answer = try client.answer()
            XCTAssertEqual(answer.text, "GET \(path) ")
            XCTAssertEqual(answer["connection"], "keep-alive")
        }
    }

    func testRefusesNonsenseAndHangsUpInOrder() throws {
        let client = try TestClient(port: start().port)

        try client.send("NO SENSE\r\n\r\n")

        let answer = try client.answer()
        XCTAssertEqual(answer.status, 400)
        XCTAssertEqual(answer["connection"], "close")
        XCTAssertEqual(try client.readToEnd(), "")
    }

    func testGivesTheAnswerToAClientThatIsStillSendingMoreThanItMay() throws {
        let client = try TestClient(port: start().port)

        try client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n")
        let piece = [UInt8](repeating: 0, count: 1_000_000)
        for _ in 0..<8 { try client.send(piece) }

        XCTAssertEqual(try client.answer().status, 413)
        XCTAssertEqual(try client.readToEnd(), "")
    }

    func testAnswersAClientThatHasFinishedSending() throws {
        let client = try TestClient(port: start().port)

        try client.send("GET /later/a HTTP/1.1\r\nHost: x\r\n\r\n")
        client.shutDownWriting()

        XCTAssertEqual(try client.answer().text, "GET /later/a ")
        XCTAssertEqual(try client.readToEnd(), "")
    }

    func testSendsLargeAnswersWholeToAClientThatIsInNoHurryToReadThem() throws {
        let client = try TestClient(port: start().port)

        try client.send(String(repeating: "GET /large HTTP/1.1\r\nHost: x\r\n\r\n", count: 20))

        for _ in 0..<20 { XCTAssertEqual(try client.answer().body, TestResponder.large) }
    }

    func testTellsAClientWhoseHeadTakesTooLong() throws {
        let client = try TestClient(port: start { $0.limits.headTimeout = 50 }.port)

        try client.send("GET /a HTTP/1.1\r\nHost:")

        XCTAssertEqual(try client.answer().status, 408)
        XCTAssertEqual(try client.readToEnd(), "")
    }

    func testTellsAClientWhoseBodyTakesTooLong() throws {
        let client = try TestClient(port: start { $0.limits.bodyTimeout = 50 }.port)

        try client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n123")

        XCTAssertEqual(try client.answer().status, 408)
        XCTAssertEqual(try client.readToEnd(), "")
    }

    func testHangsUpOnAClientThatSaysNothing() throws {
        let client = try TestClient(port: start { $0.limits.idleTimeout = 50 }.port)

        XCTAssertEqual(try client.readToEnd(), "")
    }

    func testHangsUpOnAClientThatReadsNothing() throws {
        let client = try TestClient(port: start { $0.limits.writeTimeout = 50 }.port)
        let requests = String(repeating: "GET /large HTTP/1.1\r\nHost: x\r\n\r\n", count: 1_000)

        // The server reads no more of them at some point, and then the client can send no more.
        XCTAssertThrowsError(try { while true { try client.send(requests) } }()) { error in
            XCTAssertTrue([EPIPE, ECONNRESET].contains((error as? SystemError)?.code), "\(error)")
        }
    }

    func testListensForNoSecondServerOnItsPort() throws {
        let first = try start()
        var configuration = ServerConfiguration()
        configuration.port = first.port

        XCTAssertThrowsError(try Server(configuration, responder: responder)) { error in
            XCTAssertEqual(error as? SystemError, SystemError(code: EADDRINUSE, call: "bind"))
        }
    }

    func testLogsEachAnswerWithItsRequest() throws {
        let exchanges = Mutex<[String]>([])
        let server = try start(log: { exchange in
            let words = [
                exchange.method?.rawValue ?? "-", exchange.path ?? "-",
                "\(exchange.status.code)", "\(exchange.bodyBytes)", "\(exchange.id)",
            ]
            exchanges.withLock { $0.append(words.joined(separator: " ")) }
        })
        let client = try TestClient(port: server.port)

        try client.send("GET /a?b HTTP/1.1\r\nHost: x\r\nX-Request-Id: one\r\n\r\n")
        _ = try client.answer()
        try client.send("NO SENSE\r\n\r\n")
        let refused = try client.answer()

        let id = try XCTUnwrap(refused["x-request-id"])
        XCTAssertEqual(
            exchanges.withLock { $0 },
            ["GET /a 200 7 one", "- - 400 0 \(id)"]
        )
    }
}

// MARK: - Bounds

extension ServerTests {
    func testTellsAConnectionBeyondTheLimitSoAndServesTheOthers() throws {
        let server = try start { $0.limits.connections = 2 }
        let first = try TestClient(port: server.port)
        let second = try TestClient(port: server.port)
        for client in [first, second] {
            try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            XCTAssertEqual(try client.answer().status, 200)
        }

        let third = try TestClient(port: server.port)
        XCTAssertEqual(try third.answer().status, 503)
        XCTAssertEqual(try third.readToEnd(), "")
        third.close()

        try first.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(try first.answer().text, "GET /b ")
        XCTAssertEqual(server.figures.acceptedConnections, 2)
        XCTAssertEqual(server.figures.refusedConnections, 1)
    }

    func testLeavesTheLastDescriptorsToTheRestOfTheProgram() throws {
        var configuration = ServerConfiguration()
        configuration.limits.descriptors = 500
        let server = try Server(configuration, responder: responder)
        servers.append(server)
        // All have their descriptors before any is accepted, and take none of those in question.
        let clients = try (0..<300).map { _ in try TestClient(port: server.port) }
        server.start()

        // Served, then told that they are too many, then closed, each of them in their order.
        var statuses: [Int] = []
        for client in clients {
            do {
                try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                statuses.append(try client.answer().status)
            } catch {
                break
            }
        }

        XCTAssertEqual(statuses, statuses.sorted())
        XCTAssertEqual(Set(statuses), [200, 503])
        XCTAssertLessThan(statuses.count, clients.count)
    }

    func testAnswersWhatWouldWaitBeyondTheLimitAtOnceAndKeepsTheConnection() throws {
        let server = try start { $0.limits.requestsInFlight = 1 }
        let (busy, other) = (try TestClient(port: server.port), try TestClient(port: server.port))
        try busy.send("GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
        responder.waitForHeld()

        for path in ["/later", "/promised/here"] {
            try other.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
            XCTAssertEqual(try other.answer().status, 503)
        }
        try other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(try other.answer().text, "GET /a ")
        XCTAssertEqual(server.figures.refusedRequests, 2)
        responder.open()
        XCTAssertEqual(try busy.answer().text, "GET /held ")

        for path in ["/later", "/promised/here"] {
            try other.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
            XCTAssertEqual(try other.answer().text, "GET \(path) ")
        }
        XCTAssertEqual(server.figures.requestsInFlight, 0)
    }

    func testGivesOthersTheirTurnAfterABufferfulOfAnswers() throws {
        let paths = Mutex<[String]>([])
        let server = try start {
            $0.limits.outputBytes = 1_000
        } log: { exchange in
            paths.withLock { $0.append(exchange.path ?? "-") }
        }
        let (blocking, greedy, other) = (
            try TestClient(port: server.port), try TestClient(port: server.port),
            try TestClient(port: server.port)
        )
        let long = "/" + String(repeating: "a", count: 2_000)
        // What arrives while the loop is held up has its turn together.
        try blocking.send("GET /blocking HTTP/1.1\r\nHost: x\r\n\r\n")
        responder.waitForHeld()
        try greedy.send(String(repeating: "GET \(long) HTTP/1.1\r\nHost: x\r\n\r\n", count: 3))
        try other.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")

        responder.unblock()

        for _ in 0..<3 { XCTAssertEqual(try greedy.answer().text, "GET \(long) ") }
        XCTAssertEqual(paths.withLock { $0 }, ["/blocking", long, "/b", long, long])
    }

    func testCountsWhatItHadToDoWithItsClients() throws {
        let server = try start {
            $0.limits.headTimeout = 50
            $0.limits.bodyTimeout = 50
        }
        for message in [
            "NO SENSE\r\n\r\n", "GET /a HTTP/1.1\r\n",
            "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n123",
        ] {
            let client = try TestClient(port: server.port)
            try client.send(message)
            _ = try client.readToEnd()
        }

        let figures = server.figures
        XCTAssertEqual(figures.acceptedConnections, 3)
        XCTAssertEqual(figures.unreadableRequests, 1)
        XCTAssertEqual(figures.headTimeouts, 1)
        XCTAssertEqual(figures.bodyTimeouts, 1)
    }
}

// MARK: - Stopping

extension ServerTests {
    func testFinishesTheAnswersInFlightWhenStopped() throws {
        let server = try start()
        let (busy, idle) = (try TestClient(port: server.port), try TestClient(port: server.port))
        try idle.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try idle.answer()
        try busy.send("GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
        responder.waitForHeld()

        let stopped = expectation(description: "The server stops in time")
        DispatchQueue.global().async {
            if server.stop(within: 10) { stopped.fulfill() }
        }
        // The idle one is let go at once, and by then no new one is let in.
        XCTAssertEqual(try idle.readToEnd(), "")
        XCTAssertThrowsError(try TestClient(port: server.port)) { error in
            XCTAssertEqual((error as? SystemError)?.code, ECONNREFUSED)
        }
        responder.open()

        let answer = try busy.answer()
        XCTAssertEqual(answer.text, "GET /held ")
        XCTAssertEqual(answer["connection"], "close")
        XCTAssertEqual(try busy.readToEnd(), "")
        busy.close()
        idle.close()
        wait(for: [stopped], timeout: 10)
    }

    func testWaitsForHalfARequestOnlyShortlyWhenStopped() throws {
        let server = try start()
        let client = try TestClient(port: server.port)
        try client.send("GET /a HTTP/1.1\r\nHo")

        // Less than the time-outs of a head and of a client that stays after its answer.
        XCTAssertTrue(server.stop(within: 4), "It waits for the client")

        XCTAssertEqual(try client.answer().status, 408)
        XCTAssertEqual(try client.readToEnd(), "")
    }

    func testAnswersAllThatWaitedToBeAcceptedWhenStopped() throws {
        let server = try Server(ServerConfiguration(), responder: responder)
        let clients = try (0..<200).map { _ in try TestClient(port: server.port) }
        for client in clients { try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n") }
        server.start()

        let stopped = expectation(description: "The server stops in time")
        DispatchQueue.global().async {
            if server.stop(within: 10) { stopped.fulfill() }
        }

        for client in clients {
            XCTAssertEqual(try client.answer().text, "GET /a ")
            XCTAssertEqual(try client.readToEnd(), "")
            client.close()
        }
        wait(for: [stopped], timeout: 10)
    }

    func testStopsWhileThereIsNoRoomForThoseWhoWaitToBeAccepted() throws {
        let server = try start { $0.limits.connections = 1 }
        // One is served, 256 are told that they are too many, and the next makes accepting pause.
        let clients = try (0..<300).map { _ in try TestClient(port: server.port) }
        XCTAssertThrowsError(try clients[257].answer())

        let stopped = expectation(description: "The server stops in time")
        DispatchQueue.global().async {
            if server.stop(within: 10) { stopped.fulfill() }
        }

        XCTAssertThrowsError(try clients[299].answer())
        for client in clients { client.close() }
        wait(for: [stopped], timeout: 10)
    }

    func testStopsWithoutAnAnswerThatTakesTooLong() throws {
        let server = try start()
        let client = try TestClient(port: server.port)
        try client.send("GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
        responder.waitForHeld()

        XCTAssertFalse(server.stop(within: 0))

        XCTAssertEqual(try client.readToEnd(), "")
        servers = []
    }

    // MARK: -

    private func start(
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        log: (@Sendable (Exchange) -> Void)? = nil
    ) throws -> Server {
        var configuration = ServerConfiguration()
        configure(&configuration)
        let server = try Server(configuration, responder: responder, log: log)
        server.start()
        servers.append(server)
        return server
    }
}

/// Answers with what it was asked: at once, or later, or when it is let.
private final class TestResponder: Responder {
    static let large = [UInt8](repeating: 7, count: 1_000_000)

    private let gate = Mutex(Gate())
    private let held = DispatchSemaphore(value: 0)
    private let blocked = DispatchSemaphore(value: 0)

    private struct Gate {
        var isOpen = false
        var waiting: [@Sendable () -> Void] = []
    }

    func respond(to request: Request) -> Answer {
        let text = Array("\(request.method.rawValue) \(request.path) ".utf8) + request.body
        let response = Response(.ok, body: text)
        return switch request.path {
        case let path where path.hasPrefix("/later"):
            .pending {
                await Task.yield()
                return .ready(response)
            }
        case "/large": .ready(Response(.ok, body: Self.large))
        case "/blocking":
            block(.ready(response))
        case let path where path.hasPrefix("/promised/elsewhere"):
            .promised { delivery in
                DispatchQueue.global().async { delivery.deliver { .ready(response) } }
            }
        case let path where path.hasPrefix("/promised/here"):
            .promised { delivery in delivery.deliver { .ready(response) } }
        case "/held":
            .promised { [self] delivery in
                passGate { delivery.deliver { .ready(response) } }
            }
        default: .ready(response)
        }
    }

    func refuse(_ refusal: Refusal, id: RequestID) -> Response {
        Response(refusal.status)
    }

    /// Holds up the loop until it is let go on.
    private func block(_ answer: Answer) -> Answer {
        held.signal()
        blocked.wait()
        return answer
    }

    /// Lets the loop go on that is held up.
    func unblock() {
        blocked.signal()
    }

    /// Waits until a request is held.
    func waitForHeld() {
        held.wait()
    }

    /// Lets go of all requests that are held, and holds no more.
    func open() {
        let waiting = gate.withLock { gate in
            defer { gate = Gate(isOpen: true) }
            return gate.waiting
        }
        for goOn in waiting { goOn() }
    }

    private func passGate(_ goOn: @escaping @Sendable () -> Void) {
        let isOpen = gate.withLock { gate in
            if !gate.isOpen { gate.waiting.append(goOn) }
            return gate.isOpen
        }
        if isOpen { goOn() }
        held.signal()
    }
}
