// Names for the bytes that HTTP gives a meaning, and the classes that its grammar puts bytes in.

extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// A byte of a token: a method, a field's name (RFC 9110 §5.6.2).
    var isTokenByte: Bool { ByteClass.of(self) & ByteClass.token != 0 }

    /// A byte that a field's value may hold: visible, blank, tab, or not ASCII (RFC 9110 §5.5).
    var isFieldByte: Bool { ByteClass.of(self) & ByteClass.field != 0 }

    /// A byte of a request target: what RFC 3986 allows in a path or a query, `?` and `%` included.
    var isTargetByte: Bool { ByteClass.of(self) & ByteClass.target != 0 }

    /// A byte of a registered name as a host, but for `%` (RFC 3986 §3.2.2).
    ///
    /// The comma is left out although the grammar has it: no host is named so, and two `Host`
    /// fields that some proxy joined would pass for one.
    var isHostByte: Bool { ByteClass.of(self) & ByteClass.host != 0 }

    /// A blank or a tab: the only white space there is in a message.
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

/// The classes that a byte belongs to, as bits.
private enum ByteClass {
    static let token: UInt8 = 1
    static let field: UInt8 = 2
    static let target: UInt8 = 4
    static let host: UInt8 = 8

    static func of(_ byte: UInt8) -> UInt8 { table[Int(byte)] }

    private static let table: [256 of UInt8] = InlineArray { index in
        let byte = UInt8(truncatingIfNeeded: index)
        let isAlphanumeric = byte.isDigit || (byte | 0x20) &- UInt8(ascii: "a") < 26
        var classes: UInt8 = 0
        if isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte) { classes |= token }
        if byte == .tab || byte >= .space && byte != 0x7F { classes |= field }
        if isAlphanumeric || "-._~!$&'()*+,;=:@/?%".utf8.contains(byte) { classes |= target }
        if isAlphanumeric || "-._~!$&'()*+;=".utf8.contains(byte) { classes |= host }
        return classes
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Whether the bytes are those of a text that has no capitals, ASCII letters' case aside.
    func equalsIgnoringCase(_ lowercase: some RandomAccessCollection<UInt8>) -> Bool {
        guard count == lowercase.count else { return false }
        return zip(self, lowercase).allSatisfy { $0.lowercased == $1 }
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

extension [UInt8] {
    /// Appends a number in decimal digits.
    mutating func append(decimal number: Int) {
        guard number >= 10 else { return append(UInt8(ascii: "0") &+ UInt8(number)) }
        append(decimal: number / 10)
        append(UInt8(ascii: "0") &+ UInt8(number % 10))
    }
}
