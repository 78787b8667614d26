import HTTP
import Store
import Synchronization

/// The changes of an account as server-sent events, from a place in their order on and without end.
///
/// It keeps no events, only the place that the client has come to: when something was committed and
/// the client keeps up, it reads from there what has changed since. So a client that reads slowly costs
/// no memory, one that is cut off goes on where it was, and none is told of anything before it is on
/// the disk. Whose token is revoked meanwhile gets no event more.
final class EventStream: ResponseStream {
    /// The first piece, by which a browser also knows how soon to connect again: after 2 s.
    static let greeting = "retry: 2000\n\n".utf8

    let heartbeat = Array(":\n\n".utf8)

    private let caller: Caller
    private let requestID: RequestID
    private let context: Context
    private let progress: Mutex<Progress>

    private struct Progress {
        var position: ChangePosition?

        /// Whether all that was committed before the last wake has been read.
        var isUpToDate = false
        var subscription: ChangeHub.Subscription?
    }

    init(for call: Call, after position: ChangePosition?, in context: Context) {
        caller = call.caller
        requestID = call.request.id
        self.context = context
        progress = Mutex(Progress(position: position))
    }

    func start(wake: @escaping @Sendable () -> Void) {
        // Before the first read, so that no commit comes unnoticed in between.
        let subscription = context.hub.subscribe(to: caller.account) { [self] in
            progress.withLock { $0.isUpToDate = false }
            wake()
        }
        progress.withLock { $0.subscription = subscription }
    }

    func next(room: Int) -> StreamPiece {
        do {
            guard try context.access.isGood(caller) else { return .end([]) }
            // Said before reading, so that a commit which is not read any more takes it back.
            let (position, isUpToDate) = progress.withLock { progress in
                defer { progress.isUpToDate = true }
                return (progress.position, progress.isUpToDate)
            }
            guard !isUpToDate else { return .nothing }
            let page = try context.store.changes(
                after: position,
                limit: min(max(room / EventStream.usualBytes, 1), EventStream.mostAtOnce),
                of: caller.account
            )
            progress.withLock { progress in
                progress.position = page.next
                if page.hasMore { progress.isUpToDate = false }
            }
            return page.changes.isEmpty ? .nothing : .bytes(bytes(of: page))
        } catch StoreError.resyncRequired {
            return .end(EventStream.resync)
        } catch StoreError.accountAbsent {
            return .end([])
        } catch {
            // The client connects again, and is told then what is wrong.
            context.report(error, requestID)
            return .end([])
        }
    }

    func close() {
        let subscription = progress.withLock { $0.subscription.take() }
        if let subscription { context.hub.end(subscription) }
    }
}

extension EventStream {
    /// About how long an event is.
    private static let usualBytes = 512

    /// How many changes are read in one go, which takes some hundred microseconds.
    private static let mostAtOnce = 50

    /// Tells the client to drop what it has and to read all anew.
    ///
    /// The empty id has a browser that connects again begin at the start.
    private static let resync = Array("event: resync\nid:\ndata: {}\n\n".utf8)

    private func bytes(of page: ChangePage) -> [UInt8] {
        var bytes: [UInt8] = []
        for entry in page.changes {
            // JSON as it is written here has no line breaks, so that one line of data holds it.
            bytes += "id: \(ChangeToken(entry.position).text(for: caller.account))\ndata: ".utf8
            bytes += ChangeResource(change: entry.change).jsonBytes
            bytes += "\n\n".utf8
        }
        return bytes
    }
}
