/// Writes responses as bytes.
public enum ResponseWriter {
    /// What a response must know of the request it answers.
    public struct Context: Hashable, Sendable {
        /// The method; `nil` if the request was refused before there was one.
        public var method: Method?
        public var version: HTTPVersion
        public var requestID: RequestID

        /// Whether the connection stays open after this response.
        public var keepsAlive: Bool

        public init(
            method: Method?,
            version: HTTPVersion,
            requestID: RequestID,
            keepsAlive: Bool
        ) {
            self.method = method
            self.version = version
            self.requestID = requestID
            self.keepsAlive = keepsAlive
        }

        /// The context of the response to a request.
        public init(_ request: Request) {
            self.init(
                method: request.method,
                version: request.version,
                requestID: request.id,
                keepsAlive: request.keepsAlive
            )
        }
    }

    /// Appends a response.
    ///
    /// Adds `Content-Length`, `Date`, `Connection` where it is needed, and `X-Request-Id`. If the
    /// response has these fields itself, they are left out: framing is the writer's business.
    public static func write(
        _ response: Response,
        to context: Context,
        date: HTTPDate,
        into output: inout [UInt8]
    ) {
        let hasBody = response.status.allowsBody && context.method != .head
        output.reserveCapacity(
            output.count + response.headers.bytes.count + (hasBody ? response.body.count : 0) + 384
        )
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        output.append(decimal: response.status.code)
        output.append(.space)
        output.append(contentsOf: response.status.reason.utf8)
        output.append(contentsOf: "\r\n".utf8)
        for field in response.headers.fields {
            output.append(contentsOf: response.headers.nameBytes(field))
            output.append(contentsOf: ": ".utf8)
            output.append(contentsOf: response.headers.valueBytes(field))
            output.append(contentsOf: "\r\n".utf8)
        }
        if response.status.allowsBody {
            output.append(contentsOf: "Content-Length: ".utf8)
            output.append(decimal: response.body.count)
            output.append(contentsOf: "\r\n".utf8)
        }
        output.append(contentsOf: "Date: ".utf8)
        output.append(contentsOf: date.bytes)
        switch (context.version, context.keepsAlive) {
        case (.http11, false): output.append(contentsOf: "\r\nConnection: close".utf8)
        case (.http10, true): output.append(contentsOf: "\r\nConnection: keep-alive".utf8)
        case (.http11, true), (.http10, false): break
        }
        output.append(contentsOf: "\r\nX-Request-Id: ".utf8)
        context.requestID.write(to: &output)
        output.append(contentsOf: "\r\n\r\n".utf8)
        if hasBody {
            output.append(contentsOf: response.body)
        }
    }

    /// Appends the interim response that invites the body (RFC 9110 §15.2.1).
    public static func writeContinue(into output: inout [UInt8]) {
        output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
    }
}
