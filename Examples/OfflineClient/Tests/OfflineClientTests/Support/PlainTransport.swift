import Foundation
import Glibc
import Synchronization

@testable import OfflineClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests over plain sockets, a connection and a thread for each, and waits a second at most.
///
/// It makes nothing of an answer that is not whole but an error.
func plainTransport(to port: UInt16) -> Transport {
    { request in
        let exchange = Exchange(descriptor: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result { try exchange.answer(to: request, port: port) }
                    )
                }
            }
        } onCancel: {
            exchange.cancel()
        }
    }
}

/// A request, and the answer to it.
private final class Exchange: Sendable {
    /// `nil` when it is closed: its number may belong to another one then.
    private let descriptor: Mutex<CInt?>

    struct Lost: Error {}

    init(descriptor: CInt) {
        self.descriptor = Mutex(descriptor)
    }

    func cancel() {
        descriptor.withLock { if let number = $0 { shutdown(number, CInt(SHUT_RDWR)) } }
    }

    func answer(to request: URLRequest, port: UInt16) throws -> (Data, URLResponse) {
        guard let number = descriptor.withLock({ $0 }), let url = request.url else { throw Lost() }
        defer {
            descriptor.withLock { $0 = nil }
            close(number)
        }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        guard connect(number, to: port), send(bytes(of: request, url), to: number) else {
            throw Lost()
        }
        var answer: [UInt8] = []
        while true {
            let more = receive(from: number)
            answer += more
            if more.isEmpty { break }
        }
        return try read(answer, url)
    }

    private func bytes(of request: URLRequest, _ url: URL) -> [UInt8] {
        let body = request.httpBody ?? Data()
        let target = url.path() + (url.query().map { "?" + $0 } ?? "")
        var lines = ["\(request.httpMethod ?? "GET") \(target) HTTP/1.1", "Host: localhost"]
        lines += (request.allHTTPHeaderFields ?? [:]).map { "\($0): \($1)" }
        if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
        return Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + body
    }

    private func read(_ answer: [UInt8], _ url: URL) throws -> (Data, URLResponse) {
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Lost() }
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Lost() }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let body = Data(answer[end.upperBound...])
        guard
            let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
            let length = fields["content-length"].flatMap({ Int($0) }), body.count == length,
            let response = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        else { throw Lost() }
        return (body, response)
    }
}
