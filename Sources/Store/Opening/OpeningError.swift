internal import SQLite

/// Why a file was not opened, in a sentence for the person who runs the server.
public struct OpeningError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    private init(_ file: String, _ cause: String, _ advice: String) {
        description = "\(file) \(cause). \(advice)"
    }

    static func inUse(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "is in use by another server",
            "Stop that one first, or give this one another data file."
        )
    }

    static func inUseElsewhere(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "is in use by a server that came to it by another path",
            "What was written last is in the log beside that path: give the same one."
        )
    }

    static func olderInUse(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "is in use by a server of an older Goalpost",
            "Update that one first: start this program as the server."
        )
    }

    static func older(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "was written by an older Goalpost, which had no tokens",
            "Start a server on it, which brings it to this version, or add something first."
        )
    }

    static func beingRead(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "is being read by another program, such as goalpost check",
            "Its log cannot be folded in meanwhile: try again when that is done."
        )
    }

    static func notAFile(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "is not a file",
            "Give the path of the data file itself, such as "
                + (file.hasSuffix("/") ? file : file + "/") + "goalpost.sqlite for a folder."
        )
    }

    static func readOnly(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "may be read, but not written",
            "Give this server's user the right to write it, or give the path of another file."
        )
    }

    static func alias(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "is a link, has another name besides, or is mounted by itself",
            "A data file must have one name, since its log stands beside that: give the path of the"
                + " file itself, remove its hard links, and mount the folder that it is in."
        )
    }

    static func empty(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "exists, but has no bytes in it",
            "If there was data in it, restore it from a backup; else remove it to start anew."
        )
    }

    static func foreign(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "is not a data file of Goalpost",
            "It was left as it is; give the path of another file."
        )
    }

    static func absent(_ file: String) -> OpeningError {
        OpeningError(file, "is not there", "Give the path of a data file.")
    }

    static func taken(_ file: String) -> OpeningError {
        OpeningError(file, "is there already", "It was left as it is; give another name.")
    }

    /// A file that SQLite finds damaged, which it says in one line or several.
    static func damaged(_ file: String, _ finding: String) -> OpeningError {
        let lines = finding.split(separator: "\n").drop { $0.hasPrefix("***") }
        return OpeningError(
            file,
            "is damaged: \(lines.joined(separator: "; "))",
            "It was left as it is; goalpost check says more. Restore a backup."
        )
    }

    static func unsound(_ file: String, _ finding: String) -> OpeningError {
        OpeningError(
            file,
            "was not written, since the copy is not sound: \(finding)",
            "goalpost check says what is wrong with the data file."
        )
    }

    static func newer(_ file: String, version: Int) -> OpeningError {
        OpeningError(
            file,
            "was written by a newer Goalpost (version \(version) of its tables; this program"
                + " knows \(Schema.version))",
            "It was left as it is; update Goalpost to use it."
        )
    }

    static func logWithoutFile(_ file: String) -> OpeningError {
        OpeningError(
            file,
            "is missing, but its log \(file)-wal is there",
            "Put the file back, or restore a backup and move the log away."
        )
    }

    static func system(_ file: String, _ error: SystemError) -> OpeningError {
        OpeningError(
            file,
            "cannot be used: \(error)",
            "Check the path, its permissions and the disk."
        )
    }

    static func sqlite(_ file: String, _ error: SQLiteError) -> OpeningError {
        let advice =
            switch error.code {
            case .corrupt, .notADatabase: "It is damaged; restore it from a backup."
            case .full: "The disk is full; make room."
            case .busy, .locked: "Another program has it locked; stop that one."
            case .readOnly where error.asksForRollback:
                "A crash left it in the middle of a change; start a server on it, which undoes that."
            default: "Check the path, its permissions and the disk."
            }
        return OpeningError(file, "cannot be opened: \(error.message)", advice)
    }
}
