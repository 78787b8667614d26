import Foundation

extension UUID {
    /// Makes an id from the time and chance (RFC 9562, section 5.7).
    ///
    /// Ids that are made later sort later, which keeps indexes small, here and on the server.
    static func version7(at moment: Date = Date()) -> UUID {
        let milliseconds = UInt64(max(0, moment.timeIntervalSince1970) * 1_000)
        var (high, low) = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        high = milliseconds << 16 | 0x7000 | high & 0x0FFF
        low = 0x8000_0000_0000_0000 | low >> 2
        func byte(_ index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> (56 - 8 * (index % 8)))
        }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7),
                byte(8), byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
            )
        )
    }
}
