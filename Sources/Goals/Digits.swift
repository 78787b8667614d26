// The digits that identifiers, days, moments and amounts are written with.

extension [UInt8] {
    /// Appends a number in decimal, with zeros in front up to a width.
    mutating func appendDecimal(_ number: UInt64, width: Int = 1) {
        var digits = 1
        // What the first digit stands for.
        var unit: UInt64 = 1
        while number / unit >= 10 {
            digits += 1
            unit *= 10
        }
        append(addingCapacity: Swift.max(digits, width)) { bytes in
            for _ in digits..<Swift.max(digits, width) { bytes.append(UInt8(ascii: "0")) }
            while unit > 0 {
                bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
                unit /= 10
            }
        }
    }

    /// Appends the lowest digits of a number in hexadecimal, in lower case.
    mutating func appendHexadecimal(_ number: UInt64, digits: Int) {
        append(addingCapacity: digits) { bytes in
            var shift = digits * 4
            while shift > 0 {
                shift -= 4
                let digit = UInt8(truncatingIfNeeded: number >> shift & 0xF)
                bytes.append(
                    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                )
            }
        }
    }
}

extension UInt8 {
    var isDecimalDigit: Bool {
        UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9")
    }
}
