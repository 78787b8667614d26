public import Sockets

/// A client that says exactly what a test wants said, and reads answers as strictly as it can.
///
/// Every wait ends after ten seconds with an error, so that a server that hangs fails the test.
public final class TestClient {
    private var line: Line?
    private var received: [UInt8] = []

    /// Holds the socket, which is closed when the line is let go.
    private final class Line {
        let socket: ClientSocket

        init(_ socket: consuming ClientSocket) {
            self.socket = socket
        }
    }

    public init(port: UInt16, host: String = "127.0.0.1") throws(SystemError) {
        line = Line(try ClientSocket(host: host, port: port, patience: 10))
    }

    /// An answer as it came over the wire.
    public struct Answer: Hashable, Sendable {
        public let status: Int

        /// The header fields in order, their names in lower case.
        public let fields: [Field]

        public let body: [UInt8]

        public struct Field: Hashable, Sendable {
            public let name: String
            public let value: String
        }

        public subscript(_ name: String) -> String? {
            fields.first { $0.name == name }?.value
        }

        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// What a server said that is no answer of HTTP/1.1.
    public struct Nonsense: Error, CustomStringConvertible {
        public let description: String
    }
}

extension TestClient {
    /// Sends text as it stands.
    public func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends bytes as they stand.
    public func send(_ bytes: [UInt8]) throws {
        try openLine().socket.send(bytes)
    }

    /// Says that nothing more will be sent.
    public func shutDownWriting() {
        line?.socket.shutDownWriting()
    }

    /// Hangs up in the usual way.
    public func close() {
        line = nil
    }

    /// Reads the next answer; one to a `HEAD` request has no body, whatever its length says.
    public func answer(toHead isHead: Bool = false) throws -> Answer {
        while true {
            if let end = received.firstRange(of: blankLine)?.upperBound {
                let answer = try answer(head: received[..<end], isHead: isHead)
                return answer
            }
            guard try receive() else {
                throw Nonsense(description: "ended in a head: \(text(of: received[...]))")
            }
        }
    }

    /// Reads until the server ends the connection.
    ///
    /// - Returns: What came besides the answers that were read already.
    public func readToEnd() throws -> String {
        while try receive() {}
        return text(of: received[...])
    }

    /// Takes what has come of a body that has no length, and waits for something if nothing has.
    ///
    /// - Returns: The bytes; none once the server has ended the connection.
    public func more() throws -> [UInt8] {
        if received.isEmpty { _ = try receive() }
        defer { received = [] }
        return received
    }

    /// Takes back what came after the end of such a body.
    public func putBack(_ bytes: ArraySlice<UInt8>) {
        received.insert(contentsOf: bytes, at: 0)
    }

    /// Hangs up so that the server is told of a connection that broke.
    public func reset() throws {
        try openLine().socket.resetWhenClosed()
        line = nil
    }

    private func answer(head: ArraySlice<UInt8>, isHead: Bool) throws -> Answer {
        let lines = text(of: head).split(separator: "\r\n", omittingEmptySubsequences: true)
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Nonsense(description: "no status line: \(lines[0])")
        }
        let fields = try lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Nonsense(description: "no field: \(line)") }
            return Answer.Field(
                name: parts[0].lowercased(),
                value: String(parts[1].drop { $0 == " " })
            )
        }
        received.removeFirst(head.count)
        let length = fields.first { $0.name == "content-length" }.flatMap { Int($0.value) }
        let hasBody = !isHead && status >= 200 && status != 204 && status != 304
        guard let length, hasBody else {
            return Answer(status: status, fields: fields, body: [])
        }
        while received.count < length {
            guard try receive() else { throw Nonsense(description: "ended in a body") }
        }
        defer { received.removeFirst(length) }
        return Answer(status: status, fields: fields, body: Array(received[..<length]))
    }

    /// Receives what comes next.
    ///
    /// - Returns: Whether anything came before the end.
    private func receive() throws -> Bool {
        let bytes = try openLine().socket.receive()
        received += bytes
        return !bytes.isEmpty
    }

    private func openLine() throws -> Line {
        guard let line else { throw Nonsense(description: "The client has hung up already") }
        return line
    }

    private func text(of bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

private let blankLine = Array("\r\n\r\n".utf8)
