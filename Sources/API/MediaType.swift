import HTTP

/// A type that a body can have.
enum MediaType: String {
    case json = "application/json"
    case mergePatch = "application/merge-patch+json"
}

extension [MediaType] {
    /// What the body of a merge patch can be sent as (RFC 7396).
    static let patch: [MediaType] = [.mergePatch, .json]
}

extension HeaderFields {
    /// Checks that the body is plain UTF-8 text of one of some types.
    ///
    /// - Throws: ``Problem`` saying what is taken instead.
    func checkContent(isOneOf types: [MediaType]) throws(Problem) {
        // What nearly every client sends. Bytes are compared, since texts of many accents take long.
        if !contains(.contentEncoding), let type = onlyValue(of: .contentType),
            let usual = types.first, type.elementsEqual(usual.rawValue.utf8)
        {
            return
        }

        let accepted = types.map(\.rawValue).joined(separator: ", ")
        func unsupported(_ detail: String) -> Problem {
            Problem(.unsupportedMediaType, detail, headers: [.accept: accepted])
        }

        if let encoding = self[.contentEncoding],
            encoding.hasEndlessAccents || encoding.lowercased() != "identity"
        {
            throw unsupported("The body must not be compressed: Content-Encoding is not read here.")
        }
        guard let contentType = self[.contentType], !contentType.hasEndlessAccents else {
            throw unsupported("The request needs a Content-Type, one of: \(accepted).")
        }
        let parts = contentType.lowercased().split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.drop(while: isBlank) }
        guard let type = parts.first, types.contains(where: { type.hasWord($0.rawValue) }) else {
            throw unsupported("The Content-Type must be one of: \(accepted).")
        }
        for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
            let charset = parameter.dropFirst("charset=".count)
            guard charset.hasWord("utf-8") || charset.hasWord("\"utf-8\"") else {
                throw unsupported("The body must be UTF-8, which needs no charset to be named.")
            }
        }
    }
}

extension Substring {
    /// Whether this is a word and nothing but blanks after it.
    fileprivate func hasWord(_ word: String) -> Bool {
        hasPrefix(word) && dropFirst(word.count).allSatisfy(isBlank)
    }
}

private func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
}
