/// A second judge of JSON texts, as plain as the grammar of RFC 8259: it says yes or no.
///
/// It minds neither members that appear twice, nor how deep values are nested, nor halves of
/// surrogate pairs, all of which the grammar allows.
struct JSONGrammar {
    private var rest: Substring.UnicodeScalarView

    static func accepts(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        var grammar = JSONGrammar(rest: text[...].unicodeScalars)
        return grammar.skipValue() && grammar.rest.isEmpty
    }

    /// Skips `ws value ws`.
    private mutating func skipValue() -> Bool {
        skipBlanks()
        let isValue =
            switch rest.first {
            case "{": skipList("{", "}") { $0.skipMember() }
            case "[": skipList("[", "]") { $0.skipValue() }
            case "\"": skipString()
            case "t": skip("true")
            case "f": skip("false")
            case "n": skip("null")
            default: skipNumber()
            }
        skipBlanks()
        return isValue
    }

    /// Skips what has a comma between any two elements, and none after the last.
    private mutating func skipList(
        _ start: String,
        _ end: String,
        _ skipElement: (inout JSONGrammar) -> Bool
    ) -> Bool {
        guard skip(start) else { return false }
        skipBlanks()
        if skip(end) { return true }
        repeat {
            guard skipElement(&self) else { return false }
        } while skip(",")
        return skip(end)
    }

    /// Skips `ws string ws ":" value`.
    private mutating func skipMember() -> Bool {
        skipBlanks()
        guard skipString() else { return false }
        skipBlanks()
        return skip(":") && skipValue()
    }

    /// Skips `quotation-mark *char quotation-mark`.
    private mutating func skipString() -> Bool {
        guard skip("\"") else { return false }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return true
            case "\\": guard skipEscape() else { return false }
            case "\u{0}"..."\u{1F}": return false
            default: break
            }
        }
        return false
    }

    private mutating func skipEscape() -> Bool {
        guard let letter = rest.popFirst() else { return false }
        guard letter == "u" else { return "\"\\/bfnrt".unicodeScalars.contains(letter) }
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        return digits.count == 4 && digits.allSatisfy { $0.isASCII && Character($0).isHexDigit }
    }

    /// Skips `[ "-" ] int [ frac ] [ exp ]`.
    private mutating func skipNumber() -> Bool {
        _ = skip("-")
        guard skip("0") || skipDigits() else { return false }
        if skip("."), !skipDigits() { return false }
        guard skip("e") || skip("E") else { return true }
        _ = skip("+") || skip("-")
        return skipDigits()
    }

    private mutating func skipDigits() -> Bool {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }

    private mutating func skipBlanks() {
        rest = rest.drop { " \t\n\r".unicodeScalars.contains($0) }
    }

    /// Skips a text if it is next.
    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }
}
