/// The IP address at the other end of a connection.
///
/// An IPv4 address is kept as the IPv6 address that stands for it (RFC 4291 §2.5.5.2), so that a
/// client is the same whichever kind of socket it came through.
public struct PeerAddress: Hashable, Sendable {
    /// The first eight bytes, the first of them on top.
    public let high: UInt64

    /// The last eight bytes.
    public let low: UInt64

    /// Creates an address from the 16 bytes of IPv6.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an address from the four bytes of IPv4, the first of them on top.
    public init(ipv4: UInt32) {
        self.init(high: 0, low: ipv4Prefix << 32 | UInt64(ipv4))
    }
}

extension PeerAddress {
    /// What one owner has for sure: of IPv6 the 64 bits of the network, in which a client can take
    /// as many addresses as it likes; of IPv4 the address itself.
    public var network: PeerAddress {
        high == 0 ? self : PeerAddress(high: high, low: 0)
    }
}

/// What the addresses of IPv4 begin with after 64 zeros: 16 more, then 16 ones.
private let ipv4Prefix: UInt64 = 0xFFFF
