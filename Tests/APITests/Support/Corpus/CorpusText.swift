/// Turns the texts of a case into bytes, with the values that they name in place.
struct CorpusText: Sendable {
    /// Values that all cases can name.
    let values: [String: String]

    /// Texts of the case's own, which may name others.
    let blocks: [String: CorpusCase.Piece]

    /// A text that is no bytes, or names something that is not there.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }
}

extension CorpusText {
    /// The bytes of pieces, one after the other.
    func bytes(of pieces: [CorpusCase.Piece]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for piece in pieces { bytes += try self.bytes(of: piece) }
        return bytes
    }

    func bytes(of piece: CorpusCase.Piece) throws -> [UInt8] {
        switch piece {
        case .text(let text): try bytes(of: text)
        case .repeated(let text, let times):
            repeated(try latin1(text.unicodeScalars), times)
        }
    }

    /// The bytes of a text, with values for the names in double braces.
    func bytes(of text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.unicodeScalars[...]
        while let start = rest.firstRange(of: "{{".unicodeScalars),
            let end = rest[start.upperBound...].firstRange(of: "}}".unicodeScalars)
        {
            bytes += try latin1(rest[..<start.lowerBound])
            bytes += try value(named: String(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return bytes + (try latin1(rest))
    }

    private func value(named name: String) throws -> [UInt8] {
        if let value = values[name] { return try latin1(value.unicodeScalars) }
        if let block = blocks[name] { return try bytes(of: block) }
        let words = name.split(separator: " ")
        if words.count == 2, let block = blocks[String(words[1])] {
            let length = try bytes(of: block).count
            switch words[0] {
            case "LEN": return Array(String(length).utf8)
            case "HEX": return Array(String(length, radix: 16).utf8)
            default: break
            }
        }
        throw Mistake(description: "Nothing is named \(name)")
    }

    private func repeated(_ bytes: [UInt8], _ times: Int) -> [UInt8] {
        // Cases have megabytes of one byte, and the tests are not optimized.
        if bytes.count == 1 { return Array(repeating: bytes[0], count: times) }
        var all: [UInt8] = []
        for _ in 0..<times { all += bytes }
        return all
    }

    private func latin1(_ text: some Sequence<Unicode.Scalar>) throws -> [UInt8] {
        try text.map { scalar in
            guard let byte = UInt8(exactly: scalar.value) else {
                throw Mistake(description: "\(scalar) is no byte")
            }
            return byte
        }
    }
}
