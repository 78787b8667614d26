/// What a goal is called: one line of 1 to 200 characters, something of which can be seen.
///
/// A character is what a person counts as one, such as a family emoji. The text is normalized (see
/// ``init(_:)``), so that titles that look the same are the same.
public struct Title: Hashable, Sendable {
    public let text: String

    /// The most bytes that a title has in UTF-8: 12,800.
    public static let maximumBytes = maximumCharacters * bytesPerCharacter

    private static let maximumCharacters = 200

    /// Normalizes and checks a title.
    ///
    /// White space at the ends is taken off, each run of it within becomes one blank (line breaks
    /// and tabs are white space), and the text is composed (NFC). Normalizing twice changes nothing.
    /// A character may have any number of accents, but after each 30 comes a joiner that nobody sees
    /// (U+034F), as the stream-safe text format has it.
    ///
    /// - Returns: `nil` if there are control characters, nothing that can be seen, or more than 200
    ///   characters or 12,800 bytes of UTF-8.
    public init?(_ raw: String) {
        guard let line = normalizedLine(raw, characters: Self.maximumCharacters) else { return nil }
        text = line
    }

    /// Takes back the text of a title that was checked when it was made.
    public init(checked text: String) {
        self.text = text
    }
}
