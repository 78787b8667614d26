// The digits that identifiers, days, moments and amounts are written with.

extension [UInt8] {
    /// Appends a number in decimal, with zeros in front up to a width.
    mutating func appendDecimal(_ number: UInt64, width: Int = 1) {
        var digits = 1
        var rest = number / 10
        while rest > 0 || digits < width {
            digits += 1
            rest /= 10
        }

        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
        rest = number
        var position = count
        while rest > 0 {
            position -= 1
            self[position] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
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
