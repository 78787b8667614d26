import CLinux
import Foundation
import Glibc
import Synchronization

/// What lives on an event loop: it is made on the loop's thread and never leaves it.
public protocol LoopResident: AnyObject, SendableMetatype {
    /// A turn begins: the loop has waited, and is about to do what has become possible.
    func beginTurn()

    /// A descriptor can go on that was registered with the token.
    ///
    /// It may have been closed earlier in the same turn; the resident has to know its own.
    func proceed(_ token: UInt64, _ readiness: Readiness)

    /// All that had to be done in this turn is done.
    ///
    /// - Returns: How many milliseconds the loop may wait for the next event; 0 takes the next
    ///   turn at once, -1 waits for as long as it takes.
    func endTurn() -> CInt
}

/// A thread that waits for descriptors and runs what they make possible, and a task executor.
///
/// A turn of the loop is: wait for events, let the ``LoopResident`` proceed with each, run what
/// other threads asked for, run the jobs of tasks. A task that prefers this executor runs on the
/// thread of its connection from start to end; what it awaits elsewhere comes back through
/// ``enqueue(_:)``, which wakes the loop once for all that is waiting.
///
/// - Note: `@unchecked Sendable` because `poller`, `resident`, `jobs` and `isStopping` are only
///   touched on the loop's own thread, which every access asserts or follows from its caller;
///   what other threads touch is `inbox`, `wakeup` and `threadID`.
public final class EventLoop<Resident: LoopResident>: TaskExecutor, @unchecked Sendable {
    private var poller: Poller
    private var resident: Resident?
    private var jobs: [UnownedJob] = []
    private var isStopping = false

    private let inbox = Mutex<[Item]>([])
    private let wakeup: FileDescriptor
    private let threadID = Atomic<UInt>(0)

    /// Creates a loop, which does nothing until it is started.
    public init() throws(SystemError) {
        let flags = CInt(EFD_NONBLOCK | EFD_CLOEXEC)
        wakeup = FileDescriptor(owning: try call("eventfd") { eventfd(0, flags) } ?? -1)
        poller = try Poller()
        // Edge-triggered: each write is reported once, and nobody needs to read the counter.
        try poller.add(wakeup, token: Self.wakeupToken)
    }

    /// The token that a resident may not use.
    public static var wakeupToken: UInt64 { .max }

    /// Starts the loop's thread.
    ///
    /// - Parameters:
    ///   - name: The name of the thread.
    ///   - makeResident: Makes what lives on the loop, on its thread.
    ///   - ended: Called on the loop's thread as the last thing it does.
    public func start(
        named name: String,
        _ makeResident: @escaping @Sendable (EventLoop) -> Resident,
        ended: @escaping @Sendable () -> Void
    ) {
        let thread = Thread { [self] in
            threadID.store(currentThreadID(), ordering: .relaxed)
            resident = makeResident(self)
            run()
            resident = nil
            ended()
        }
        thread.name = name
        thread.start()
    }

    /// Does something with the resident, on the loop's thread, in its next turn.
    public func perform(_ action: @escaping @Sendable (Resident) -> Void) {
        post(.action { [self] in withResident(action) })
    }

    /// Does something with the resident at once.
    ///
    /// - Precondition: The caller runs on the loop.
    public func withResident<Value>(_ body: (Resident) -> Value) -> Value {
        guard isCurrent, let resident else {
            preconditionFailure("What lives on a loop is used on that loop alone")
        }
        return body(resident)
    }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool {
        threadID.load(ordering: .relaxed) == currentThreadID()
    }
}

// MARK: - For the resident

extension EventLoop {
    /// Reports the events of a connection to the resident until the descriptor is closed.
    ///
    /// Each event is reported once, when it begins.
    ///
    /// - Precondition: The caller runs on the loop, and the token is not ``wakeupToken``.
    public func register(
        _ descriptor: borrowing FileDescriptor,
        token: UInt64
    ) throws(SystemError) {
        precondition(isCurrent && token != Self.wakeupToken)
        try poller.add(descriptor, token: token)
    }

    /// Reports at every turn that connections wait to be accepted, for as long as some do.
    ///
    /// - Precondition: The caller runs on the loop, and the token is not ``wakeupToken``.
    public func register(_ socket: borrowing ListeningSocket, token: UInt64) throws(SystemError) {
        precondition(isCurrent && token != Self.wakeupToken)
        try poller.add(socket.descriptor, token: token, for: .arrivals)
    }

    /// Reports no more that connections wait; they go on waiting.
    ///
    /// - Precondition: The caller runs on the loop.
    public func unregister(_ socket: borrowing ListeningSocket) throws(SystemError) {
        precondition(isCurrent)
        try poller.remove(socket.descriptor)
    }

    /// Ends the loop after this turn.
    ///
    /// - Precondition: The caller runs on the loop.
    public func stop() {
        precondition(isCurrent)
        isStopping = true
    }
}

// MARK: - Turns

extension EventLoop {
    /// Takes a job of a task that prefers to run here.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
        } else {
            post(.job(job))
        }
    }

    private func post(_ item: Item) {
        let isFirst = inbox.withLock { inbox in
            inbox.append(item)
            return inbox.count == 1
        }
        // Only the first needs to wake the loop, which takes all there are.
        guard isFirst else { return }
        var one: UInt64 = 1
        _ = write(wakeup.number, &one, MemoryLayout<UInt64>.size)
    }

    private func run() {
        // A reference of its own, which ends with the function: the resident is to be gone when the
        // loop has ended.
        guard let resident else { preconditionFailure("A loop that runs has its resident") }
        var patience: CInt = 0
        while !isStopping {
            let count: Int
            do {
                count = try poller.wait(milliseconds: jobs.isEmpty ? patience : 0)
            } catch {
                preconditionFailure("A poller that exists can be waited on: \(error)")
            }
            resident.beginTurn()
            var isAwoken = false
            for index in 0..<count {
                let (token, readiness) = poller.event(at: index)
                if token == Self.wakeupToken {
                    isAwoken = true
                } else {
                    resident.proceed(token, readiness)
                }
            }
            // Whoever fills an empty inbox wakes the loop: there is nothing to look for otherwise.
            if isAwoken { takeInbox() }
            runJobs()
            patience = resident.endTurn()
        }
    }

    private func takeInbox() {
        let items = inbox.withLock { inbox in
            let items = inbox
            inbox = []
            return items
        }
        for item in items {
            switch item {
            case .job(let job): jobs.append(job)
            case .action(let action): action()
            }
        }
    }

    /// Runs the jobs that are there now; those which they bring about have their turn next.
    private func runJobs() {
        guard !jobs.isEmpty else { return }
        let ready = jobs
        jobs = []
        for job in ready {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// What other threads leave for a loop.
private enum Item {
    case job(UnownedJob)
    case action(@Sendable () -> Void)
}

private func currentThreadID() -> UInt {
    UInt(pthread_self())
}
