import XCTest

@testable import HTTP

final class HeaderFieldsTests: XCTestCase {
    func testFindsAFieldInEitherCase() {
        let headers: HeaderFields = ["Content-Type": "text/plain", "ETag": "\"1\""]

        XCTAssertEqual(headers["content-type"], "text/plain")
        XCTAssertEqual(headers["CONTENT-TYPE"], "text/plain")
        XCTAssertEqual(headers[.eTag], "\"1\"")
        XCTAssertTrue(headers.contains("etag"))
        XCTAssertFalse(headers.contains("etags"))
        XCTAssertNil(headers["Content-Typ"])
        XCTAssertNil(headers["Content_Type"])
    }

    func testJoinsTheValuesOfARepeatedField() {
        var headers: HeaderFields = ["Accept": "a", "Host": "h", "accept": "b, c"]
        headers.append("", for: .accept)

        XCTAssertEqual(headers[.accept], "a, b, c, ")
        XCTAssertEqual(headers.values(of: .accept), ["a", "b, c", ""])
        XCTAssertEqual(headers.firstValue(of: .accept).map(Array.init), Array("a".utf8))
        XCTAssertEqual(headers.count, 4)
    }

    func testReplacesAndRemovesAllValuesOfAField() {
        var headers: HeaderFields = ["Accept": "a", "Host": "h", "accept": "b"]

        headers[.accept] = "c"
        XCTAssertEqual(headers, ["Host": "h", "Accept": "c"])

        headers[.accept] = nil
        XCTAssertEqual(headers, ["Host": "h"])

        headers.remove(.host)
        XCTAssertEqual(headers, [:])
        XCTAssertTrue(headers.isEmpty)
    }

    func testLosesItsFirstFieldAlone() {
        var headers: HeaderFields = ["Accept": "a", "Host": "h", "accept": "b"]

        headers.removeFirst(.accept)
        XCTAssertEqual(headers, ["Host": "h", "Accept": "b"])
        XCTAssertEqual(
            headers.lines.map { String(decoding: $0, as: UTF8.self) },
            "Host: h\r\naccept: b\r\n"
        )

        headers.removeFirst(.host)
        headers.removeFirst(.accept)
        XCTAssertEqual(headers, [:])
        XCTAssertEqual(headers.lines, [])

        headers.append("c", for: .allow)
        XCTAssertEqual(headers.lines.map { String(decoding: $0, as: UTF8.self) }, "Allow: c\r\n")
    }

    func testListsFieldsInOrder() {
        let headers: HeaderFields = ["B": "1", "a": "2", "B": "3"]

        XCTAssertEqual(headers.map { "\($0.name)=\($0.value)" }, ["B=1", "a=2", "B=3"])
    }

    func testIsEqualInWhatMatters() {
        XCTAssertEqual(["ETag": "x"] as HeaderFields, ["etag": "x"])
        XCTAssertNotEqual(["ETag": "x"] as HeaderFields, ["ETag": "X"])
        XCTAssertNotEqual(["A": "1", "B": "2"] as HeaderFields, ["B": "2", "A": "1"])
        XCTAssertNotEqual(["A": "1"] as HeaderFields, ["A": "1", "B": "2"])
    }

    func testLetsNoValueEndItsField() {
        let headers: HeaderFields = ["Location": "/a\r\nSet-Cookie: b\0\u{7F}\tc\u{E9}"]

        XCTAssertEqual(headers[.location], "/a  Set-Cookie: b  \tc\u{E9}")
        XCTAssertEqual(headers.count, 1)
    }

    func testReadsBytesThatAreNoTextAsReplacementCharacters() {
        var headers = HeaderFields()
        headers.append(bytes: ([0x61, 0xFF, 0x62] as [UInt8]).span, for: "X-A")

        XCTAssertEqual(headers["X-A"], "a\u{FFFD}b")
        XCTAssertEqual(headers.firstValue(of: "X-A").map(Array.init), [0x61, 0xFF, 0x62])
    }
}

final class FieldNameTests: XCTestCase {
    func testIsTheSameInEitherCase() {
        let name: FieldName = "ETag"

        XCTAssertEqual(name, "etag")
        XCTAssertEqual(Set([name, "etag", "ETAG"]).count, 1)
        XCTAssertNotEqual(name, "ETags")
        XCTAssertEqual(name.description, "ETag")
    }

    func testIsAToken() {
        for text in ["", "a b", "a:", "é", "a\n", "[a]"] {
            XCTAssertNil(FieldName(validating: text), text)
        }
    }
}

final class ByteSetTests: XCTestCase {
    func testHasTheBytesThatTheGrammarLists() {
        let alphanumerics = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        let sets: [(ByteSet, String)] = [
            (.token, "!#$%&'*+-.^_`|~"),
            (.target, "-._~!$&'()*+,;=:@/?%"),
            (.plainPath, "-._~!$&'()*+,;=:@/"),
            (.host, "-._~!$&'()*+;="),
        ]
        for (set, others) in sets {
            let listed = Set((alphanumerics + others).utf8)
            XCTAssertEqual(Set((UInt8.min...UInt8.max).filter(set.contains)), listed)
        }
    }
}
