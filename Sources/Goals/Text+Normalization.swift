import Foundation

/// Makes one line of a text as a person wrote it.
///
/// - Returns: The text in NFC with no white space at its ends and single blanks in it; `nil` if it
///   has other control characters, or nothing that can be seen.
func normalizedLine(_ raw: String) -> String? {
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
    return text.isASCII ? text : text.precomposedStringWithCanonicalMapping
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

    fileprivate var isASCII: Bool {
        utf8.allSatisfy { $0 < 0x80 }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character: C0, DEL or C1.
    var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value)
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
        guard !text.isASCII else { return collapsingWhiteSpace(text.lowercased()) }
        // Folding a ligature or a sharp s may uncover what folds again.
        var folded = foldOnce(text)
        while true {
            let again = foldOnce(folded)
            guard again.utf8.elementsEqual(folded.utf8) == false else { return folded }
            folded = again
        }
    }

    private static func foldOnce(_ text: String) -> String {
        collapsingWhiteSpace(
            text.precomposedStringWithCompatibilityMapping
                .folding(
                    options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
                    locale: nil
                )
                .precomposedStringWithCompatibilityMapping
        )
    }

    private static func collapsingWhiteSpace(_ text: String) -> String {
        text.unicodeScalars
            .split(whereSeparator: \.properties.isWhitespace)
            .map { String($0) }
            .joined(separator: " ")
    }
}
