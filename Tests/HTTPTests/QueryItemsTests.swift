import HTTP
import XCTest

final class QueryItemsTests: XCTestCase {
    func testReadsNamesAndValuesInOrder() throws {
        let queries: [(String, [(String, String)])] = [
            ("", []),
            ("a=1", [("a", "1")]),
            ("a=1&b=2&a=3", [("a", "1"), ("b", "2"), ("a", "3")]),
            ("a", [("a", "")]),
            ("a=", [("a", "")]),
            ("=", [("", "")]),
            ("=1", [("", "1")]),
            ("a=b=c", [("a", "b=c")]),
            ("&&a=1&&", [("a", "1")]),
            ("a=1;b=2", [("a", "1;b=2")]),
            ("a=x+y%2Bz", [("a", "x y+z")]),
            ("a+b=%20", [("a b", " ")]),
            ("%61%3D=%26%3d", [("a=", "&=")]),
            ("a=%2561", [("a", "%61")]),
            ("a=%D0%9E%d1%82&b=é", [("a", "От"), ("b", "é")]),
            ("a=%0D%0A", [("a", "\r\n")]),
            ("a?=/?", [("a?", "/?")]),
        ]
        for (query, items) in queries {
            XCTAssertEqual(
                Array(try QueryItems(parsing: query)),
                items.map { QueryItems.Item(name: $0, value: $1) },
                query
            )
        }
    }

    func testRefusesWhatCannotBeDecoded() {
        let queries = [
            "a=%", "a=%4", "a=%zz", "a=%+1", "%=a", "a=%00", "%00=a", "a=%FF", "a=%C3", "%C3=%A9",
            "a=%ED%A0%80", "a=%C0%80", "a=1&b=%", "a=%e2%82",
        ]
        for query in queries {
            XCTAssertThrowsError(try QueryItems(parsing: query), query) { error in
                XCTAssertEqual(error as? QueryItems.Malformed, QueryItems.Malformed())
            }
        }
    }
}
