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
    guard bytes.count == 36, let high = word(of: bytes, in: 0..<18),
        let low = word(of: bytes, in: 18..<36)
    else { return nil }
    return (high, low)
}

/// The 64 bits of half a text: 16 digits with two hyphens between them or before.
private func word(of bytes: Span<UInt8>, in half: Range<Int>) -> UInt64? {
    var word: UInt64 = 0
    for position in half {
        let byte = bytes[position]
        if isHyphen(at: position) {
            guard byte == UInt8(ascii: "-") else { return nil }
        } else {
            guard let digit = hexadecimalValue(of: byte) else { return nil }
            word = word << 4 | digit
        }
    }
    return word
}

/// Whether a hyphen stands there: the groups have 8, 4, 4, 4 and 12 digits.
private func isHyphen(at position: Int) -> Bool {
    switch position {
    case 8, 13, 18, 23: true
    default: false
    }
}

private func hexadecimalValue(of byte: UInt8) -> UInt64? {
    let digit = byte &- UInt8(ascii: "0")
    if digit < 10 { return UInt64(digit) }
    // The one bit that tells capitals from small letters.
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? UInt64(letter) + 10 : nil
}
