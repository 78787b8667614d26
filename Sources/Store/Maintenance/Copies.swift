internal import Goals
internal import SQLite

extension Database {
    /// Writes a copy of what this connection sees, which has its name only when it is whole and sound.
    ///
    /// - Parameter name: The name of a file that does not exist.
    /// - Returns: What the examination of the copy came to.
    /// - Throws: ``OpeningError`` if there is something of that name, or the copy is not sound.
    @discardableResult
    func writeCopy(to name: String) throws -> DataCheck {
        let path = DataFile.path(of: name)
        guard !FileSystem.isPresent(path) else { throw OpeningError.taken(name) }
        return try withCopy(for: name) { draft, check in
            guard try FileSystem.rename(draft, toFree: path) else { throw OpeningError.taken(name) }
            return check
        }
    }

    /// Writes a copy under a name that nothing has, and gives it away.
    ///
    /// - Parameters:
    ///   - name: What the copy is for; its own name begins with it.
    ///   - use: Gives it a name to stay; if it throws, the copy is removed.
    /// - Returns: What the closure returns.
    /// - Throws: ``OpeningError`` if the copy is not sound.
    func withCopy<Value>(
        for name: String,
        _ use: (_ draft: String, DataCheck) throws -> Value
    ) throws -> Value {
        let draft = try FileSystem.makeDraft(of: DataFile.path(of: name))
        do {
            try copy(to: draft)
            let check = try DataCheck(of: Connections.openReader(at: draft))
            if let finding = check.findings.first { throw OpeningError.unsound(name, finding) }
            return try use(draft, check)
        } catch {
            // The error tells more than that a draft was left behind.
            try? FileSystem.remove(draft)
            throw error
        }
    }
}

/// A name that no file has yet, made of another one and of what it is kept for.
///
///     goalpost.sqlite -> goalpost-v1-2027-01-31.sqlite
func unusedName(beside path: String, _ purpose: String) -> String {
    let ending = ".sqlite"
    let stem = path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : path
    let first = "\(stem)-\(purpose)\(ending)"
    guard FileSystem.isPresent(first) else { return first }
    var number = 2
    while FileSystem.isPresent("\(stem)-\(purpose)-\(number)\(ending)") {
        number += 1
    }
    return "\(stem)-\(purpose)-\(number)\(ending)"
}
