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
    // Normalized texts that look the same have the same bytes, which take less time to compare. Spans of
    // them are many times faster than the characters' own iterators; but `==` of strings knows at a glance
    // short texts that are equal, as most are that meet here.

    public static func == (first: Category, second: Category) -> Bool {
        first.text.utf8.count == second.text.utf8.count && first.text == second.text
    }

    public func hash(into hasher: inout Hasher) {
        let bytes = text.utf8.span
        var word: UInt64 = 0
        for index in bytes.indices {
            word = word << 8 | UInt64(bytes[index])
            if index % 8 == 7 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(bytes.count)
    }

    /// Whether a category's Unicode scalars come before another's.
    ///
    /// UTF-8 bytes sort as the scalars do that they stand for.
    func precedesByScalars(_ other: Category) -> Bool {
        let (one, other) = (text.utf8.span, other.text.utf8.span)
        let index = firstDifference(of: one, other)
        return index < other.count && (index == one.count || one[index] < other[index])
    }
}

/// The position of the first byte in which two texts differ, or where the shorter one ends.
private func firstDifference(of one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
    let count = min(one.count, other.count)
    var index = 0
    while index < count, one[index] == other[index] {
        index += 1
    }
    return index
}
