import CLinux
import Glibc

/// The address of a peer as the 16 bytes of IPv6, in which those of IPv4 have their place
/// (RFC 4291 §2.5.5.2).
public struct IPAddress: Hashable, Sendable {
    /// The first eight bytes, the first of them on top.
    public let high: UInt64

    /// The last eight bytes.
    public let low: UInt64
}

extension IPAddress {
    /// Reads what the kernel says of a peer; `nil` if it is of another family.
    init?(_ storage: inout sockaddr_storage) {
        switch Int32(storage.ss_family) {
        case AF_INET6:
            (high, low) = withUnsafeBytes(of: &storage) { bytes in
                let address = bytes.load(as: sockaddr_in6.self)
                return withUnsafeBytes(of: address.sin6_addr) { bytes in
                    (
                        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                    )
                }
            }
        case AF_INET:
            let address = withUnsafeBytes(of: &storage) { bytes in
                UInt32(bigEndian: bytes.load(as: sockaddr_in.self).sin_addr.s_addr)
            }
            (high, low) = (0, 0xFFFF << 32 | UInt64(address))
        default:
            return nil
        }
    }
}
