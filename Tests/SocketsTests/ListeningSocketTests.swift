import Glibc
import Sockets
import XCTest

final class ListeningSocketTests: XCTestCase {
    func testTakesAFreePortAndSaysWhich() throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)

        XCTAssertGreaterThan(socket.port, 0)
    }

    func testRefusesAPortThatAnotherListensOn() throws {
        let first = try ListeningSocket(host: "127.0.0.1", port: 0)

        XCTAssertThrowsError(try listen(host: "127.0.0.1", port: first.port)) { error in
            XCTAssertEqual(error as? SystemError, SystemError(code: EADDRINUSE, call: "bind"))
        }
    }

    func testRefusesAHostThatHasNoAddress() {
        XCTAssertThrowsError(try listen(host: "no such host", port: 0)) { error in
            XCTAssertEqual(
                error as? SystemError,
                SystemError(code: EADDRNOTAVAIL, call: "getaddrinfo")
            )
        }
    }

    func testRefusesAnAddressOfAnotherMachine() {
        XCTAssertThrowsError(try listen(host: "192.0.2.1", port: 0)) { error in
            XCTAssertEqual(error as? SystemError, SystemError(code: EADDRNOTAVAIL, call: "bind"))
        }
    }

    func testAcceptsEachConnectionOnceAndThenNone() throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        let client = try ClientSocket(host: "127.0.0.1", port: socket.port, patience: 10)

        let first = try socket.accept()
        let isFirst = first != nil
        let second = try socket.accept()
        let isSecond = second != nil

        XCTAssertTrue(isFirst)
        XCTAssertFalse(isSecond)
        client.shutDownWriting()
    }

    func testTheEndOfAConnectionIsSeenByItsPeer() throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        let client = try ClientSocket(host: "127.0.0.1", port: socket.port, patience: 10)
        try letGo(of: socket.accept())

        XCTAssertEqual(try client.receive(), [])
    }

    private func letGo(of descriptor: consuming FileDescriptor?) {}

    private func listen(host: String, port: UInt16) throws {
        _ = try ListeningSocket(host: host, port: port)
    }
}
