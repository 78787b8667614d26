/// A hash that is the same in every process and every release (FNV-1a with 64 bits).
///
/// What goes in is unambiguous: whether a value is there comes before it, and so does the length of
/// a text, so that no two sequences of values make the same bytes. Swift's own `Hasher` is seeded
/// anew in each process.
struct Fingerprint {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func combine(_ text: String?) {
        combine(isThere: text != nil)
        guard let text else { return }
        combine(Int64(text.utf8.count))
        for byte in text.utf8 {
            combine(byte)
        }
    }

    mutating func combine(_ number: Int64?) {
        combine(isThere: number != nil)
        guard let number else { return }
        let bits = UInt64(bitPattern: number)
        for shift in stride(from: 0, to: 64, by: 8) {
            combine(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
    }

    private mutating func combine(isThere: Bool) {
        combine(isThere ? 1 as UInt8 : 0)
    }

    private mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
}
