import Foundation
import Glibc
import Synchronization

/// A proxy that loses, delays and cuts what goes through it, by chance, until it has done so a number of
/// times.
///
/// Each connection is for one request, and has a thread of its own.
final class BadNetwork: Sendable {
    /// What becomes of a request.
    enum Fate: String, CaseIterable, Sendable {
        case passed

        /// It never reaches the server.
        case lostBefore

        /// The server does it, and its answer is lost.
        case lostAfter

        /// The server does it, and only the beginning of its answer arrives.
        case cut

        /// The connection is lost, and the request reaches the server after later ones.
        case late

        /// Nothing comes back, and the connection stays open.
        case silent

        /// Something on the way answers that it is busy.
        case busy
    }

    let port: UInt16
    private let server: UInt16
    private let listener: CInt
    private let keepsHeads: Bool
    private let state: Mutex<State>

    private struct State {
        var chance: Chance
        var faults: Int
        var fates: [Fate: Int] = [:]
        var late: [[UInt8]] = []
        var open: Set<CInt> = []
        var isStopped = false
    }

    /// Begins to listen.
    ///
    /// After so many faults it does what a network should. It can be told to cut no answer within its head: FoundationNetworking ends the whole process
    /// then, <https://github.com/swiftlang/swift-corelibs-foundation/issues/5285>.
    init(to server: UInt16, seed: UInt64, faults: Int, keepsHeads: Bool) throws {
        self.server = server
        self.keepsHeads = keepsHeads
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, length) = (listener, size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else { throw NoSocket(code: errno) }
        port = UInt16(bigEndian: address.sin_port)
        state = Mutex(State(chance: Chance(seed: seed), faults: faults))
        Thread.detachNewThread { [self] in accept() }
    }

    /// How many requests had which fate.
    var fates: [Fate: Int] { state.withLock { $0.fates } }

    /// Lets everything pass from now on, and delivers what is late.
    func heal() {
        state.withLock { $0.faults = 0 }
        deliverLate()
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            // Wakes the threads that wait for these; they close them.
            for descriptor in state.open { shutdown(descriptor, CInt(SHUT_RDWR)) }
        }
        shutdown(listener, CInt(SHUT_RDWR))
    }

    struct NoSocket: Error {
        let code: CInt
    }
}

extension BadNetwork {
    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            guard opened(client) else { continue }
            Thread.detachNewThread { [self] in
                serve(client)
                closed(client)
            }
        }
        close(listener)
    }

    /// Notes a descriptor, so that ``stop()`` finds it.
    private func opened(_ descriptor: CInt) -> Bool {
        let isStopped = state.withLock { state in
            if !state.isStopped { state.open.insert(descriptor) }
            return state.isStopped
        }
        if isStopped { close(descriptor) }
        return !isStopped
    }

    private func closed(_ descriptor: CInt) {
        _ = state.withLock { $0.open.remove(descriptor) }
        close(descriptor)
    }

    private func serve(_ client: CInt) {
        guard let request = readRequest(from: client) else { return }
        let isStream = request.starts(with: Array("GET /events".utf8))
        let (fate, bytes) = decide(isStream: isStream)
        switch fate {
        case .passed:
            pass(request, to: client, limit: .max)
        case .lostBefore:
            break
        case .lostAfter:
            pass(request, to: nil, limit: .max)
        case .cut:
            pass(request, to: client, limit: bytes)
        case .late:
            state.withLock { $0.late.append(request) }
            return
        case .silent:
            // Until the client has enough of it.
            while !receive(from: client).isEmpty {}
        case .busy:
            send(
                Array(
                    "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                        .utf8
                ),
                to: client
            )
        }
        deliverLate()
    }

    private func decide(isStream: Bool) -> (Fate, bytes: Int) {
        state.withLock { state in
            var fate = Fate.passed
            if state.faults > 0, !state.chance.once(in: 3) {
                fate = Fate.allCases.randomElement(using: &state.chance) ?? .passed
                // Silence costs the client's whole patience, which is long with a stream.
                if fate == .silent, isStream || !state.chance.once(in: 4) { fate = .lostBefore }
                if isStream, fate == .lostAfter || fate == .late { fate = .cut }
            }
            if fate != .passed { state.faults -= 1 }
            state.fates[fate, default: 0] += 1
            let bytes = Int.random(
                in: 0...(state.chance.once(in: 2) ? 200 : 4_000),
                using: &state.chance
            )
            return (fate, bytes)
        }
    }

    private func deliverLate() {
        while let request = state.withLock({ $0.late.popLast() }) {
            pass(request, to: nil, limit: .max)
        }
    }

    /// Sends a request on, and as much as is wanted of the answer back.
    private func pass(_ request: [UInt8], to client: CInt?, limit: Int) {
        let upstream = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard opened(upstream) else { return }
        defer { closed(upstream) }
        guard connect(upstream, to: server), send(request, to: upstream) else { return }
        // What of the answer has not been sent back, while its head is not whole and has to be.
        var head: [UInt8]? = keepsHeads && limit < .max ? [] : nil
        var left = limit
        while left > 0 {
            var polled = [pollfd(fd: upstream, events: Int16(POLLIN), revents: 0)]
            if let client { polled.append(pollfd(fd: client, events: Int16(POLLIN), revents: 0)) }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { return }
            // A client that says something now has left.
            if polled.count > 1, polled[1].revents != 0 { return }
            var bytes = receive(from: upstream)
            guard !bytes.isEmpty else { return }
            if let start = head {
                bytes = start + bytes
                let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
                head = end == nil ? bytes : nil
                guard let end else { continue }
                left += end
            }
            let part = Array(bytes.prefix(left))
            left -= part.count
            if let client, !send(part, to: client) { return }
        }
    }

    /// Reads a request, and says that its connection ends with it.
    private func readRequest(from client: CInt) -> [UInt8]? {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        var head: Range<Int>?
        while head == nil {
            let more = receive(from: client)
            guard !more.isEmpty else { return nil }
            bytes += more
            head = bytes.firstRange(of: end)
        }
        guard let head else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        let length =
            lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).filter { $0 != " " }) } ?? 0
        if lines.contains(where: { $0.lowercased().hasPrefix("expect:") }) {
            send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: client)
        }
        while bytes.count < head.upperBound + length {
            let more = receive(from: client)
            guard !more.isEmpty else { return nil }
            bytes += more
        }
        let kept = lines.filter { line in
            !["connection:", "expect:"].contains { line.lowercased().hasPrefix($0) }
        }
        return Array((kept + ["Connection: close", "", ""]).joined(separator: "\r\n").utf8)
            + bytes[head.upperBound...]
    }
}
