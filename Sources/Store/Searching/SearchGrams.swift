/// The parts by which the index of goals knows a text: each three bytes that follow one another in it.
///
/// A text that contains a term has all parts of the term, so that what lacks one need not be looked at.
/// What has them all need not contain the term: it is a candidate.
///
/// What a part is, and how it is written, is in people's files: a change is a new version of the tables.
///
/// Bytes of UTF-8 serve every script alike, and no tokenizer has to see characters as `instr` does:
/// three Latin letters, two of Cyrillic or one of Chinese are enough to look for.
struct SearchGrams: Hashable, Sendable {
    /// The three bytes as a number each, in their order, each once.
    private let values: [UInt32]

    /// Puts parts in order, which is cheaper than to make a set of them.
    private init(_ parts: [UInt32]) {
        var values = parts.sorted()
        var count = min(values.count, 1)
        for value in values where count > 0 && value != values[count - 1] {
            values[count] = value
            count += 1
        }
        values.removeLast(values.count - count)
        self.values = values
    }

    /// All parts of the texts of a goal, which a term is not looked for across.
    init(of texts: String...) {
        var parts: [UInt32] = []
        parts.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count })
        for text in texts {
            var value: UInt32 = 0
            var count = 0
            for byte in text.utf8 {
                value = (value << 8 | UInt32(byte)) & 0xFF_FFFF
                count += 1
                if count >= 3 { parts.append(value) }
            }
        }
        self.init(parts)
    }

    /// Parts of a term, spread over it: more than a few make it no rarer.
    ///
    /// It is `nil` if the term is too short to have any.
    init?(ofTerm term: String) {
        let bytes = Array(term.utf8)
        let last = bytes.count - 3
        guard last >= 0 else { return nil }
        let most = min(last, 11)
        self.init(
            (0...most).map { number in
                let start = most == 0 ? 0 : number * last / most
                return bytes[start..<start + 3].reduce(0) { $0 << 8 | UInt32($1) }
            }
        )
    }

    /// The parts that another text does not have.
    func subtracting(_ other: SearchGrams) -> SearchGrams {
        let others = Set(other.values)
        return SearchGrams(values.filter { !others.contains($0) })
    }
}

// MARK: - In the index

extension SearchGrams {
    /// The parts as words of an account, with a blank after each.
    ///
    /// Each begins with the account, so that no search ever walks over what others have. The digits
    /// are those of base 32, of which the last five are the part's.
    func words(of account: AccountID) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * values.count)
        forEachWord(of: account) { word in
            bytes.append(contentsOf: word)
            bytes.append(UInt8(ascii: " "))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is to be asked for, to be found by all parts.
    func match(of account: AccountID) -> String {
        var bytes: [UInt8] = []
        forEachWord(of: account) { word in
            bytes.append(UInt8(ascii: "\""))
            bytes += word
            bytes += "\" ".utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Takes the bytes of each word.
    func forEachWord(of account: AccountID, _ body: ([UInt8]) throws -> Void) rethrows {
        let digits = Array("0123456789abcdefghijklmnopqrstuv".utf8)
        var word = Array(String(account.rawValue, radix: 32).utf8)
        let start = word.count
        word += [0, 0, 0, 0, 0]
        for value in values {
            for place in 0..<5 {
                word[start + place] = digits[Int(value >> (20 - 5 * UInt32(place)) & 31)]
            }
            try body(word)
        }
    }
}
