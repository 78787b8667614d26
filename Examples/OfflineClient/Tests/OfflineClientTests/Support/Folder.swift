import Foundation
import XCTest

@testable import OfflineClient

/// Retries that cost no time, and are never given up.
var eagerRetries: RetryPolicy {
    var retries = RetryPolicy()
    retries.attempts = .max
    retries.wait = { _ in await Task.yield() }
    return retries
}

extension XCTestCase {
    /// A file name in a folder that goes away with the test.
    func temporaryFile() throws -> URL {
        let folder = URL.temporaryDirectory.appending(path: "offline-client-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(at: folder) }
        return folder.appending(path: "goals.json")
    }

    /// A server that stops with the test.
    func startServer() throws -> RunningServer {
        let server = try RunningServer()
        addTeardownBlock { try server.stop() }
        return server
    }

    /// A client of a server, without anything in between.
    func client(
        of server: RunningServer,
        limits: PieceLimits = PieceLimits(),
        resolve: @escaping @Sendable (Conflict) async -> Resolution = { _ in .keepMine }
    ) throws -> OfflineClient {
        try OfflineClient(
            file: try temporaryFile(),
            address: try address(port: server.port),
            token: RunningServer.token,
            retries: eagerRetries,
            limits: limits,
            resolve: resolve
        )
    }
}
