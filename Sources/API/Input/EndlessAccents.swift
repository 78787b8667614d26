extension String {
    /// Whether more than 200 accents follow one another somewhere in the text.
    ///
    /// No text needs so many, and Swift compares each of them with each when it compares the text
    /// with another one or looks it up: a letter with a MiB of accents would take minutes. What
    /// comes from a client is asked before anything else is done with it.
    var hasEndlessAccents: Bool {
        // What is below U+0300 has no byte like these, and is most of what is ever written.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var accents = 0
        for scalar in unicodeScalars {
            accents = scalar.isAccent ? accents + 1 : 0
            if accents > 200 { return true }
        }
        return false
    }
}

extension Unicode.Scalar {
    fileprivate var isAccent: Bool {
        // The joiner that a title gets after each 30 of them begins another row.
        guard value >= 0x300, value != 0x34F else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
