internal import Goals

/// What a search looks for, in the form that the search columns have.
struct SearchTerm: Hashable, Sendable {
    let folded: String

    /// Trims and folds what was typed; `nil` if nothing is left.
    init?(_ typed: String?) {
        guard let typed else { return nil }
        let folded = TextFolding.fold(typed)
        let start = folded.drop(while: \.isWhitespace)
        let trimmed = String(start.reversed().drop(while: \.isWhitespace).reversed())
        guard !trimmed.isEmpty else { return nil }
        self.folded = trimmed
    }
}
