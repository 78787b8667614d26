/// How a client learns where a body ends whose length is not known at its start (RFC 9112 §6.3).
public enum StreamFraming: Hashable, Sendable {
    /// The body comes in chunks, of which an empty one is the last (RFC 9112 §7.1).
    case chunked

    /// The body ends with the connection, which HTTP/1.0 has nothing better for.
    case untilClose

    /// The framing of a body for a client of a version.
    public init(for version: HTTPVersion) {
        self =
            switch version {
            case .http10: .untilClose
            case .http11: .chunked
            }
    }

    /// Appends a piece of the body; an empty one is left out, since it would be the last chunk.
    public func write(_ piece: [UInt8], into output: inout [UInt8]) {
        guard !piece.isEmpty else { return }
        switch self {
        case .chunked:
            output.append(hexadecimal: piece.count)
            output.append(contentsOf: lineEnd)
            output.append(contentsOf: piece)
            output.append(contentsOf: lineEnd)
        case .untilClose:
            output.append(contentsOf: piece)
        }
    }

    /// Appends the end of the body.
    public func writeEnd(into output: inout [UInt8]) {
        switch self {
        case .chunked: output.append(contentsOf: lastChunk)
        case .untilClose: break
        }
    }
}

private let lineEnd = Array("\r\n".utf8)
private let lastChunk = Array("0\r\n\r\n".utf8)
