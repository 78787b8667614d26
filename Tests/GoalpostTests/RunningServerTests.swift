import Foundation
import TestClient
import XCTest

/// Accounts and tokens as their owner handles them: the built program, in processes of its own.
final class RunningServerTests: XCTestCase {
    func testWhatIsChangedHoldsForTheNextRequest() throws {
        let folder = try TemporaryFolder()
        let server = try RunningServer(in: folder)
        let client = try TestClient(port: server.port)
        XCTAssertEqual(try client.status("GET /goals"), 200, "Nobody has a token yet")

        try folder.run("account", "add", "Anna")
        let token = try folder.run("token", "add", "Anna", "--name", "Phone")
        XCTAssertEqual(try client.status("GET /goals"), 401)
        XCTAssertEqual(try client.status("GET /goals", token), 200)
        let body = #"{"title": "Bike"}"#
        XCTAssertEqual(try client.status("POST /goals", token, body), 201)
        XCTAssertTrue(try folder.run("account", "list").contains("Anna     enabled  1"))

        try folder.run("account", "disable", "Anna")
        XCTAssertEqual(try client.status("GET /goals", token), 401)
        try folder.run("account", "enable", "Anna")
        XCTAssertEqual(try client.status("GET /goals", token), 200)

        let id = String(token.dropFirst(3).prefix(16))
        try folder.run("token", "revoke", id)
        XCTAssertEqual(try client.status("GET /goals", token), 401)
        XCTAssertTrue(try folder.run("token", "list").contains("revoked"))

        let other = try folder.run("token", "add", "Anna")
        XCTAssertEqual(try client.status("GET /goals", other), 200)
        XCTAssertEqual(
            try folder.run("account", "delete", "Anna"),
            "Deleted account \"Anna\": 1 goals, 0 transactions, 0 notes of earlier deletions, "
                + "0 answers kept for retries, 2 tokens."
        )
        XCTAssertEqual(try client.status("GET /goals", other), 401)
        XCTAssertEqual(try client.status("GET /goals"), 401, "It never goes back")
        XCTAssertEqual(try client.status("GET /livez"), 200)
        XCTAssertTrue(try folder.run("check").hasSuffix("sound"))

        let log = try server.stop()
        for token in [token, other] {
            XCTAssertFalse(log.contains(String(token.dropFirst(20))), "No secret in the log")
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.data + "-wal"))
        XCTAssertTrue(try folder.run("check").hasSuffix("sound"))
    }

    func testATokenOfTheEnvironmentIsNeeded() throws {
        let folder = try TemporaryFolder()
        let token = String(repeating: "secret-", count: 6)
        let server = try RunningServer(in: folder, environment: ["GOALPOST_TOKEN": token])
        let client = try TestClient(port: server.port)

        XCTAssertEqual(try client.status("GET /goals"), 401)
        XCTAssertEqual(try client.status("GET /goals", token), 200)

        let log = try server.stop()
        XCTAssertFalse(log.contains("secret-"))
        XCTAssertTrue(try folder.run("token", "list").hasSuffix("state"), "No file has it")
    }

    func testIsNotStartedForEverybodyWhoReachesIt() throws {
        let folder = try TemporaryFolder()
        for _ in 1...2 {
            let refusal = try folder.attempt("--host", "0.0.0.0", "--port", "0")
            XCTAssertEqual(refusal.status, 2)
            XCTAssertTrue(refusal.errors.contains("there is no access token"), refusal.errors)
            // Once without a file, and once with one that has no token in it.
            try folder.run("account", "list", makesFile: true)
        }
    }

    func testATokenIsShownOnceAndAlone() throws {
        let folder = try TemporaryFolder()

        let made = try folder.attempt("token", "add", "default", "--read-only")

        XCTAssertEqual(made.status, 0)
        XCTAssertTrue(made.output.hasPrefix("gp_"))
        XCTAssertEqual(made.output.count, 64, "The token and the end of its line")
        let secret = String(made.output.dropFirst(20).dropLast())
        XCTAssertFalse(made.errors.contains(secret))
        XCTAssertFalse(try folder.run("token", "list").contains(secret))
        let bytes = try Data(contentsOf: URL(filePath: folder.data))
        XCTAssertNil(bytes.range(of: Data(secret.utf8)), "The file has a hash alone")
    }
}

// MARK: - Processes

/// A folder with a data file, and the program on it.
private final class TemporaryFolder {
    let path: String

    var data: String { path + "/goals.sqlite" }

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "goalpost-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // What is left behind is in the system's folder for that.
        try? FileManager.default.removeItem(atPath: path)
    }

    struct Ending {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs a command that must succeed, and returns what it printed.
    @discardableResult
    func run(_ words: String..., makesFile: Bool = false) throws -> String {
        if makesFile { _ = try attempt(["account", "rename", "default", "default"]) }
        let ending = try attempt(words)
        XCTAssertEqual(ending.status, 0, "\(words): \(ending.errors)")
        return ending.output.trimmingCharacters(in: .newlines)
    }

    /// Runs a command to its end.
    func attempt(_ words: String...) throws -> Ending {
        try attempt(words)
    }

    private func attempt(_ words: [String]) throws -> Ending {
        let process = try program(words, environment: [:])
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Neither is ever longer than a pipe holds.
        let texts = try [output, errors].map { pipe in
            String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        process.waitUntilExit()
        return Ending(status: process.terminationStatus, output: texts[0], errors: texts[1])
    }

    /// The built program, with settings for the folder.
    func program(_ words: [String], environment: [String: String]) throws -> Process {
        let process = Process()
        process.executableURL = Bundle(for: RunningServerTests.self).bundleURL
            .appending(path: "goalpost")
        process.arguments = words + ["--data", data]
        process.environment = environment
        return process
    }
}

/// A server in a process of its own, on a free port.
private final class RunningServer {
    let port: UInt16

    private let process: Process
    private let log: FileHandle
    private var lines = ""

    init(in folder: TemporaryFolder, environment: [String: String] = [:]) throws {
        process = try folder.program(["--port", "0"], environment: environment)
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        log = pipe.fileHandleForReading
        // The log says where it listens, as soon as it does.
        let address = #/http://127\.0\.0\.1:([0-9]+)/#
        while true {
            let bytes = log.availableData
            guard !bytes.isEmpty else {
                port = 0
                throw NotStarted(log: lines)
            }
            lines += String(decoding: bytes, as: UTF8.self)
            guard let match = lines.firstMatch(of: address), let port = UInt16(match.1) else {
                continue
            }
            self.port = port
            return
        }
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    struct NotStarted: Error {
        let log: String
    }

    /// Stops it in order.
    ///
    /// - Returns: All that it logged.
    func stop() throws -> String {
        process.terminate()
        lines += String(decoding: try log.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        return lines
    }
}

extension TestClient {
    /// Sends a request, and returns the status of its answer.
    fileprivate func status(
        _ line: String,
        _ token: String? = nil,
        _ body: String = ""
    ) throws -> Int {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let type =
            body.isEmpty
            ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        try send("\(line) HTTP/1.1\r\nHost: localhost\r\n\(authorization)\(type)\r\n\(body)")
        return try answer().status
    }
}
