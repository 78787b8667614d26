/// A remark of up to 2,000 characters, kept as it was written.
///
/// Notes are equal if their bytes are: composing an accent is a change, which is kept, too.
public struct Note: Hashable, Sendable {
    public let text: String

    /// The most bytes that a note has in UTF-8: 128,000.
    public static let maximumBytes = maximumCharacters * bytesPerCharacter

    private static let maximumCharacters = 2_000

    /// Checks a note.
    ///
    /// - Returns: `nil` if there are control characters other than tabs and line breaks, or more
    ///   than 2,000 characters or 128,000 bytes of UTF-8.
    public init?(_ raw: String) {
        guard
            raw.fits(characters: Self.maximumCharacters),
            raw.unicodeScalars.allSatisfy({ !$0.isControl || "\t\n\r".unicodeScalars.contains($0) })
        else { return nil }
        text = raw
    }

    /// Takes back the text of a note that was checked when it was made.
    public init(checked text: String) {
        self.text = text
    }

    private init() {
        text = ""
    }

    public static let empty = Note()

    // Strings are equal if they look the same. Equal bytes have equal hashes, so that need not change.
    public static func == (first: Note, second: Note) -> Bool {
        first.text.utf8.elementsEqual(second.text.utf8)
    }
}
