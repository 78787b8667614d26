import Dispatch
import Foundation
import Goals
import HTTP
import Server
import Synchronization

/// The log, on standard error: a line an event, JSON unless a person is reading it.
///
/// A caller never waits for the terminal or the pipe: lines are handed to a queue of the log's
/// own. When that is behind by more than ``capacity`` bytes, further lines are left out, and how
/// many is said as soon as there is room.
final class Log: Sendable {
    private let format: Format
    private let queue = DispatchQueue(label: "log")
    private let pending = Mutex(Pending())

    /// How many bytes may wait to be written.
    private static let capacity = 4 * 1024 * 1024

    enum Format: Sendable {
        case text, json
    }

    private struct Pending {
        var bytes: [UInt8] = []
        var isScheduled = false
        var leftOut = 0
    }

    init(format: Format) {
        self.format = format
    }

    /// Logs a request and its answer.
    func request(_ exchange: Exchange) {
        let method = exchange.method?.rawValue ?? "-"
        let path = exchange.path ?? "-"
        write(
            level: "info",
            text: "\(method) \(path) \(exchange.status.code) \(exchange.bodyBytes) B "
                + "\(exchange.microseconds) µs \(exchange.id)",
            members: [
                ("method", .string(method)),
                ("path", .string(path)),
                ("status", .number(exchange.status.code)),
                ("bytes", .number(exchange.bodyBytes)),
                ("microseconds", .number(exchange.microseconds)),
                ("requestId", .string(exchange.id.description)),
            ]
        )
    }

    /// Logs an error of the server's own, and the request in which it came up, if it did in one.
    func error(_ message: String, during id: RequestID? = nil) {
        write(
            level: "error",
            text: id.map { "\(message) (\($0))" } ?? message,
            members: [("message", .string(message))]
                + (id.map { [("requestId", .string($0.description))] } ?? [])
        )
    }

    /// Logs what the server as a whole does.
    func notice(_ message: String) {
        write(level: "notice", text: message, members: [("message", .string(message))])
    }

    /// Waits until all that was logged has been written, but no longer than a second: whoever reads the
    /// log may have stopped to.
    func flush() {
        let written = DispatchSemaphore(value: 0)
        queue.async { written.signal() }
        _ = written.wait(timeout: .now() + .seconds(1))
    }

    private enum Value {
        case string(String), number(Int)
    }

    private func write(level: String, text: String, members: [(String, Value)]) {
        let time = Moment(millisecondsSinceEpoch: Int64(Date.now.timeIntervalSince1970 * 1000))
        let line: String =
            switch format {
            case .text: "\(time) \(level) \(text)\n"
            case .json:
                jsonLine([("time", .string("\(time)")), ("level", .string(level))] + members)
            }
        append(line)
    }

    private func jsonLine(_ members: [(String, Value)]) -> String {
        let texts = members.map { name, value in
            switch value {
            case .string(let text): "\"\(name)\":\(quoted(text))"
            case .number(let number): "\"\(name)\":\(number)"
            }
        }
        return "{\(texts.joined(separator: ","))}\n"
    }

    private func append(_ line: String) {
        let mustSchedule = pending.withLock { pending in
            guard pending.bytes.count < Log.capacity else {
                pending.leftOut += 1
                return false
            }
            pending.bytes += line.utf8
            defer { pending.isScheduled = true }
            return !pending.isScheduled
        }
        guard mustSchedule else { return }
        queue.async { [self] in writePending() }
    }

    private func writePending() {
        let (bytes, leftOut) = pending.withLock { pending in
            defer { pending = Pending() }
            return (pending.bytes, pending.leftOut)
        }
        do {
            try FileHandle.standardError.write(contentsOf: Data(bytes))
        } catch {
            // Nobody reads the log, and there is no other place to say so.
        }
        if leftOut > 0 { self.error("\(leftOut) lines of the log were left out.") }
    }
}

/// A JSON string literal for a text.
private func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": literal += "\\\""
        case "\\": literal += "\\\\"
        case "\u{0}"..."\u{1f}", "\u{7f}":
            let digits = String(scalar.value, radix: 16)
            literal += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: literal.unicodeScalars.append(scalar)
        }
    }
    return literal + "\""
}
