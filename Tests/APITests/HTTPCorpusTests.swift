import Foundation
import Server
import XCTest

/// Plays the corpus: what clients say, well or badly, over a socket, and what they may be answered.
///
/// `GOALPOST_TEST_SLOW=1` also waits for the time-outs as a server has them by default.
final class HTTPCorpusTests: APITestCase {
    private var servers: [Server] = []

    override func tearDown() {
        for server in servers { XCTAssertTrue(server.stop(within: 10), "It does not stop") }
        servers = []
        super.tearDown()
    }

    func testAnswersEveryCaseAsItShould() throws {
        let cases = try CorpusCase.all(in: "http")
        XCTAssertEqual(cases.count, 161)

        try play(cases.filter { !$0.isSlow && !$0.needsToken }, at: start())
    }

    func testAnswersEveryFurtherCaseAsItShould() throws {
        let cases = try CorpusCase.all(in: "http-more")
        XCTAssertEqual(cases.count, 341)

        try play(cases, at: start())
    }

    func testEndsWhatTakesTooLong() throws {
        var limits = ServerConfiguration.Limits()
        (limits.headTimeout, limits.bodyTimeout, limits.idleTimeout) = (2_000, 2_000, 2_000)

        try play(slowCases(), at: start(limits))
    }

    func testEndsWhatTakesTooLongByDefault() throws {
        let isWanted = ProcessInfo.processInfo.environment["GOALPOST_TEST_SLOW"] == "1"
        // Skipped where nobody asks for it, since with short limits the same is always tested, above.
        try XCTSkipUnless(isWanted, "It takes half a minute")

        try play(slowCases(), at: start())
    }

    func testLooksUpWhatACaseDid() throws {
        let stage = CorpusStage(port: try start().port)
        let cases: [(title: String, mode: String, mistakes: [String])] = [
            ("mk-{{NONCE}}", "present", []),
            ("mk-{{NONCE}}", "iff-2xx", []),
            ("mk-{{NONCE}}", "absent", ["A goal was made that must not be"]),
            ("no-{{NONCE}}", "absent", []),
            ("no-{{NONCE}}", "present", ["No goal was made"]),
        ]
        for (title, mode, mistakes) in cases {
            let example = try caseThatCreatesAGoal(lookingFor: title, mode)
            XCTAssertEqual(stage.mistakes(playing: example), mistakes, "\(title) \(mode)")
        }
    }

    // MARK: -

    private func caseThatCreatesAGoal(
        lookingFor title: String,
        _ mode: String
    ) throws -> CorpusCase {
        let json = #"""
            [{"id": "test", "area": "test", "rfc": "-", "why": "-",
            "send": ["POST /goals HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n",
                "Content-Length: {{LEN body}}\r\n\r\n{{body}}"],
            "blocks": {"body": "{\"title\": \"mk-{{NONCE}}\"}"},
            "expect": {"status": [201], "responses": 1, "connection": "keep-alive",
                "effect": {"title": "\#(title)", "mode": "\#(mode)"}}}]
            """#
        return try CorpusCase.all(inJSON: Data(json.utf8))[0]
    }

    private func slowCases() throws -> [CorpusCase] {
        let cases = try CorpusCase.all(in: "http").filter(\.isSlow)
        XCTAssertEqual(cases.count, 4)
        return cases
    }

    private func start(_ limits: ServerConfiguration.Limits = .init()) throws -> Server {
        var configuration = ServerConfiguration()
        configuration.loops = 2
        configuration.limits = limits
        let server = try Server(configuration, responder: application)
        server.start()
        servers.append(server)
        return server
    }

    private func play(_ cases: [CorpusCase], at server: Server) throws {
        for failure in CorpusStage(port: server.port).failures(of: cases) { XCTFail(failure) }
    }
}
