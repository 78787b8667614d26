internal import Glibc

/// A file whose lock says that one process, and one owner in it, uses what the file stands beside.
///
/// The lock is gone when the owner is, however it ends, so that a file left behind by a crash is in
/// nobody's way. SQLite's own locks cannot serve: a server holds them only while it writes.
///
/// In the file is a ``ChangeCounter``, by which other processes tell the owner of what they change.
public final class LockFile: Sendable {
    /// The counter in the file.
    public let changes: ChangeCounter

    private let path: String
    private let descriptor: Int32

    /// Takes the lock; the file is made if there is none.
    ///
    /// - Returns: `nil` if another has the lock.
    /// - Throws: ``SystemError`` if the file can't be made, locked or written.
    public static func acquire(at path: String) throws -> LockFile? {
        while true {
            let descriptor = try openForLocking(path)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let error = SystemError(doing: "lock", path)
                close(descriptor)
                guard error.number == EWOULDBLOCK else { throw error }
                return nil
            }
            // The last owner may have removed the file between our opening and our locking it.
            guard isAt(path, descriptor) else {
                close(descriptor)
                continue
            }
            // What another user has left is in nobody's way, but cannot be written.
            guard fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDWR else {
                defer { close(descriptor) }
                guard unlink(path) == 0 else { throw SystemError(doing: "remove", path) }
                continue
            }
            return try LockFile(path: path, descriptor: descriptor)
        }
    }

    private static func openForLocking(_ path: String) throws -> Int32 {
        let options = O_CREAT | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(path, O_RDWR | options, 0o644)
        guard descriptor < 0, errno == EACCES else {
            guard descriptor >= 0 else { throw SystemError(doing: "open", path) }
            return descriptor
        }
        // To be locked it need not be written.
        let readable = open(path, O_RDONLY | options, 0o644)
        guard readable >= 0 else { throw SystemError(doing: "open", path) }
        return readable
    }

    /// Takes over a file that is locked.
    private init(path: String, descriptor: Int32) throws {
        do {
            changes = try ChangeCounter(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        // Whoever was killed in the middle of a change has either committed it or not.
        changes.settle()
        self.path = path
        self.descriptor = descriptor
    }

    /// Removes the file, unless somebody else has put another in its place, then gives the lock away.
    deinit {
        if LockFile.isAt(path, descriptor) { unlink(path) }
        close(descriptor)
    }

    private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var opened = stat()
        var present = stat()
        return fstat(descriptor, &opened) == 0 && stat(path, &present) == 0
            && opened.st_dev == present.st_dev && opened.st_ino == present.st_ino
    }
}
