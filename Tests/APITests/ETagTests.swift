import XCTest

@testable import API

final class ETagTests: XCTestCase {
    func testReadsAStarAndListsOfTags() {
        XCTAssertEqual(ETagCondition("*"), .any)
        XCTAssertEqual(ETagCondition(" * "), .any)
        XCTAssertEqual(ETagCondition(#""3""#), .oneOf([ETag("3")]))
        XCTAssertEqual(ETagCondition(#""""#), .oneOf([ETag("")]))
        XCTAssertEqual(ETagCondition(#" "a,b" ,, "c""#), .oneOf([ETag("a,b"), ETag("c")]))
    }

    func testRefusesWhatIsNoListOfTags() {
        let cases = [
            "", " ", ",", "3", "\"3", "3\"", "\"3\" \"4\"", "\"3\", *", "*, \"3\"", "w/\"3\"",
            "W/3",
            "\"a b\"", "**",
        ]
        for text in cases {
            XCTAssertNil(ETagCondition(text), text)
        }
    }

    func testComparesWeaklyForReadingAndStronglyForWriting() throws {
        let cases: [(String, weakly: Bool, strongly: Bool)] = [
            (#""3""#, true, true),
            (#"W/"3""#, true, false),
            (#""2", "3""#, true, true),
            (#""2", W/"4""#, false, false),
            (#""03""#, false, false),
            ("*", true, true),
        ]
        for (text, weakly, strongly) in cases {
            let condition = try XCTUnwrap(ETagCondition(text), text)
            XCTAssertEqual(condition.matchesWeakly(ETag("3")), weakly, text)
            XCTAssertEqual(condition.matchesStrongly(ETag("3")), strongly, text)
        }
    }
}
