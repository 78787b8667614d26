import HTTP
import XCTest

final class PeerAddressTests: XCTestCase {
    func testIsWrittenInTheOneFormThereIsForEach() {
        let network: UInt64 = 0x2001_0DB8_0000_0000
        let texts: [(PeerAddress, String)] = [
            (PeerAddress(ipv4: 0x7F00_0001), "127.0.0.1"),
            (PeerAddress(high: 0, low: 0xFFFF_C000_0201), "192.0.2.1"),
            (PeerAddress(high: 0, low: 0), "::"),
            (PeerAddress(high: 0, low: 1), "::1"),
            (PeerAddress(high: network, low: 0), "2001:db8::"),
            (PeerAddress(high: network, low: 1), "2001:db8::1"),
            (PeerAddress(high: network | 1, low: 0x0001_0001_0001_0001), "2001:db8:0:1:1:1:1:1"),
            (PeerAddress(high: 0x2001_0000_0000_0001, low: 1), "2001:0:0:1::1"),
            (PeerAddress(high: network, low: 0x0001_0000_0000_0001), "2001:db8::1:0:0:1"),
            (PeerAddress(high: 0xFE80_0000_0000_0000, low: .max), "fe80::ffff:ffff:ffff:ffff"),
            (PeerAddress(high: .max, low: .max), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ]
        for (address, text) in texts { XCTAssertEqual(address.description, text) }
    }

    func testIsLoopbackInEitherVersion() {
        for address in [0x7F00_0001, 0x7FFF_FFFF].map(PeerAddress.init(ipv4:)) {
            XCTAssertTrue(address.isLoopback, "\(address)")
        }
        XCTAssertTrue(PeerAddress(high: 0, low: 1).isLoopback)
        for address in [
            PeerAddress(ipv4: 0x8000_0001), PeerAddress(ipv4: 0), PeerAddress(high: 0, low: 0),
            PeerAddress(high: 0, low: 0x7F00_0001), PeerAddress(high: 1, low: 1),
        ] {
            XCTAssertFalse(address.isLoopback, "\(address)")
        }
    }

    func testBelongsToTheNetworkThatItsOwnerHas() {
        let one = PeerAddress(high: 0x2001_0DB8_0000_0001, low: 1)
        let neighbor = PeerAddress(high: 0x2001_0DB8_0000_0001, low: .max)
        let other = PeerAddress(high: 0x2001_0DB8_0000_0002, low: 1)

        XCTAssertEqual(one.network, neighbor.network)
        XCTAssertNotEqual(one.network, other.network)
        XCTAssertEqual(one.network.description, "2001:db8:0:1::")
        XCTAssertEqual(PeerAddress(ipv4: 1).network, PeerAddress(ipv4: 1))
        XCTAssertNotEqual(PeerAddress(ipv4: 1).network, PeerAddress(ipv4: 2).network)
        XCTAssertTrue(PeerAddress(high: 0, low: 1).network.isLoopback)
    }
}
