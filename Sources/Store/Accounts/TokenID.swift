/// What a token is known by, which is no secret: 64 random bits, written as 16 hexadecimal digits.
public struct TokenID: Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Reads 16 digits, in lower case as they are written.
    public init?(_ digits: some Collection<UInt8>) {
        guard digits.count == TokenID.digitCount else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default:
                return nil
            }
        }
        rawValue = value
    }

    /// How many digits an id has.
    public static let digitCount = 16
}

extension TokenID: CustomStringConvertible {
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: TokenID.digitCount - digits.count) + digits
    }
}
