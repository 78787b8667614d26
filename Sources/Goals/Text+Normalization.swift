import Foundation

// Foundation's NFC on Linux leaves a Hangul syllable and a final consonant after it apart, and does not
// put every accent in its order. The standard library's is right; it has no public name yet.
@_spi(_Unicode) import Swift

/// Makes one line of a text as a person wrote it.
///
/// - Returns: The text in NFC with no white space at its ends and single blanks in it; `nil` if it
///   has other control characters, nothing that can be seen, or more characters than it may have.
func normalizedLine(_ raw: String, characters limit: Int) -> String? {
    guard !raw.isPlainLine else { return raw.fits(characters: limit) ? raw : nil }
    var line = String.UnicodeScalarView()
    var isAfterWhiteSpace = false
    var isVisible = false
    for scalar in raw.unicodeScalars {
        if scalar.properties.isWhitespace {
            isAfterWhiteSpace = true
            continue
        }
        guard !scalar.isControl else { return nil }
        if isAfterWhiteSpace, !line.isEmpty {
            line.append(" ")
        }
        isAfterWhiteSpace = false
        isVisible = isVisible || scalar.isVisible
        line.append(scalar)
    }
    let text = String(line)
    // Composing makes a text shorter, but no character by as much as four times.
    guard isVisible, text.utf8.count <= limit * bytesPerCharacter * 4 else { return nil }
    let normalized = text.isASCII ? text : text.composed.limitingAccents()
    return normalized.fits(characters: limit) ? normalized : nil
}

/// The most bytes that a character has on average.
///
/// It is enough for the longest emoji in place of each, a family of four with their skin tones (41).
let bytesPerCharacter = 64

extension String {
    /// Whether the text has at most so many characters, as a person counts them.
    ///
    /// Since one character may have any number of accents, there is a limit on bytes, too.
    func fits(characters limit: Int) -> Bool {
        let bytes = utf8.count
        return bytes <= limit || bytes <= limit * bytesPerCharacter && count <= limit
    }

    /// Whether there is nothing to normalize, as in most texts: visible ASCII, some of it, with single
    /// blanks between.
    fileprivate var isPlainLine: Bool {
        let blank = UInt8(ascii: " ")
        var last = blank
        for byte in utf8 {
            guard blank <= byte, byte < 0x7F, byte != blank || last != blank else { return false }
            last = byte
        }
        return last != blank
    }

    fileprivate var isASCII: Bool {
        utf8.allSatisfy { $0 < 0x80 }
    }

    /// The text in NFC, with accents in a row limited.
    fileprivate var composed: String {
        var composed = UnicodeScalarView()
        for scalar in limitingAccents()._nfc {
            composed.append(scalar)
        }
        return String(composed)
    }

    /// Maps the text in stretches that Foundation on Linux gets right, and in linear time.
    ///
    /// It composes an accent of the basic plane with the lowest 16 bits of a character outside it, and
    /// makes an `Á` of a Linear B sign and an acute; so they are kept apart. For each character whose
    /// length changes it moves all that follow; so a stretch ends at the next character that is none
    /// to be composed with the one before it, once it is long. And see ``limitingAccents()``.
    fileprivate func mappingStretches(_ map: (String) -> String) -> String {
        var mapped = ""
        var stretch = String.UnicodeScalarView()
        var length = 0
        for scalar in limitingAccents().unicodeScalars {
            let isMisread = (stretch.last?.value ?? 0) > 0xFFFF && scalar.isAccentOfBasicPlane
            if isMisread || length >= 128 && !scalar.isAccent && !scalar.isPartOfHangul {
                mapped += map(String(stretch))
                stretch.removeAll(keepingCapacity: true)
                length = 0
            }
            stretch.append(scalar)
            length += 1
        }
        // Taking characters apart may have made more accents.
        return (mapped + map(String(stretch))).limitingAccents()
    }

    /// The text with a joiner that nobody sees after any 30 accents in a row.
    ///
    /// This is the stream-safe text format (UAX #15, section 13), which leaves every text alone that
    /// means something. To put accents in a row in their order takes comparing each with each, which
    /// for a letter with a MiB of them would take minutes.
    fileprivate func limitingAccents() -> String {
        guard unicodeScalars.contains(where: \.isAccent) else { return self }
        var limited = String.UnicodeScalarView()
        var accents = 0
        for scalar in unicodeScalars {
            for part in accentPairs[scalar] ?? [scalar] {
                if !part.isAccent {
                    accents = 0
                } else if accents == 30 {
                    limited.append(combiningGraphemeJoiner)
                    accents = 1
                } else {
                    accents += 1
                }
                limited.append(part)
            }
        }
        return String(limited)
    }
}

/// The accents that are two.
///
/// These are all that there are (UAX #15, section 5.1, the non-starter decompositions).
private let accentPairs: [Unicode.Scalar: [Unicode.Scalar]] = [
    "\u{344}": ["\u{308}", "\u{301}"],
    "\u{F73}": ["\u{F71}", "\u{F72}"],
    "\u{F75}": ["\u{F71}", "\u{F74}"],
    "\u{F81}": ["\u{F71}", "\u{F80}"],
]

private let combiningGraphemeJoiner: Unicode.Scalar = "\u{34F}"

extension Unicode.Scalar {
    /// Whether it is a control character: C0, DEL or C1.
    var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value)
    }

    /// Whether it stands on the character before it, or may turn out to.
    fileprivate var isAccent: Bool {
        guard value >= 0x300, self != combiningGraphemeJoiner else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: value == 0xFF9E || value == 0xFF9F  // the narrow sound marks of katakana
        }
    }

    /// Whether it is a vowel or final consonant of Hangul, which makes a syllable with those before.
    fileprivate var isPartOfHangul: Bool {
        (0x1161...0x11FF).contains(value) || (0xFFA0...0xFFDC).contains(value)
    }

    /// Whether it is a character of the basic plane that may be composed with the one before it.
    fileprivate var isAccentOfBasicPlane: Bool {
        guard value <= 0xFFFF else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark: !properties.isVariationSelector
        default: isPartOfHangul
        }
    }

    /// Whether it may leave a mark: not a joiner, a direction mark, a filler or the like.
    fileprivate var isVisible: Bool {
        isASCII || !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .format
    }
}

/// The form of a text in which it is searched.
public enum TextFolding {
    /// Takes out of a text what a search should not mind: case, accents, width, composition, and how
    /// much white space there is.
    ///
    /// Texts that are canonically equivalent (NFC, NFD) fold to the same bytes. What it returns is for
    /// comparison alone and not for showing.
    public static func fold(_ text: String) -> String {
        guard !text.isASCII else { return text.lowercased().collapsingWhiteSpace() }
        // What one step uncovers, the next may fold, but not once nothing but ASCII is left. Two
        // steps are enough for every character; the limit only makes the end certain.
        var folded = foldOnce(text.composed)
        var steps = 1
        while !folded.isASCII, steps < 4 {
            let again = foldOnce(folded)
            guard !again.utf8.elementsEqual(folded.utf8) else { break }
            folded = again
            steps += 1
        }
        return folded
    }

    private static func foldOnce(_ text: String) -> String {
        let plain = text.mappingStretches { stretch in
            stretch.precomposedStringWithCompatibilityMapping
                .folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
        }
        // By way of upper case, since some letters share theirs: σ and ς, ß and ss, i and ı.
        let lower = String(
            String.UnicodeScalarView(
                plain.uppercased().lowercased().unicodeScalars.map { strokeless[$0] ?? $0 }
            )
        )
        return lower.mappingStretches(\.precomposedStringWithCompatibilityMapping)
            .collapsingWhiteSpace()
    }

    /// Letters whose stroke is an accent to those who search, though not to Unicode.
    private static let strokeless: [Unicode.Scalar: Unicode.Scalar] = [
        "đ": "d", "ħ": "h", "ł": "l", "ø": "o", "ŧ": "t",
    ]
}

extension String {
    fileprivate func collapsingWhiteSpace() -> String {
        guard !isPlainLine else { return self }
        let words = unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
        return words.map { String($0) }.joined(separator: " ")
    }
}
