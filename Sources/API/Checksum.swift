/// The 64-bit FNV-1a hash: the same for the same bytes in every process and every release.
///
/// It tells things apart that nobody tries to confuse. It is no secret and no signature.
struct Checksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a part, so that no two sequences of parts look the same.
    mutating func add(_ part: some Collection<UInt8>) {
        for byte in part { add(byte) }
        // UTF-8 never has this byte, so that it ends a part.
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}
