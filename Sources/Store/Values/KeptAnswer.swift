/// The answer to a command that came with a key, kept for when it comes again.
public struct KeptAnswer: Hashable, Sendable {
    /// Tells the command from others that might come with the same key.
    public let request: Int64

    public let status: Int

    /// The header fields, in whatever form the caller gave them.
    public let fields: String
    public let body: [UInt8]

    public init(request: Int64, status: Int, fields: String, body: [UInt8]) {
        self.request = request
        self.status = status
        self.fields = fields
        self.body = body
    }
}
