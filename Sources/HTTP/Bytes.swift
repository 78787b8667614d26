// Names for the bytes that HTTP gives a meaning, and the classes that its grammar puts bytes in.

extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// A byte of a token: a method, a field's name (RFC 9110 §5.6.2).
    var isTokenByte: Bool { ByteSet.token.contains(self) }

    /// A byte that a field's value may hold: visible, blank, tab, or not ASCII (RFC 9110 §5.5).
    var isFieldByte: Bool { self >= .space && self != 0x7F || self == .tab }

    /// A byte that RFC 3986 allows in a path or a query, `?` and `%` included.
    var isTargetByte: Bool { ByteSet.target.contains(self) }

    /// The same, `?` and `%` not included.
    var isPlainPathByte: Bool { ByteSet.plainPath.contains(self) }

    /// A byte of a registered name as a host, but for `%` (RFC 3986 §3.2.2).
    ///
    /// The comma is left out although the grammar has it: no host is named so, and two `Host`
    /// fields that some proxy joined would pass for one.
    var isHostByte: Bool { ByteSet.host.contains(self) }

    /// A blank or a tab: the only white space there is within a line.
    var isBlank: Bool { self == .space || self == .tab }

    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// The value of a hexadecimal digit, in either case.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self &- UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self &- UInt8(ascii: "A") &+ 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self &- UInt8(ascii: "a") &+ 10
        default: nil
        }
    }

    /// The byte with an ASCII capital made small.
    var lowercased: UInt8 {
        self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
    }
}

/// A set of ASCII bytes, one bit for each.
///
/// The sets are literals, so that the compiler folds them into the loops that ask them; a test
/// holds them against the characters that the grammar lists.
struct ByteSet {
    /// The bytes 0 to 63.
    let low: UInt64

    /// The bytes 64 to 127.
    let high: UInt64

    static let token = ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    static let target = ByteSet(low: 0xAFFF_FFF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
    static let plainPath = ByteSet(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
    static let host = ByteSet(low: 0x2BFF_6FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)

    func contains(_ byte: UInt8) -> Bool {
        let bits = byte & 0x40 == 0 ? low : high
        return byte < 0x80 && (bits &>> UInt64(byte)) & 1 != 0
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the blanks and tabs around them.
    var trimmingBlanks: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isBlank }),
            let last = lastIndex(where: { !$0.isBlank })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

/// A range of bytes without the blanks and tabs at its ends.
func trimmingBlanks(_ range: Range<Int>, in bytes: Span<UInt8>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start].isBlank {
        start += 1
    }
    while end > start, bytes[end - 1].isBlank {
        end -= 1
    }
    return start..<end
}

extension Span<UInt8> {
    /// Whether the bytes are those of a text that has no capitals, ASCII letters' case aside.
    func equalsIgnoringCase(_ lowercase: [UInt8]) -> Bool {
        guard count == lowercase.count else { return false }
        for index in indices where self[index].lowercased != lowercase[index] {
            return false
        }
        return true
    }
}

extension [UInt8] {
    /// Appends a number in decimal digits.
    mutating func append(decimal number: Int) {
        if number >= 10 {
            append(decimal: number / 10)
        }
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends a number in hexadecimal digits.
    mutating func append(hexadecimal number: Int) {
        if number >= 16 {
            append(hexadecimal: number >> 4)
        }
        let digit = UInt8(truncatingIfNeeded: number & 0xF)
        append(digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
}
