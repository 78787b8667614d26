// The digits that identifiers, days, moments and amounts are written with.

/// A value with a text of a few ASCII characters, none of which needs an escape anywhere.
public protocol ASCIIWritable: CustomStringConvertible {
    /// More characters than the text never has.
    static var maximumCharacters: Int { get }

    /// Appends the text, for which there must be room.
    func write(to output: inout OutputSpan<UInt8>)
}

extension ASCIIWritable {
    public var description: String {
        let bytes = [UInt8](capacity: Self.maximumCharacters) { output in write(to: &output) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension OutputSpan<UInt8> {
    /// Appends an ASCII character.
    mutating func append(_ character: Unicode.Scalar) {
        append(UInt8(ascii: character))
    }

    /// Appends a number in decimal, with zeros in front up to a width.
    mutating func append<Number: UnsignedInteger & FixedWidthInteger>(
        decimal number: Number,
        width: Int = 1
    ) {
        var digits = 1
        var rest = number / 10
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        let start = count
        append(repeating: UInt8(ascii: "0"), count: Swift.max(digits, width))
        // From the last digit on, so that each is a remainder.
        var place = count
        rest = number
        var bytes = mutableSpan
        while place > start, rest > 0 {
            place -= 1
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Appends a number below a hundred in two digits.
    mutating func append(twoDigits number: Int) {
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends the lowest digits of a number in hexadecimal, in lower case.
    mutating func append(hexadecimal number: UInt64, digits: Int) {
        var shift = digits * 4
        while shift > 0 {
            shift -= 4
            let digit = UInt8(truncatingIfNeeded: number >> shift & 0xF)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

extension UInt8 {
    var isDecimalDigit: Bool {
        UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9")
    }
}
