/// What a transaction is for: one line of 1 to 100 characters, normalized like a ``Title``.
public struct Category: Hashable, Sendable {
    public let text: String

    /// Normalizes and checks a category.
    ///
    /// - Returns: `nil` if there are control characters, nothing that can be seen, or more than 100
    ///   characters or 3,200 bytes of UTF-8.
    public init?(_ raw: String) {
        guard let line = normalizedLine(raw, characters: 100) else { return nil }
        text = line
    }
}

extension Category {
    /// Whether a category's Unicode scalars come before another's.
    ///
    /// UTF-8 bytes sort as the scalars do that they stand for.
    func precedesByScalars(_ other: Category) -> Bool {
        text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}
