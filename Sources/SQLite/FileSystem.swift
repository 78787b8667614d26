internal import CSQLite
internal import Glibc

/// What a database's owner needs of the file system beside the database itself.
public enum FileSystem {
    /// Makes a folder, and those above it that are missing.
    ///
    /// - Throws: ``SystemError`` if that is not allowed, or a file is in the way.
    public static func makeFolder(at path: String) throws {
        guard mkdir(path, 0o700) != 0 else { return }
        let error = SystemError(doing: "make the folder", path)
        switch error.number {
        case EEXIST where isFolder(path):
            return
        case ENOENT:
            let parent = folder(of: path)
            guard parent != path else { throw error }
            try makeFolder(at: parent)
            try makeFolder(at: path)
        default:
            throw error
        }
    }

    /// The folder that a path lies in.
    public static func folder(of path: String) -> String {
        let trimmed = path.reversed().drop { $0 == "/" }
        let parent = trimmed.drop { $0 != "/" }.drop { $0 == "/" }
        guard parent.isEmpty else { return String(parent.reversed()) }
        return path.hasPrefix("/") ? "/" : "."
    }

    /// Whether a name is taken, be it by a link that leads nowhere.
    public static func isPresent(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Gives a file one more name.
    ///
    /// - Throws: ``SystemError`` if the name is taken, or the file system has no such links.
    public static func link(_ path: String, as newPath: String) throws {
        guard Glibc.link(path, newPath) == 0 else {
            throw SystemError(doing: "link \(path) as", newPath)
        }
    }

    /// How many bytes a file has; `nil` if there is none.
    public static func size(of path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Int(status.st_size)
    }

    /// What makes a file the same one under any name.
    public struct Identity: Hashable, Sendable {
        fileprivate let device: UInt
        fileprivate let number: UInt
    }

    /// The identity of the file at a path; `nil` if there is none.
    public static func identity(of path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    }

    /// Gives a file to the owner of another one, where this process may do so: the superuser's.
    ///
    /// Whoever may write to the folder could put a link to somebody else's file in its place, so it is
    /// given only if it is a file of one name, and found by no link.
    public static func giveFile(_ path: String, toOwnerOf other: String) throws {
        var owner = stat()
        guard geteuid() == 0, stat(other, &owner) == 0 else { return }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(doing: "open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_nlink == 1, fchown(descriptor, owner.st_uid, owner.st_gid) == 0
        else { throw SystemError(doing: "change the owner of", path) }
    }

    /// Whether a file or folder was mounted by itself, as containers do it.
    ///
    /// What stands beside it is then something else than what stands beside it elsewhere.
    public static func isMountPoint(_ path: String) -> Bool {
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        let path = String(cString: resolved)
        guard let file = fopen("/proc/self/mountinfo", "re") else { return false }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) >= 0, let text = line {
            // The fifth field is the mount point, with some characters as octal numbers.
            let fields = String(cString: text).split(separator: " ", maxSplits: 5)
            if fields.count > 4, unescaped(fields[4]) == path { return true }
        }
        return false
    }

    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = field.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"),
                let value = UInt8(String(rest.prefix(3)) ?? "", radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether this process may write a file.
    public static func isWritable(_ path: String) -> Bool {
        faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }

    /// Makes an empty file that only its owner may read and write, under a name that nothing had.
    ///
    /// - Parameter path: What the name begins with.
    /// - Returns: The name.
    /// - Throws: ``SystemError`` if it can't be made.
    public static func makeDraft(of path: String) throws -> String {
        var name = Array((path + ".draft-XXXXXX").utf8CString)
        let descriptor = name.withUnsafeMutableBufferPointer { name -> CInt in
            guard let start = name.baseAddress else { return -1 }
            return mkstemp(start)
        }
        guard descriptor >= 0 else { throw SystemError(doing: "make a file beside", path) }
        close(descriptor)
        return String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether a path is one name among several of what it leads to.
    ///
    /// That is a symbolic link, wherever it leads, or a file that ``hasOtherNames(_:)``.
    public static func isAlias(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFLNK || hasOtherNames(path)
    }

    /// Whether the file that a path leads to has hard links, or is mounted there by itself.
    public static func hasOtherNames(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return status.st_nlink > 1 || isMountPoint(path)
    }

    /// Removes a file, if there is one.
    public static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw SystemError(doing: "remove", path)
        }
    }

    /// Gives a file another name, and waits until the new name is on the disk.
    ///
    /// A file that has that name already is replaced.
    public static func rename(_ path: String, to newPath: String) throws {
        guard Glibc.rename(path, newPath) == 0 else {
            throw SystemError(doing: "rename \(path) to", newPath)
        }
        try syncFolder(of: newPath)
    }

    /// Gives a file another name, unless something has that name.
    ///
    /// - Returns: Whether it was free.
    public static func rename(_ path: String, toFree newPath: String) throws -> Bool {
        // At no moment does it have both names: whoever is killed would leave them.
        if renameat2(AT_FDCWD, path, AT_FDCWD, newPath, renameNoReplace) == 0 {
            try syncFolder(of: newPath)
            return true
        }
        guard errno != EEXIST else { return false }
        // Not every file system can. Some have hard links, which are as good but for that moment.
        if Glibc.link(path, newPath) == 0 {
            try remove(path)
            try syncFolder(of: newPath)
            return true
        }
        guard errno != EEXIST else { return false }
        guard !isPresent(newPath) else { return false }
        try rename(path, to: newPath)
        return true
    }

    private static func syncFolder(of newPath: String) throws {
        let folder = folder(of: newPath)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(doing: "open", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError(doing: "sync", folder) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// `RENAME_NOREPLACE`, which glibc hides like the function: what has the new name is not replaced.
private let renameNoReplace: UInt32 = 1
