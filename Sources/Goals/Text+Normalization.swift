import Foundation

/// Makes one line of a text as a person wrote it.
///
/// - Returns: The text in NFC with no white space at its ends and single blanks in it; `nil` if it
///   has other control characters, or nothing that can be seen.
func normalizedLine(_ raw: String) -> String? {
    guard !raw.isPlainLine else { return raw }
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
    guard isVisible else { return nil }
    let text = String(line)
    return text.isASCII ? text : text.mappingStretches(\.precomposedStringWithCanonicalMapping)
}

extension String {
    /// Whether the text has at most so many characters, as a person counts them.
    ///
    /// Since one character may have any number of accents, there is a limit on bytes, too: 32 for a
    /// character, enough for a family emoji (25) in place of each.
    func fits(characters limit: Int) -> Bool {
        let bytes = utf8.count
        return bytes <= limit || bytes <= limit * 32 && count <= limit
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

    /// Maps the text in stretches, none of which has an accent of the basic plane right after a
    /// character outside it.
    ///
    /// Foundation on Linux composes such an accent with the lowest 16 bits of that character, and
    /// makes an `Á` of a Linear B sign and an acute. There is no composition of the one kind with the
    /// other, so nothing is lost by keeping them apart.
    fileprivate func mappingStretches(_ map: (String) -> String) -> String {
        var mapped = ""
        var stretch = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let last = stretch.last, last.value > 0xFFFF, scalar.isAccentOfBasicPlane {
                mapped += map(String(stretch))
                stretch.removeAll(keepingCapacity: true)
            }
            stretch.append(scalar)
        }
        return mapped + map(String(stretch))
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character: C0, DEL or C1.
    var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value)
    }

    /// Whether it is a character of the basic plane that may be composed with the one before it.
    fileprivate var isAccentOfBasicPlane: Bool {
        guard value <= 0xFFFF else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark: !properties.isVariationSelector
        default: (0x1161...0x11FF).contains(value)  // the vowels and final consonants of Hangul
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
    /// Folding is idempotent, and texts that are canonically equivalent (NFC, NFD) fold to the same
    /// bytes. What it returns is for comparison alone and not for showing.
    public static func fold(_ text: String) -> String {
        guard !text.isASCII else { return text.lowercased().collapsingWhiteSpace() }
        // What one step uncovers, the next may fold, but not once nothing but ASCII is left. Two
        // steps are enough for every character; the limit only makes the end certain.
        var folded = foldOnce(text)
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
