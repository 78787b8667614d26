internal import Glibc
internal import Synchronization

/// A counter of changes that processes share: the first bytes of a file, mapped into each of them.
///
/// Who keeps something in memory that another process may change compares one number to know that it
/// still holds, without a call of the system. The number is odd while a change is being made:
///
/// - Who changes something makes it odd before the commit, and moves it on after it.
/// - Who keeps something looks at it *before* reading. What was read under an odd number holds for this
///   once; what was read under an even one holds until the number is another.
///
/// So a change that is there is never missed, be it that whoever made it was killed before saying so:
/// the number then stays odd, and everything is read anew until the next change.
public final class ChangeCounter: Sendable {
    private let storage: Storage

    /// Which file the counter is in; `nil` if it is this process's alone.
    private let file: FileIdentity?

    /// Where the number is.
    ///
    /// Unchecked, since the address never changes, and what is there is only touched as an atomic.
    private struct Storage: @unchecked Sendable {
        let number: UnsafeMutablePointer<Atomic<UInt64>>
    }

    fileprivate struct FileIdentity: Hashable {
        let device: UInt
        let number: UInt
    }

    /// Makes a counter of this process alone.
    public init() {
        let number = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1)
        number.initialize(to: Atomic(0))
        storage = Storage(number: number)
        file = nil
    }

    /// Maps the counter that is in a file.
    ///
    /// - Returns: `nil` if there is no file, or none with a counter in it.
    /// - Throws: ``SystemError`` if the file can't be written or mapped.
    public static func open(at path: String) throws -> ChangeCounter? {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw SystemError(doing: "open", path) }
            return nil
        }
        defer { close(descriptor) }
        guard try fileSize(descriptor, path) >= size else { return nil }
        return try ChangeCounter(descriptor, path)
    }

    /// Maps the counter of a file that is open for writing, and puts one in if there is none.
    init(_ descriptor: CInt, _ path: String) throws {
        if try fileSize(descriptor, path) < size {
            // Written rather than left as a hole: on a full disk, a hole is a signal when it is first
            // written to through the map.
            let zeros = [UInt8](repeating: 0, count: size)
            let count = zeros.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
            guard count == size else { throw SystemError(doing: "write", path) }
        }
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let start, start != MAP_FAILED else { throw SystemError(doing: "map", path) }
        // An atomic is laid out as the integer that it holds.
        storage = Storage(number: start.bindMemory(to: Atomic<UInt64>.self, capacity: 1))
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError(doing: "look at", path) }
        file = FileIdentity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    }

    deinit {
        if file == nil {
            storage.number.deinitialize(count: 1)
            storage.number.deallocate()
        } else {
            munmap(storage.number, size)
        }
    }
}

extension ChangeCounter {
    /// The number as it is now.
    public var value: Value {
        Value(rawValue: storage.number.pointee.load(ordering: .acquiring))
    }

    /// A number that was read.
    public struct Value: Hashable, Sendable {
        fileprivate let rawValue: UInt64

        /// Whether what is read from now on holds until there is another number.
        public var isSettled: Bool { rawValue.isMultiple(of: 2) }
    }

    /// Says that a change is about to be committed, by the one who alone may commit now.
    ///
    /// - Returns: What ``endChange(_:)`` needs.
    public func beginChange() -> Change {
        while true {
            let present = storage.number.pointee.load(ordering: .relaxed)
            let odd = (present &+ 1) | 1
            guard exchange(present, for: odd) else { continue }
            return Change(value: odd, file: file)
        }
    }

    /// A change that has begun.
    public struct Change: Sendable {
        fileprivate let value: UInt64
        fileprivate let file: FileIdentity?
    }

    /// Says that a change is committed, or given up.
    ///
    /// - Parameter change: What began, be it on the counter of an earlier file of the same name.
    public func endChange(_ change: Change) {
        while true {
            let present = storage.number.pointee.load(ordering: .relaxed)
            let isOurs = change.file == file && change.value == present
            // Somebody has begun another change, which they could not before ours was committed: the
            // number has moved on, and does so again when they end.
            guard isOurs || present.isMultiple(of: 2) else { return }
            if exchange(present, for: present &+ (isOurs ? 1 : 2)) { return }
        }
    }

    /// Says that something has changed, which was not said to begin.
    public func noteChange() {
        storage.number.pointee.add(2, ordering: .sequentiallyConsistent)
    }

    /// Ends whatever a process has begun that is no more, by the owner of the file's lock.
    func settle() {
        endChange(beginChange())
    }

    private func exchange(_ present: UInt64, for next: UInt64) -> Bool {
        storage.number.pointee.compareExchange(
            expected: present,
            desired: next,
            ordering: .sequentiallyConsistent
        ).exchanged
    }
}

/// How many bytes the counter takes.
private let size = MemoryLayout<Atomic<UInt64>>.size

private func fileSize(_ descriptor: CInt, _ path: String) throws -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(doing: "look at", path) }
    return Int(status.st_size)
}
