import CLinux
import Glibc

/// Tells which of many descriptors can go on (epoll, edge-triggered).
///
/// A descriptor is registered once, for reading and writing both, and is reported when its
/// state *changes*: whoever is told that it is readable reads until it would block, or keeps in
/// mind that it has not. That saves a system call for each change of mind.
struct Poller: ~Copyable {
    private let epoll: FileDescriptor
    private var events: [epoll_event]

    /// Creates a poller that reports at most so many events at a time.
    init(eventsPerTurn: Int = 256) throws(SystemError) {
        epoll = FileDescriptor(
            owning: try call("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) } ?? -1
        )
        events = Array(repeating: epoll_event(), count: eventsPerTurn)
    }

    /// Registers a descriptor until it is closed; its events are reported with the token.
    func add(
        _ descriptor: borrowing FileDescriptor,
        token: UInt64,
        for interest: Interest = .connection
    ) throws(SystemError) {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
        _ = try call("epoll_ctl") {
            epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor.number, &event)
        }
    }

    /// Forgets a descriptor that stays open.
    func remove(_ descriptor: borrowing FileDescriptor) throws(SystemError) {
        _ = try call("epoll_ctl") {
            epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor.number, nil)
        }
    }

    /// Waits until something can go on, or for so many milliseconds at most.
    ///
    /// With 0 milliseconds it does not wait, with -1 for ever. It returns how many events there
    /// are; ``event(at:)`` has them.
    mutating func wait(milliseconds: CInt) throws(SystemError) -> Int {
        let number = epoll.number
        let count = try events.withUnsafeMutableBufferPointer { (events) throws(SystemError) in
            try call("epoll_wait") {
                epoll_wait(number, events.baseAddress, CInt(events.count), milliseconds)
            }
        }
        return Int(count ?? 0)
    }

    func event(at index: Int) -> (token: UInt64, readiness: Readiness) {
        let event = events[index]
        return (event.data.u64, Readiness(rawValue: event.events))
    }
}

extension Poller {
    /// What a descriptor is registered for.
    struct Interest {
        let rawValue: UInt32

        /// Reading, writing and the peer's hanging up, each reported once when it begins.
        static let connection = Interest(
            rawValue: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue
                | EPOLLET.rawValue
        )

        /// Reading, reported at every turn for as long as there is something to read.
        static let arrivals = Interest(rawValue: EPOLLIN.rawValue)
    }
}

/// In which ways a descriptor can go on.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)

    /// The peer has sent all it ever will; answers may still be wanted.
    public static let peerFinished = Readiness(rawValue: EPOLLRDHUP.rawValue)

    /// The connection is gone, both ways.
    public static let broken = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
}
