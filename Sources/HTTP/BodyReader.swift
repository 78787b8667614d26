/// Gathers the body of a request.
struct BodyReader: Sendable {
    /// The body as far as it has come.
    private(set) var bytes: [UInt8] = []

    /// What has not come yet of a body whose length is known.
    private var missing = 0
    private var chunks: ChunkReader?

    /// Whether nothing of the body is still to come.
    private(set) var isComplete = true

    /// Creates a reader of nothing.
    init() {}

    init(_ body: FramingFields.Body) {
        switch body {
        case .length(let length):
            missing = length
            isComplete = length == 0
        case .chunked:
            chunks = ChunkReader()
            isComplete = false
        }
    }

    /// Goes on reading.
    ///
    /// - Parameters:
    ///   - arrived: What has arrived.
    ///   - offset: How much of it is read; moved on.
    ///   - limits: How much of everything there may be.
    /// - Returns: Whether the body is complete.
    /// - Throws: ``Refusal`` if its chunks break the grammar or a limit.
    mutating func read(
        _ arrived: [UInt8],
        from offset: inout Int,
        limits: RequestParser.Limits
    ) throws(Refusal) -> Bool {
        if isComplete { return true }
        if let isLast = try chunks?.read(arrived, from: &offset, into: &bytes, limits: limits) {
            isComplete = isLast
        } else {
            let end = offset + min(missing, arrived.count - offset)
            bytes.append(contentsOf: arrived[offset..<end])
            missing -= end - offset
            offset = end
            isComplete = missing == 0
        }
        return isComplete
    }
}
