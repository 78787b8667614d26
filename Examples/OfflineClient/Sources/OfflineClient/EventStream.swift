import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server-sent event.
struct Event: Hashable, Sendable {
    var id = ""
    var name = "message"
    var data = ""
}

/// Reads server-sent events from bytes, however the network has cut them up.
///
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>
struct EventParser {
    private var line: [UInt8] = []
    private var lastWasCarriageReturn = false
    private var id = ""
    private var name = ""
    private var data: [String] = []

    /// Reads some more bytes.
    ///
    /// - Returns: The events that they complete.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where lastWasCarriageReturn:
                // The second half of a line end.
                lastWasCarriageReturn = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                lastWasCarriageReturn = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                lastWasCarriageReturn = false
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endEvent() }
        let parts = line.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        var value = String(decoding: parts.dropFirst().first ?? [], as: UTF8.self)
        if value.first == " " { value.removeFirst() }
        switch String(decoding: parts[0], as: UTF8.self) {
        case "id": id = value
        case "event": name = value
        case "data": data.append(value)
        default: break  // A comment, or nothing that we know.
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer { (name, data) = ("", []) }
        guard !data.isEmpty else { return nil }
        return Event(
            id: id,
            name: name.isEmpty ? "message" : name,
            data: data.joined(separator: "\n")
        )
    }
}

extension Server {
    /// What changes from a place on, as it happens, in groups as they arrive.
    ///
    /// Ends or throws ``Unreachable`` when the connection does; the place to go on from is the id of
    /// the last event. A delegate reads it, since `URLSession.bytes(for:)` is not there on Linux.
    func events(since place: String?) -> AsyncThrowingStream<[Event], any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingOldest(256)) { continuation in
            let session = URLSession(
                // The server says something every 15 s at least.
                configuration: .waiting(for: 40),
                delegate: EventReader(continuation),
                delegateQueue: nil
            )
            let task = session.dataTask(with: eventRequest(since: place))
            continuation.onTermination = { _ in
                session.delegateQueue.addOperation { task.cancel() }
            }
            task.resume()
            // The session ends with its task.
            session.finishTasksAndInvalidate()
        }
    }
}

/// Turns what arrives into events.
///
/// A session calls it from one queue, one call after the other; hence `@unchecked`.
private final class EventReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let continuation: AsyncThrowingStream<[Event], any Error>.Continuation
    private var parser = EventParser()

    init(_ continuation: AsyncThrowingStream<[Event], any Error>.Continuation) {
        self.continuation = continuation
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let response = response as? HTTPURLResponse
        guard response?.statusCode == 200 else {
            // Why, the next sync finds out.
            continuation.finish(throwing: Unreachable(retryAfter: response?.retryAfter))
            return completionHandler(.cancel)
        }
        // No event yet, but a sign that they will come.
        continuation.yield([])
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let events = parser.read(data)
        guard !events.isEmpty else { return }
        if case .dropped = continuation.yield(events) {
            // Nobody takes them fast enough. Rather than keep them all, begin again from the last
            // one that was taken.
            continuation.finish(throwing: Unreachable())
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        continuation.finish(throwing: error.map { Unreachable(cause: $0) })
    }
}
