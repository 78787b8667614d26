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
        let draft = path + ".new"
        do {
            try FileSystem.remove(draft)
            try FileSystem.makeFile(at: draft)
            try copy(to: draft)
            let check = try DataCheck(of: Connections.openReader(at: draft))
            guard let finding = check.findings.first else {
                try FileSystem.rename(draft, to: path)
                return check
            }
            throw OpeningError.unsound(name, finding)
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
