/// Why the storage cannot be used.
public enum StorageFailure: Error, Hashable, Sendable {
    /// There is no room for the write. Nothing of it is kept.
    case diskFull

    /// Something was read that SQLite can't have written.
    ///
    /// Nothing more is written to a damaged file, lest it get worse.
    case damaged

    /// The file was removed or replaced while it was open: what is written would be lost with it.
    case fileGone

    /// The store was closed.
    case closed

    /// Something else; the text, which is for the operator, says what.
    case other(String)
}

extension StorageFailure: CustomStringConvertible {
    /// A sentence for the operator.
    public var description: String {
        switch self {
        case .diskFull: "The disk is full."
        case .damaged: "The data file is damaged. Stop the server and restore a backup."
        case .fileGone:
            "The data file was removed or replaced. Stop the server, and put the file back."
        case .closed: "The store is closed."
        case .other(let cause): cause
        }
    }
}
