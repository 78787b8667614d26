public import Foundation

/// What the client remembers, in a file.
///
/// The file is written anew with every change. That is quick enough for some thousand transactions; for
/// more, keep the same value in SQLite, a row for each of its things.
struct Store {
    private(set) var state: State
    private let file: URL
    private let write: FileWriter

    /// Opens a file, or begins with nothing if there is none.
    init(file: URL, write: @escaping FileWriter) throws {
        self.file = file
        self.write = write
        if FileManager.default.fileExists(atPath: file.path) {
            state = try JSONDecoder().decode(State.self, from: try Data(contentsOf: file))
        } else {
            state = State()
        }
    }

    /// Makes a change, first in the file, then here: nobody ever sees what a crash could take back.
    ///
    /// - Returns: Whether anything has changed.
    @discardableResult
    mutating func change(_ change: (inout State) throws -> Void) throws -> Bool {
        var next = state
        try change(&next)
        guard next != state else { return false }
        try write(Self.encoder.encode(next), file)
        state = next
        return true
    }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// Puts bytes into a file, all of them or none.
public typealias FileWriter = @Sendable (Data, URL) throws -> Void

extension OfflineClient {
    /// Writes another file, waits for the disk, and puts it in the place of the first one.
    public static let writeAtomically: FileWriter = { data, file in
        try data.write(to: file, options: .atomic)
    }
}
