internal import Glibc

/// What a path leads to, found out without SQLite.
///
/// Closing a file of which SQLite has another descriptor in this process drops SQLite's locks on it,
/// so that this must be asked **before** any connection opens the file.
public enum DatabaseFile: Hashable, Sendable {
    /// There is nothing at the path.
    case absent

    /// There is something else than a file: a folder, a socket, a device.
    case notAFile

    /// There is a file without a byte in it.
    case empty

    /// There is a file that is no SQLite database.
    case foreign

    /// There is a database.
    case database(applicationID: Int32, userVersion: Int32)

    /// Looks at a path.
    ///
    /// - Throws: ``SystemError`` if the system does not let us look.
    public init(at path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw SystemError(doing: "open", path) }
            self = .absent
            return
        }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError(doing: "look at", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            self = .notAFile
            return
        }
        guard status.st_size > 0 else {
            self = .empty
            return
        }
        var header = [UInt8](repeating: 0, count: 100)
        let count = header.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw SystemError(doing: "read", path) }
        self = DatabaseFile(header: header.prefix(count))
    }

    /// Reads the header of a database as the file format defines it.
    private init(header: ArraySlice<UInt8>) {
        guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8) else {
            self = .foreign
            return
        }
        func integer(at offset: Int) -> Int32 {
            let bytes = header.dropFirst(offset).prefix(4)
            return Int32(bitPattern: bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        self = .database(applicationID: integer(at: 68), userVersion: integer(at: 60))
    }
}

/// What the operating system refused or failed to do.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's number for the error.
    public let number: Int32

    /// What was tried, and the system's word for why it failed.
    public let description: String

    /// The system's word for why it failed.
    public let reason: String

    /// The error of the system call that has just failed.
    init(doing action: String, _ path: String) {
        number = errno
        reason = String(cString: strerror(number))
        description = "cannot \(action) \(path): \(reason)"
    }
}
