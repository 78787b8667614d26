import HTTP
import XCTest

final class PeerAddressTests: XCTestCase {
    func testBelongsToTheNetworkThatItsOwnerHas() {
        let one = PeerAddress(high: 0x2001_0DB8_0000_0001, low: 1)
        let neighbor = PeerAddress(high: 0x2001_0DB8_0000_0001, low: .max)
        let other = PeerAddress(high: 0x2001_0DB8_0000_0002, low: 1)

        XCTAssertEqual(one.network, neighbor.network)
        XCTAssertNotEqual(one.network, other.network)
        XCTAssertEqual(one.network, PeerAddress(high: 0x2001_0DB8_0000_0001, low: 0))
        XCTAssertEqual(PeerAddress(ipv4: 1).network, PeerAddress(ipv4: 1))
        XCTAssertNotEqual(PeerAddress(ipv4: 1).network, PeerAddress(ipv4: 2).network)
        XCTAssertEqual(PeerAddress(high: 0, low: 1).network, PeerAddress(high: 0, low: 1))
    }
}
