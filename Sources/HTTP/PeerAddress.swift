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
    /// The four bytes of IPv4, if it is such an address.
    public var ipv4: UInt32? {
        high == 0 && low >> 32 == ipv4Prefix ? UInt32(truncatingIfNeeded: low) : nil
    }

    /// Whether the peer runs on the same machine.
    public var isLoopback: Bool {
        if let ipv4 { return ipv4 >> 24 == 127 }
        return high == 0 && low == 1
    }

    /// What one owner has for sure: of IPv6 the 64 bits of the network, in which a client can take
    /// as many addresses as it likes; of IPv4 the address itself.
    public var network: PeerAddress {
        ipv4 == nil && high != 0 ? PeerAddress(high: high, low: 0) : self
    }
}

extension PeerAddress: CustomStringConvertible {
    /// The address as RFC 5952 has it, an IPv4 address with its dots.
    public var description: String {
        if let ipv4 {
            return [24, 16, 8, 0].map { String(ipv4 >> $0 & 0xFF) }.joined(separator: ".")
        }
        let groups = [high, low].flatMap { half in
            [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) }
        }
        let zeros = Self.longestZeros(in: groups)
        guard zeros.count > 1 else { return Self.text(groups[...]) }
        let (before, after) = (groups[..<zeros.lowerBound], groups[zeros.upperBound...])
        return Self.text(before) + "::" + Self.text(after)
    }

    private static func text(_ groups: ArraySlice<UInt16>) -> String {
        groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// The first of the longest runs of zeros.
    private static func longestZeros(in groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        return longest
    }
}

/// What the addresses of IPv4 begin with after 64 zeros: 16 more, then 16 ones.
private let ipv4Prefix: UInt64 = 0xFFFF
