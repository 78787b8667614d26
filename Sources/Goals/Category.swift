/// What a transaction is for: one line of 1 to 100 characters, normalized like a ``Title``.
public struct Category: Hashable, Sendable {
    public let text: String

    /// The most bytes that a category has in UTF-8: 6,400.
    public static let maximumBytes = maximumCharacters * bytesPerCharacter

    private static let maximumCharacters = 100

    /// Normalizes and checks a category.
    ///
    /// - Returns: `nil` if there are control characters, nothing that can be seen, or more than 100
    ///   characters or 6,400 bytes of UTF-8.
    public init?(_ raw: String) {
        guard let line = normalizedLine(raw, characters: Self.maximumCharacters) else { return nil }
        text = line
    }

    /// Takes back the text of a category that was checked when it was made.
    public init(checked text: String) {
        self.text = text
    }
}

extension Category {
    // Normalized texts that look the same have the same bytes, which take less time to compare.

    public static func == (first: Category, second: Category) -> Bool {
        first.text.utf8.elementsEqual(second.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    /// Whether a category's Unicode scalars come before another's.
    ///
    /// UTF-8 bytes sort as the scalars do that they stand for.
    func precedesByScalars(_ other: Category) -> Bool {
        text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}
