/// The 128 bits of a UUID, typed by what they name.
///
/// An identifier of a goal can't be taken for one of a transaction. Its text is that of RFC 9562:
/// 36 characters, lower case when written, in either case when read.
public struct Identifier<Entity>: Hashable, Sendable {
    /// The first eight bytes, the first of them in the highest bits.
    public let high: UInt64

    /// The last eight bytes.
    public let low: UInt64

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension Identifier: Comparable {
    /// Whether an identifier's bytes come before another's, which is also the order of their texts.
    @inlinable
    public static func < (first: Identifier, second: Identifier) -> Bool {
        (first.high, first.low) < (second.high, second.low)
    }
}

extension Identifier {
    /// Makes an identifier that no one else makes, of version 7 (RFC 9562, section 5.7).
    ///
    /// Its first 48 bits are the moment in milliseconds, so that identifiers sort roughly by age
    /// and new ones land together at the end of an index; 74 bits are random.
    public static func version7(
        at moment: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Self {
        let milliseconds = UInt64(clamping: moment.millisecondsSinceEpoch) & 0xFFFF_FFFF_FFFF
        let version: UInt64 = 0x7000
        let variant: UInt64 = 0b10 << 62
        return Identifier(
            high: milliseconds << 16 | version | generator.next() & 0x0FFF,
            low: variant | generator.next() & (1 << 62 - 1)
        )
    }
}

extension Identifier: ASCIIWritable, LosslessStringConvertible {
    /// Reads an identifier from its 36 characters, in upper or lower case.
    ///
    /// Braces, a `urn:uuid:` in front, missing hyphens and blanks are refused. Any version is taken:
    /// a client may bring an identifier of its own making.
    public init?(_ text: String) {
        self.init(ascii: text.utf8.span)
    }

    /// Reads an identifier from the bytes of its characters.
    public init?(ascii bytes: Span<UInt8>) {
        guard let words = words(of: bytes) else { return nil }
        self.init(high: words.high, low: words.low)
    }

    public static var maximumCharacters: Int { 36 }

    /// Appends the 36 characters.
    public func write(to output: inout OutputSpan<UInt8>) {
        output.append(hexadecimal: high >> 32, digits: 8)
        output.append("-")
        output.append(hexadecimal: high >> 16, digits: 4)
        output.append("-")
        output.append(hexadecimal: high, digits: 4)
        output.append("-")
        output.append(hexadecimal: low >> 48, digits: 4)
        output.append("-")
        output.append(hexadecimal: low, digits: 12)
    }
}

/// The 128 bits of the text of an identifier, whatever it identifies; `nil` if it is none.
private func words(of bytes: Span<UInt8>) -> (high: UInt64, low: UInt64)? {
    let hyphen = UInt8(ascii: "-")
    guard
        bytes.count == 36, bytes[8] == hyphen, bytes[13] == hyphen, bytes[18] == hyphen,
        bytes[23] == hyphen
    else { return nil }
    var digits = HexadecimalDigits()
    digits.read(bytes, 0..<8)
    digits.read(bytes, 9..<13)
    digits.read(bytes, 14..<18)
    let high = digits.word
    digits.read(bytes, 19..<23)
    digits.read(bytes, 24..<36)
    return digits.areSound ? (high, digits.word) : nil
}

/// The value of hexadecimal digits, and whether all were some: that is asked once, in the end.
private struct HexadecimalDigits {
    /// The last sixteen digits.
    private(set) var word: UInt64 = 0
    private(set) var areSound = true

    mutating func read(_ bytes: Span<UInt8>, _ places: Range<Int>) {
        for place in places {
            let digit = bytes[place] &- UInt8(ascii: "0")
            // The one bit that tells capitals from small letters.
            let letter = (bytes[place] | 0x20) &- UInt8(ascii: "a")
            areSound = areSound && (digit < 10 || letter < 6)
            word = word << 4 | UInt64((digit < 10 ? digit : letter &+ 10) & 0xF)
        }
    }
}
