import Foundation
import XCTest

@testable import OfflineClient

final class EventParserTests: XCTestCase {
    func testReadsTheSameHoweverTheBytesAreCut() {
        let bytes = Array(
            (":\n\nretry: 2000\n\nid: 1\r\ndata: {\"ü\": 1}\r\n\r\nevent: resync\rid\rdata:a\rdata: b\r\r"
                + "\nid: 3\n\ndata: c\n\nid: 4\ndata: never ended\n").utf8
        )
        let events = [
            Event(id: "1", data: "{\"ü\": 1}"),
            Event(id: "", name: "resync", data: "a\nb"),
            Event(id: "3", data: "c"),
        ]
        for cut in bytes.indices {
            var parser = EventParser()

            XCTAssertEqual(
                parser.read(bytes[..<cut]) + parser.read(bytes[cut...]),
                events,
                "\(cut)"
            )
        }
    }

    func testIDsSayWhenTheyWereMadeAndThatTheyAreOfVersion7() {
        let moments = [1_645_557_742.0, 1_645_557_742.001, 4_000_000_000]
        let ids = moments.map { UUID.version7(at: Date(timeIntervalSince1970: $0)).uuidString }

        XCTAssertEqual(ids, ids.sorted())
        // The example of RFC 9562, appendix A.6.
        XCTAssertTrue(ids[0].hasPrefix("017F22E2-79B0-7"), ids[0])
        for id in ids {
            XCTAssertNotNil(
                id.wholeMatch(
                    of: /[0-9A-F]{8}-[0-9A-F]{4}-7[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/
                )
            )
        }
        XCTAssertNotEqual(UUID.version7(), UUID.version7())
    }
}
