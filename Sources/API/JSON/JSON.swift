/// A JSON value as a client wrote it.
///
/// Numbers stay the digits they were written in: an amount of money that went through a `Double`
/// would no longer be the amount that was sent.
enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([Name: JSON])
}

extension JSON {
    /// The name of a member.
    ///
    /// Names are the same if their bytes are (RFC 8259 §8.3). Strings are the same if they look alike,
    /// which for a name of many accents takes long to find out.
    struct Name: Hashable, Sendable {
        let text: String

        init(_ text: String) {
            self.text = text
        }

        static func == (first: Name, second: Name) -> Bool {
            let (first, second) = (first.text.utf8.span, second.text.utf8.span)
            guard first.count == second.count else { return false }
            for index in first.indices where first[index] != second[index] { return false }
            return true
        }

        func hash(into hasher: inout Hasher) {
            let bytes = text.utf8.span
            hasher.combine(bytes.count)
            // Eight bytes at a time, since to combine each of them costs more than all else.
            var word: UInt64 = 0
            for index in bytes.indices {
                word = word << 8 | UInt64(bytes[index])
                if index % 8 == 7 { hasher.combine(word) }
            }
            hasher.combine(word)
        }
    }
}

extension JSON {
    /// A member of an object.
    struct Member: Hashable, Sendable {
        let name: Name
        let value: JSON
    }
}

extension JSON.Name: Comparable, ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        self.init(text)
    }

    static func < (first: JSON.Name, second: JSON.Name) -> Bool {
        first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
    }
}

/// Why and where a text is not JSON.
struct JSONMistake: Error, Hashable {
    /// The line, counted from 1.
    let line: Int

    /// The column in Unicode scalars, counted from 1.
    let column: Int

    /// A sentence without its full stop: what stands there, or what is missing.
    let reason: String

    init(_ reason: String, at offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // Bytes that continue a scalar begin with the bits 10.
        column = before[lineStart...].count { $0 & 0b1100_0000 != 0b1000_0000 } + 1
        self.reason = reason
    }
}
