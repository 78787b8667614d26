import Sockets
import XCTest

final class SecretHashTests: XCTestCase {
    func testHashesTheSameSecretTheSameWay() {
        let hash = SecretHash.make(of: "correct horse battery staple")

        XCTAssertTrue(hash.hasPrefix("$6$rounds=1000$"), hash)
        XCTAssertEqual(SecretHash.hash("correct horse battery staple", as: hash), hash)
    }

    func testHashesAnotherSecretOtherwise() {
        let hash = SecretHash.make(of: "correct horse battery staple")

        XCTAssertNotEqual(SecretHash.hash("correct horse battery stapl", as: hash), hash)
        XCTAssertNotEqual(SecretHash.hash("", as: hash), hash)
    }

    func testNoTwoHashesAreAlike() {
        XCTAssertNotEqual(SecretHash.make(of: "secret"), SecretHash.make(of: "secret"))
    }

    /// The first of the examples in the specification of SHA-512 crypt; `openssl passwd -6` agrees.
    func testIsSHA512Crypt() {
        XCTAssertEqual(
            SecretHash.hash("Hello world!", as: "$6$saltstring"),
            "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBF"
                + "dcbYEdFCoEOfaS35inz1"
        )
    }

    func testKnowsNoHashThatItDoesNotKnow() {
        XCTAssertNil(SecretHash.hash("secret", as: "$none$"))
        XCTAssertNil(SecretHash.hash("secret", as: ""))
        XCTAssertNil(SecretHash.hash(String(repeating: "x", count: 10_000), as: "$6$salt"))
    }
}
