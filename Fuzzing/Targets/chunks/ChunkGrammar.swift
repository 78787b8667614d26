/// A second reader of chunked bodies, as plain as the grammar of RFC 9112 §7.1 and as slow as it
/// likes: it takes all bytes at once and knows no limits.
///
/// Like the one that it is held against, it refuses white space that the grammar calls bad before
/// the end of a line, and sizes of more than 16 digits.
struct ChunkGrammar {
    private var rest: ArraySlice<UInt8>
    private var body = Body()

    struct Body {
        fileprivate(set) var content: [UInt8] = []
        fileprivate(set) var end = 0
        fileprivate(set) var extensionBytes = 0
        fileprivate(set) var trailerBytes = 0
    }

    /// Reads a body from the beginning of some bytes; `nil` if there is none.
    static func read(_ bytes: [UInt8]) -> Body? {
        var grammar = ChunkGrammar(rest: bytes[...])
        while let size = grammar.readSize() {
            guard grammar.skipExtensions(), grammar.skip("\r\n") else { return nil }
            guard size > 0 else { return grammar.readTrailer() }
            guard size <= UInt64(grammar.rest.count) else { return nil }
            grammar.body.content += grammar.rest.prefix(Int(size))
            grammar.rest = grammar.rest.dropFirst(Int(size))
            guard grammar.skip("\r\n") else { return nil }
        }
        return nil
    }

    /// Reads `1*HEXDIG`.
    private mutating func readSize() -> UInt64? {
        let digits = take { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
        guard digits.count <= 16 else { return nil }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// Skips `*( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )`.
    private mutating func skipExtensions() -> Bool {
        let before = rest.count
        while rest.first != UInt8(ascii: "\r") {
            skipBlanks()
            guard skip(";") else { return false }
            skipBlanks()
            guard !take(isTokenByte).isEmpty else { return false }
            var ahead = self
            ahead.skipBlanks()
            guard ahead.skip("=") else { continue }
            ahead.skipBlanks()
            guard ahead.skipValue() else { return false }
            self = ahead
        }
        body.extensionBytes += before - rest.count
        return true
    }

    /// Skips `token / quoted-string`.
    private mutating func skipValue() -> Bool {
        guard skip("\"") else { return !take(isTokenByte).isEmpty }
        while !skip("\"") {
            _ = skip("\\")
            guard let byte = rest.popFirst(), isTextByte(byte) else { return false }
        }
        return true
    }

    /// Skips `*( field-line CRLF ) CRLF`, and with it the body is complete.
    private mutating func readTrailer() -> Body? {
        let before = rest.count
        while !skip("\r\n") {
            guard !take(isTokenByte).isEmpty, skip(":") else { return nil }
            _ = take(isTextByte)
            guard skip("\r\n") else { return nil }
        }
        body.trailerBytes = before - rest.count
        body.end = rest.startIndex
        return body
    }

    private mutating func skipBlanks() {
        _ = take { $0 == 0x20 || $0 == 0x09 }
    }

    /// Skips a text if it is next.
    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Takes all bytes of a kind that are next.
    private mutating func take(_ belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: belongs)
        rest = rest.dropFirst(taken.count)
        return taken
    }
}

/// Whether a byte is a `tchar` (RFC 9110 §5.6.2).
private func isTokenByte(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9": true
    case "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
    default: false
    }
}

/// Whether a byte may be within a value: a tab, a blank, visible, or not ASCII.
private func isTextByte(_ byte: UInt8) -> Bool {
    byte == 0x09 || (0x20...0x7E).contains(byte) || byte >= 0x80
}
