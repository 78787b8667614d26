/// Percent-encoding (RFC 3986 §2.1).
enum PercentEncoding {
    /// The bytes with their escapes undone, once.
    ///
    /// `nil` if an escape is broken, or there is a NUL, be it escaped or not.
    static func decode(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                guard byte != 0 else { return nil }
                decoded.append(byte)
                continue
            }
            guard let high = rest.next()?.hexadecimalValue,
                let low = rest.next()?.hexadecimalValue,
                high | low != 0
            else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }
}
