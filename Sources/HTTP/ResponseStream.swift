/// Where the pieces of a body come from that is made over time, as server-sent events are.
///
/// A server calls it in this order: ``start(wake:)``, then ``next(room:)`` again and again, at last
/// ``close()``. All of that happens on the loop of the connection, one call after the other, so
/// none of it may wait for anything.
public protocol ResponseStream: AnyObject, Sendable {
    /// The client is there, and its first pieces are about to be asked for.
    ///
    /// - Parameter wake: Asks for ``next(room:)`` to be called soon. It may be called on any thread,
    ///   at any time and any number of times; calls before the server has come to it count as one,
    ///   and those after ``close()`` do nothing. It costs a lock, and the first for a loop at rest
    ///   a system call.
    func start(wake: @escaping @Sendable () -> Void)

    /// The next piece of the body.
    ///
    /// It is asked for only while the client keeps up, so whoever makes the pieces need keep none
    /// for it but a place to go on from.
    ///
    /// - Parameter room: How many bytes may be sent before the client must have read some. A piece
    ///   may be longer, and is sent whole.
    /// - Returns: The piece, or that there is none.
    func next(room: Int) -> StreamPiece

    /// The piece that is sent when there was nothing to send for some time, so that everyone on the
    /// way knows that the connection stands, and the server learns it if not.
    var heartbeat: [UInt8] { get }

    /// The last piece, when the server ends the stream because it stops.
    var farewell: [UInt8] { get }

    /// Nothing more will be asked for.
    ///
    /// Called exactly once for each stream that was given to a server, whatever became of it: after
    /// its end, when its client has gone or does not read, when the server stops, and instead of
    /// ``start(wake:)`` when no body is wanted (`HEAD`) or nobody is there any more.
    func close()
}

extension ResponseStream {
    public var farewell: [UInt8] { [] }
}

/// A piece of a body, or none.
public enum StreamPiece: Hashable, Sendable {
    /// The piece; there may be more at once. An empty one is as good as none, but asks again.
    case bytes([UInt8])

    /// There is nothing until the stream wakes the server.
    case nothing

    /// The last piece, which may be empty.
    case end([UInt8])
}
