public import Store

/// What a client shows to be let in: `gp_`, an id, and a secret of 256 random bits.
///
///     gp_4f1d0c6b2a9e8837_k3Vv0yq0B1nYd2Yk0aJmQy7m1iJb4o8r5t6w9x2z3A4
///
/// The id names the token in lists and is no secret. Of the secret, the data file has a hash alone. The
/// prefix lets scanners for secrets find a token that was published by mistake.
public struct AccessToken: Hashable, Sendable {
    public let id: TokenID

    let secret: Secret

    init(id: TokenID, secret: Secret) {
        self.id = id
        self.secret = secret
    }

    /// Makes a token that nobody has, nor can guess.
    public init(using generator: inout some RandomNumberGenerator) {
        id = TokenID(rawValue: generator.next())
        secret = Secret(
            words: (generator.next(), generator.next(), generator.next(), generator.next())
        )
    }

    /// Reads a token.
    ///
    /// - Returns: `nil` for anything else, be it another spelling of one.
    init?(_ text: ArraySlice<UInt8>) {
        let secretStart = prefix.count + TokenID.digitCount + 1
        guard text.count == secretStart + Secret.letterCount, text.starts(with: prefix) else {
            return nil
        }
        let digits = text.dropFirst(prefix.count).prefix(TokenID.digitCount)
        let rest = text.dropFirst(prefix.count + TokenID.digitCount)
        guard let id = TokenID(digits), rest.first == UInt8(ascii: "_"),
            let secret = Secret(rest.dropFirst())
        else { return nil }
        self.init(id: id, secret: secret)
    }

    /// The token as it is given to its owner, once.
    public var text: String {
        String(decoding: prefix, as: UTF8.self) + "\(id)_\(secret.text)"
    }

    /// The part that only its owner knows, for hashing.
    public var secretText: String { secret.text }
}

private let prefix = Array("gp_".utf8)

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible {
    /// The token without its secret, so that no message ever has it.
    public var description: String { String(decoding: prefix, as: UTF8.self) + "\(id)_…" }

    public var debugDescription: String { description }
}

/// The 256 bits of a token that only its owner knows.
struct Secret: Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// How many letters it has in base 64, which are six bits each.
    static let letterCount = 43

    init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// Reads base 64, without a copy of it, since every request is read so.
    ///
    /// - Returns: `nil` for any other text, be it only another spelling of the same bits.
    init?(_ letters: ArraySlice<UInt8>) {
        guard letters.count == Secret.letterCount else { return nil }
        var words = InlineArray<4, UInt64>(repeating: 0)
        var bit = 0
        for letter in letters {
            guard let value = Base64URL.value(of: letter).map(UInt64.init) else { return nil }
            let (index, shift) = (bit / 64, 58 - bit % 64)
            if shift >= 0 {
                words[index] |= value << shift
            } else {
                words[index] |= value >> -shift
                let rest = value << (64 + shift)
                // The last letter has two bits more than there are.
                guard index < 3 || rest == 0 else { return nil }
                if index < 3 { words[index + 1] |= rest }
            }
            bit += 6
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    var text: String {
        let bytes = [words.0, words.1, words.2, words.3].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
        return Base64URL.encode(bytes)
    }
}

extension Secret: Hashable {
    /// Compares all of both, so that the time it takes does not tell how much of a guess is right.
    static func == (one: Secret, other: Secret) -> Bool {
        let difference =
            (one.words.0 ^ other.words.0) | (one.words.1 ^ other.words.1)
            | (one.words.2 ^ other.words.2) | (one.words.3 ^ other.words.3)
        return difference == 0
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

/// Compares all of two texts, so that the time it takes tells their lengths at most.
func isSameSecret(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
