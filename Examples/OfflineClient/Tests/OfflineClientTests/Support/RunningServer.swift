import Foundation
import Synchronization

@testable import OfflineClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The built program at work, on a free port, with a new data file.
///
/// `GOALPOST_PROGRAM` says where the program is; without it, it is looked for where the package above
/// this one builds it.
final class RunningServer: Sendable {
    static let token = "gp_example_" + String(repeating: "A", count: 43)

    let port: UInt16
    private let process: Mutex<Process>
    private let folder: URL

    init() throws {
        folder = URL.temporaryDirectory.appending(path: "offline-client-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = try Self.program()
        process.arguments = ["--port", "0", "--data", folder.appending(path: "g.sqlite").path]
        process.environment = ["GOALPOST_TOKEN": Self.token]
        process.standardOutput = FileHandle.nullDevice
        let log = Pipe()
        process.standardError = log
        try process.run()
        port = try Self.port(in: log.fileHandleForReading)
        // The rest must be read as well: a full pipe would stop the server.
        log.fileHandleForReading.readabilityHandler = { handle in
            if handle.availableData.isEmpty { handle.readabilityHandler = nil }
        }
        self.process = Mutex(process)
    }

    /// A server that is asked without anything in between.
    var direct: Server {
        get throws {
            let session = URLSession(configuration: .ephemeral)
            return Server(
                address: try address(port: port),
                token: Self.token,
                send: { try await session.answer(to: $0) },
                stream: OfflineClient.stream
            )
        }
    }

    /// All that the server has.
    func contents() async throws -> Replica {
        let server = try direct
        var replica = Replica()
        var place: String?
        while true {
            let page = try await server.changes(since: place)
            page.changes.forEach { replica.apply($0) }
            place = page.next
            guard page.hasMore else { return replica }
        }
    }

    func stop() throws {
        process.withLock {
            $0.terminate()
            $0.waitUntilExit()
        }
        try FileManager.default.removeItem(at: folder)
    }

    private struct NoProgram: Error {
        let tried: [String]
    }

    private struct NoPort: Error {
        let log: String
    }

    private static func program() throws -> URL {
        if let path = ProcessInfo.processInfo.environment["GOALPOST_PROGRAM"] {
            return URL(filePath: path)
        }
        let package = URL(filePath: #filePath).appending(path: "../../../../../..")
        let candidates = ["release", "debug"].map {
            package.appending(path: ".build/\($0)/goalpost").standardizedFileURL
        }
        guard
            let program = candidates.first(where: {
                FileManager.default.isExecutableFile(atPath: $0.path)
            })
        else { throw NoProgram(tried: candidates.map(\.path)) }
        return program
    }

    private static func port(in log: FileHandle) throws -> UInt16 {
        var text = ""
        while true {
            let data = log.availableData
            guard !data.isEmpty else { throw NoPort(log: text) }
            text += String(decoding: data, as: UTF8.self)
            if let match = text.firstMatch(of: /127\.0\.0\.1:(\d+)\D/), let port = UInt16(match.1) {
                return port
            }
        }
    }
}

/// The address of a port of this machine.
func address(port: UInt16) throws -> URL {
    struct NoAddress: Error {}
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw NoAddress() }
    return url
}
