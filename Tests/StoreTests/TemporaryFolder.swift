import Foundation
import XCTest

extension XCTestCase {
    /// The path of a new folder, which is gone after the test.
    func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // What a task that has just ended lets go of may be gone before it can be removed.
        addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
        return folder.path(percentEncoded: false)
    }
}
