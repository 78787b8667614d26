import Foundation
import Goals
import HTTP
import XCTest

@testable import API
@testable import Store

/// Data files as released programs wrote them, opened by this one.
///
/// Each answers as it did, byte for byte. CONTRIBUTING says how a release adds its file.
final class UpgradeTests: XCTestCase {
    func testAnswersAsTheVersionDidThatWroteTheFile() async throws {
        for fixture in try ReleasedVersion.all() {
            let folder = try fixture.copied(for: self)
            var notices: [String] = []
            let store = try GoalStore(
                at: .file(folder + "/goalpost.sqlite"),
                now: { .testStart },
                notice: { notices.append($0) }
            )
            defer { store.close() }
            let application = Application(
                store: store,
                settings: APISettings(
                    currency: currency("USD"),
                    timeZone: try XCTUnwrap(Zones().zone(named: "UTC"))
                ),
                now: { .testStart },
                report: { error, _ in XCTFail("\(error)") }
            )
            let api = DirectConnector(application: application)

            XCTAssertFalse(fixture.answers.isEmpty || fixture.pages.isEmpty)
            for expected in fixture.answers {
                let response = await api.get(expected.target)
                XCTAssertEqual(response.status.code, expected.status, expected.target)
                XCTAssertEqual(response.headers[.eTag], expected.etag, expected.target)
                if let body = expected.body {
                    XCTAssertEqual(response.text, body, expected.target)
                } else {
                    XCTAssertEqual(checksum(of: response.body), expected.checksum, expected.target)
                }
            }
            for expected in fixture.pages {
                let response = await api.get(expected.target)
                let ids = try response.items.compactMap { $0["id"]?.text }
                XCTAssertEqual(ids, expected.ids, expected.target)
                XCTAssertEqual(try response.json["nextCursor"]?.text, expected.nextCursor)
            }

            let check = try DataCheck(ofFileAt: folder + "/goalpost.sqlite")
            XCTAssertEqual(check.findings, [])
            XCTAssertEqual(notices.count, 2, "\(notices)")
        }
    }

    func testKeepsTheFileAsItWas() async throws {
        for fixture in try ReleasedVersion.all() {
            let folder = try fixture.copied(for: self)
            let path = folder + "/goalpost.sqlite"
            let kept = folder + "/goalpost-v\(fixture.version)-2027-01-15.sqlite"
            for _ in 1...2 {
                try GoalStore(at: .file(path), now: { .testStart }).close()
            }

            XCTAssertEqual(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted(),
                ["goalpost-v\(fixture.version)-2027-01-15.sqlite", "goalpost.sqlite"]
            )
            let check = try DataCheck(ofFileAt: kept)
            XCTAssertEqual(check.version, fixture.version)
            XCTAssertEqual(check.findings, [])
        }
    }

    func testThereIsAFileOfEveryReleasedVersion() throws {
        XCTAssertEqual(try ReleasedVersion.all().map(\.version), Array(1..<Schema.version))
    }

    private func checksum(of bytes: [UInt8]) -> String {
        let value = bytes.reduce(into: 0xCBF2_9CE4_8422_2325 as UInt64) { value, byte in
            value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension DirectConnector {
    fileprivate func get(_ target: String) async -> Response {
        await send(Request(.get, target, headers: [.xRequestID: "fixture"]))
    }
}

/// What a released version wrote, and what it answered about it.
private struct ReleasedVersion: Decodable {
    let answers: [Answer]
    let pages: [Page]

    /// The version of its tables.
    private(set) var version = 0
    private var folder = URL(filePath: "/")

    struct Answer: Decodable {
        let target: String
        let status: Int
        let etag: String?

        /// The body, or its checksum if it is a long one.
        let body: String?
        let checksum: String?
    }

    struct Page: Decodable {
        let target: String
        let ids: [String]
        let nextCursor: String?
    }

    private enum CodingKeys: CodingKey {
        case answers, pages
    }

    /// All of them, in their order.
    static func all() throws -> [ReleasedVersion] {
        let fixtures = try XCTUnwrap(Bundle.module.resourceURL).appending(path: "Fixtures")
        var versions: [ReleasedVersion] = []
        while true {
            let number = versions.count + 1
            let folder = fixtures.appending(path: "version-\(number)")
            guard FileManager.default.fileExists(atPath: folder.path) else { return versions }
            let answers = try Data(contentsOf: folder.appending(path: "answers.json"))
            var version = try JSONDecoder().decode(ReleasedVersion.self, from: answers)
            version.version = number
            version.folder = folder
            versions.append(version)
        }
    }

    /// Copies the data file into a folder of its own, which is gone after the test.
    func copied(for test: XCTestCase) throws -> String {
        let files = FileManager.default
        let copy = files.temporaryDirectory.appending(path: "goalpost-\(UUID())")
        try files.createDirectory(at: copy, withIntermediateDirectories: true)
        test.addTeardownBlock { try files.removeItem(at: copy) }
        try files.copyItem(
            at: folder.appending(path: "goalpost.sqlite"),
            to: copy.appending(path: "goalpost.sqlite")
        )
        return copy.path
    }
}
