internal import Glibc

/// A file whose lock says that one process, and one owner in it, uses what the file stands beside.
///
/// The lock is gone when the owner is, however it ends, so that a file left behind by a crash is in
/// nobody's way. SQLite's own locks cannot serve: a server holds them only while it writes.
public final class LockFile: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Takes the lock; the file is made if there is none.
    ///
    /// - Returns: `nil` if another has the lock.
    /// - Throws: ``SystemError`` if the file can't be made or locked.
    public static func acquire(at path: String) throws -> LockFile? {
        while true {
            // To be locked it need not be written, and one that another user has left can be read.
            let descriptor = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard descriptor >= 0 else { throw SystemError(doing: "open", path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let error = SystemError(doing: "lock", path)
                close(descriptor)
                guard error.number == EWOULDBLOCK else { throw error }
                return nil
            }
            // The last owner may have removed the file between our opening and our locking it.
            if isAt(path, descriptor) { return LockFile(path: path, descriptor: descriptor) }
            close(descriptor)
        }
    }

    private init(path: String, descriptor: Int32) {
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
