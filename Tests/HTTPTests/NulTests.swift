import HTTP
import XCTest

/// What is read here has no NUL, at which those who speak C would end it.
final class NulTests: XCTestCase {
    func testAQueryHasNoNulHoweverItIsWritten() {
        for query in ["a=%00", "%00=a", "a=b%00", "a=\0", "\0=a", "a=b\0", "\0"] {
            XCTAssertThrowsError(try QueryItems(parsing: query), query) { error in
                XCTAssertEqual(error as? QueryItems.Malformed, QueryItems.Malformed())
            }
        }
    }
}
