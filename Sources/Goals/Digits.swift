// The digits that identifiers, days, moments and amounts are written with.

extension [UInt8] {
    /// Appends a number in decimal, with zeros in front up to a width.
    mutating func appendDecimal(_ number: UInt64, width: Int = 1) {
        let start = count
        var rest = number
        while rest > 0 || count - start < width {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }

    /// Appends the lowest digits of a number in hexadecimal, in lower case.
    mutating func appendHexadecimal(_ number: UInt64, digits: Int) {
        var shift = digits * 4
        while shift > 0 {
            shift -= 4
            let digit = UInt8(truncatingIfNeeded: number >> shift & 0xF)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

extension Substring.UTF8View {
    /// The number that ASCII digits stand for; `nil` if there are none, or others, or too many.
    var decimalValue: Int? {
        guard !isEmpty, count <= 18 else { return nil }
        var value = 0
        for byte in self {
            guard byte.isDecimalDigit else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }
}

extension UInt8 {
    var isDecimalDigit: Bool {
        UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9")
    }
}
