/// A token that the environment gives to the default account, for containers; no file has it.
public struct FixedToken: Sendable {
    private let text: [UInt8]

    /// Takes any token that `Authorization` can carry (`token68` of RFC 9110 §11.2).
    ///
    /// - Returns: `nil` unless it has 32 to 256 characters and is such a token.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (32...256).contains(bytes.count) else { return nil }
        let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard bytes.dropLast(padding).allSatisfy(\.isTokenLetter), padding < bytes.count else {
            return nil
        }
        self.text = bytes
    }

    /// Whether this is the token that a request came with.
    func matches(_ given: ArraySlice<UInt8>) -> Bool {
        isSameSecret(given, text)
    }
}

extension FixedToken: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Says nothing of the token, so that no message ever has it.
    public var description: String { "a fixed token" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UInt8 {
    /// Whether the byte may be in a `token68`, but for the padding at its end.
    fileprivate var isTokenLetter: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
