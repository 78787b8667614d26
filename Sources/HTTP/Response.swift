/// A whole response, but for what the writer adds: length, date, connection and request id.
public struct Response: Equatable, Sendable {
    public var status: Status
    public var headers: HeaderFields
    public var body: [UInt8]

    public init(_ status: Status, headers: HeaderFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
