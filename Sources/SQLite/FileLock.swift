internal import Glibc

/// A lock on a file itself, whatever its names are and from wherever it is looked at.
///
/// A ``LockFile`` stands beside one name; this sees those who come by another, such as a container with
/// the file mounted into it. It must outlive all of SQLite's connections to the file in this process:
/// closing the descriptor drops their locks, too.
public final class FileLock: Sendable {
    private let descriptor: CInt

    /// Takes the lock.
    ///
    /// - Returns: `nil` if another has it.
    /// - Throws: ``SystemError`` if the file can't be opened or locked.
    public static func acquire(on path: String) throws -> FileLock? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SystemError(doing: "open", path) }
        // Whoever only asks, see isHeld(on:), has it for an instant.
        for _ in 0..<10 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
            guard errno == EWOULDBLOCK else { break }
            usleep(10_000)
        }
        let error = SystemError(doing: "lock", path)
        close(descriptor)
        guard error.number == EWOULDBLOCK else { throw error }
        return nil
    }

    /// Whether somebody has the lock on a file, be it a ``LockFile``.
    ///
    /// A file that is not there, or can't be looked at, is nobody's.
    public static func isHeld(on path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}
