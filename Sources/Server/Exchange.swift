public import HTTP

/// A request and its answer, as a log wants to know them.
public struct Exchange: Sendable {
    /// The method; `nil` if what came could not be read as a request.
    public let method: Method?

    /// The path as it was sent, still percent-encoded, without the query.
    public let path: String?

    public let status: Status

    /// The length of the answer's body; of a stream, which is told of when it begins, of its first
    /// piece.
    public let bodyBytes: Int

    /// From the last byte of the request to the answer's being ready to send.
    public let microseconds: Int

    public let id: RequestID
}
