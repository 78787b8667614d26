public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif
#if os(Linux)
import Glibc
import Synchronization
#endif

/// Sends a request, and gives the body of the answer as it arrives; no bytes at first, as a sign that the
/// answer has begun.
///
/// Ends or throws ``Unreachable`` when the connection does, or if the status is not 200.
public typealias ByteStream = @Sendable (URLRequest) -> AsyncThrowingStream<Data, any Error>

typealias Bytes = AsyncThrowingStream<Data, any Error>

/// How many pieces wait for who reads them, before it is cut off and has to begin again.
private let buffering = Bytes.Continuation.BufferingPolicy.bufferingOldest(256)

/// Silence of so many seconds means that the connection is lost: the server says something every 15.
private let patience = 40

extension OfflineClient {
    /// Reads by a delegate, for `URLSession.bytes(for:)` does not exist on Linux.
    public static let streamBySession: ByteStream = { request in
        Bytes(bufferingPolicy: buffering) { continuation in
            let session = URLSession(
                configuration: .waiting(for: TimeInterval(patience)),
                delegate: StreamDelegate(continuation),
                delegateQueue: nil
            )
            let task = session.dataTask(with: request)
            continuation.onTermination = { reason in
                if case .cancelled = reason { task.cancel() }
            }
            task.resume()
            // The session ends with its task.
            session.finishTasksAndInvalidate()
        }
    }

    /// What reads events where we are.
    static var stream: ByteStream {
        #if os(Linux)
        // In Foundation for Linux, to cancel a task stops the process now and then. This knows no TLS,
        // for which there is only the session.
        { $0.url?.scheme == "http" ? streamBySocket($0) : streamBySession($0) }
        #else
        streamBySession
        #endif
    }
}

private final class StreamDelegate: NSObject, URLSessionDataDelegate {
    private let continuation: Bytes.Continuation

    init(_ continuation: Bytes.Continuation) {
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
            completionHandler(.cancel)
            return continuation.finish(throwing: Unreachable(retryAfter: response?.retryAfter))
        }
        continuation.yield(Data())
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if case .dropped = continuation.yield(data) {
            dataTask.cancel()
            continuation.finish()
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

#if os(Linux)
extension OfflineClient {
    /// Reads from a socket, on a thread of its own.
    static let streamBySocket: ByteStream = { request in
        Bytes(bufferingPolicy: buffering) { continuation in
            let connection = Connection()
            continuation.onTermination = { _ in connection.end() }
            Thread.detachNewThread { connection.run(request, into: continuation) }
        }
    }
}

/// A connection for one request, which another thread may end.
private final class Connection: Sendable {
    private struct State {
        var socket: CInt?
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Wakes the thread that reads, which then closes the socket.
    func end() {
        state.withLock { state in
            state.isEnded = true
            if let socket = state.socket { shutdown(socket, CInt(SHUT_RDWR)) }
        }
    }

    /// Sends a request, and reads until there is no more.
    func run(_ request: URLRequest, into continuation: Bytes.Continuation) {
        guard
            let url = request.url, let host = url.host(), let socket = connect(host, url.port ?? 80)
        else { return continuation.finish(throwing: Unreachable()) }
        defer { close(socket) }

        // The answer to HTTP/1.0 comes as it is, not in chunks, and ends with the connection.
        let target = url.path() + (url.query().map { "?" + $0 } ?? "")
        var lines = ["GET \(target) HTTP/1.0", "Host: \(host)"]
        lines += (request.allHTTPHeaderFields ?? [:]).map { "\($0): \($1)" }
        let bytes = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
        guard send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            return continuation.finish(throwing: Unreachable())
        }

        var head: [UInt8]? = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return continuation.finish() }
            var bytes = Array(buffer.prefix(count))
            if let start = head {
                bytes = start + bytes
                head = bytes
                guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
                let status = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst()
                    .first
                guard status.map({ Array($0) }) == Array("200".utf8) else {
                    // Why, the next sync finds out.
                    return continuation.finish(throwing: Unreachable())
                }
                head = nil
                continuation.yield(Data())
                bytes.removeFirst(end.upperBound)
            }
            if case .dropped = continuation.yield(Data(bytes)) { return continuation.finish() }
        }
    }

    /// Connects to the first address that answers, unless the end has come already.
    private func connect(_ host: String, _ port: Int) -> CInt? {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var addresses: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &addresses) == 0 else { return nil }
        defer { freeaddrinfo(addresses) }
        var next = addresses
        while let address = next?.pointee {
            next = address.ai_next
            let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            guard descriptor >= 0 else { continue }
            var limit = timeval(tv_sec: patience, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
            let isWanted = state.withLock { state in
                state.socket = descriptor
                return !state.isEnded
            }
            if isWanted, Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 {
                return descriptor
            }
            close(descriptor)
        }
        return nil
    }

    private func close(_ descriptor: CInt) {
        state.withLock { $0.socket = nil }
        _ = Glibc.close(descriptor)
    }
}
#endif
