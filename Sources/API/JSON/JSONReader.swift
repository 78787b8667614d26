extension JSON {
    /// Reads a JSON text, as strictly as RFC 8259 allows.
    ///
    /// No member may appear twice in an object, since two readers might each believe another one.
    /// Nesting is bounded, since reading is recursive and a stack is not endless.
    ///
    /// - Throws: ``JSONMistake`` with the place of the first mistake.
    init(_ bytes: [UInt8]) throws(JSONMistake) {
        var reader = JSONReader(bytes)
        self = try reader.readText { (reader) throws(JSONMistake) in try reader.readValue() }
    }

    /// Reads a JSON text that is to be an object: as strictly, and with less work, for nearly all that
    /// comes is an object of a few members.
    ///
    /// - Returns: The members in their order, or `nil` if the text is another value.
    /// - Throws: ``JSONMistake`` with the place of the first mistake.
    static func members(of bytes: [UInt8]) throws(JSONMistake) -> [Member]? {
        var reader = JSONReader(bytes)
        return try reader.readText { (reader) throws(JSONMistake) in
            guard reader.next == UInt8(ascii: "{") else {
                _ = try reader.readValue()
                return nil
            }
            return try reader.nested { (reader) throws(JSONMistake) in try reader.readMembers() }
        }
    }
}

/// A recursive reader over bytes that are known to be UTF-8.
private struct JSONReader {
    /// How deep arrays and objects may be nested.
    static let deepest = 64

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a text that is one value, and nothing else but blanks.
    mutating func readText<Value>(
        _ read: (inout JSONReader) throws(JSONMistake) -> Value
    ) throws(JSONMistake) -> Value {
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw mistake("here is no UTF-8 text", at: error.byteOffsets.lowerBound)
        }
        skipBlanks()
        let value = try read(&self)
        skipBlanks()
        guard position == bytes.count else { throw mistake("nothing may follow the value") }
        return value
    }

    mutating func readValue() throws(JSONMistake) -> JSON {
        skipBlanks()
        guard let next else { throw mistake("the text ends where a value is expected") }
        switch next {
        case UInt8(ascii: "{"):
            return try nested { (reader) throws(JSONMistake) in try reader.readObject() }
        case UInt8(ascii: "["):
            return try nested { (reader) throws(JSONMistake) in try reader.readArray() }
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
        default: throw mistake("a value is expected here")
        }
    }
}

// MARK: - Arrays and objects

extension JSONReader {
    mutating func nested<Value>(
        _ read: (inout JSONReader) throws(JSONMistake) -> Value
    ) throws(JSONMistake) -> Value {
        guard depth < Self.deepest else {
            throw mistake("values are nested deeper than \(Self.deepest) levels")
        }
        depth += 1
        position += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    private mutating func readArray() throws(JSONMistake) -> JSON {
        var elements: [JSON] = []
        skipBlanks()
        if skip(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            elements.append(try readValue())
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else {
            throw mistake("a comma or the end of the array, ], is expected here")
        }
        return .array(elements)
    }

    private mutating func readObject() throws(JSONMistake) -> JSON {
        var members: [JSON.Name: JSON] = [:]
        try readMembers { name, value in members.updateValue(value, forKey: name) == nil }
        return .object(members)
    }

    /// Reads the members of an object in their order.
    mutating func readMembers() throws(JSONMistake) -> [JSON.Member] {
        var members: [JSON.Member] = []
        // Of a few names, looking at each is less work than a set of them.
        let few = 16
        members.reserveCapacity(few)
        var names: Set<JSON.Name> = []
        try readMembers { name, value in
            let isNew: Bool
            if members.count < few {
                isNew = !members.contains { $0.name == name }
            } else {
                if names.isEmpty { names = Set(members.map(\.name)) }
                isNew = names.insert(name).inserted
            }
            members.append(JSON.Member(name: name, value: value))
            return isNew
        }
        return members
    }

    /// Reads the members of an object, and has each added, which is to say whether it is a new one.
    private mutating func readMembers(
        _ add: (JSON.Name, JSON) -> Bool
    ) throws(JSONMistake) {
        skipBlanks()
        if skip(UInt8(ascii: "}")) { return }
        repeat {
            skipBlanks()
            let start = position
            guard next == UInt8(ascii: "\"") else {
                throw mistake("the name of a member, in double quotes, is expected here")
            }
            let name = JSON.Name(try readString())
            skipBlanks()
            guard skip(UInt8(ascii: ":")) else { throw mistake("a colon is expected here") }
            guard add(name, try readValue()) else {
                throw mistake("the object has this member already", at: start)
            }
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else {
            throw mistake("a comma or the end of the object, }, is expected here")
        }
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func readString() throws(JSONMistake) -> String {
        position += 1
        let start = position
        skipPlainText()
        // Most strings have no escapes and are taken as they stand.
        if next == UInt8(ascii: "\"") {
            let text = try checked(bytes[start..<position], from: start)
            position += 1
            return text
        }
        var text = Array(bytes[start..<position])
        while !skip(UInt8(ascii: "\"")) {
            switch next {
            case UInt8(ascii: "\\"):
                try readEscape(into: &text)
            case nil:
                throw mistake("the text ends within a string")
            case _?:
                throw mistake("a control character must be written as an escape, such as \\n")
            }
            let plain = position
            skipPlainText()
            text += bytes[plain..<position]
        }
        return try checked(text[...], from: start)
    }

    /// The text of a string, the contents of which RFC 8259 §9 lets a reader limit.
    private func checked(
        _ text: ArraySlice<UInt8>,
        from start: Int
    ) throws(JSONMistake) -> String {
        let text = String(decoding: text, as: UTF8.self)
        guard !text.hasEndlessAccents else {
            throw mistake("the string has more than 200 accents in a row", at: start)
        }
        return text
    }

    /// Skips what stands for itself in a string.
    private mutating func skipPlainText() {
        while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
        {
            position += 1
        }
    }

    private mutating func readEscape(into text: inout [UInt8]) throws(JSONMistake) {
        let start = position
        position += 1
        guard let letter = next else { throw mistake("the text ends within a string") }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += try readScalar(escapedAt: start)
        default: throw mistake("there is no such escape", at: start)
        }
    }

    /// Reads the digits of `\u00e9`, or of both halves of `\ud83d\ude00`.
    private mutating func readScalar(
        escapedAt start: Int
    ) throws(JSONMistake) -> UTF8.EncodedScalar {
        let first = try readFourDigits(escapedAt: start)
        if let scalar = Unicode.Scalar(first), let encoded = UTF8.encode(scalar) { return encoded }

        if first < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
            let second = try readFourDigits(escapedAt: start)
            if (0xDC00...0xDFFF).contains(second) {
                let value = 0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00)
                if let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) {
                    return encoded
                }
            }
        }
        throw mistake("half of a surrogate pair is no character", at: start)
    }

    private mutating func readFourDigits(escapedAt start: Int) throws(JSONMistake) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap(hexadecimalDigit) else {
                throw mistake("\\u is followed by four hexadecimal digits", at: start)
            }
            value = value << 4 | digit
            position += 1
        }
        return value
    }
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}

// MARK: - Numbers and words

extension JSONReader {
    private mutating func readNumber() throws(JSONMistake) -> JSON {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if skip(UInt8(ascii: "0")) {
            if next.map(isDigit) == true {
                throw mistake("a number does not begin with a 0 before other digits", at: start)
            }
        } else {
            try skipDigits()
        }
        if skip(UInt8(ascii: ".")) { try skipDigits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            try skipDigits()
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func skipDigits() throws(JSONMistake) {
        guard next.map(isDigit) == true else { throw mistake("a digit is expected here") }
        while next.map(isDigit) == true { position += 1 }
    }

    private mutating func readWord(_ word: String, _ value: JSON) throws(JSONMistake) -> JSON {
        guard bytes[position...].starts(with: word.utf8) else {
            throw mistake("a value is expected here")
        }
        position += word.utf8.count
        return value
    }
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

// MARK: - Bytes

extension JSONReader {
    /// The byte at the position, or `nil` at the end.
    var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    /// Skips a byte if it is the next one.
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private func mistake(_ reason: String, at offset: Int? = nil) -> JSONMistake {
        JSONMistake(reason, at: offset ?? position, in: bytes)
    }
}
