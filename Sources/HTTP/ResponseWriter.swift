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
    /// Adds `Content-Length`, `Date`, `Connection` where it is needed, and `X-Request-Id`. Those
    /// that the response has itself are left out: framing is the writer's business.
    ///
    /// A response to `HEAD` has the length of its body, but not the body; one with status 204 or
    /// 304 has neither (RFC 9110 §8.6).
    public static func write(
        _ response: Response,
        to context: Context,
        date: HTTPDate,
        into output: inout [UInt8]
    ) {
        let hasBody = response.status.allowsBody && context.method != .head
        output.reserveCapacity(
            atLeast: output.count + roomForOwnFields + response.headers.bytes.count
                + (hasBody ? response.body.count : 0)
        )

        output.append(contentsOf: "HTTP/1.1 ".utf8)
        output.append(decimal: response.status.code)
        output.append(.space)
        output.append(contentsOf: response.status.reason.utf8)
        for field in response.headers.fields {
            let name = response.headers.nameBytes(field)
            guard !isOwnField(name) else { continue }
            output.append(contentsOf: "\r\n".utf8)
            output.append(contentsOf: name)
            output.append(contentsOf: ": ".utf8)
            output.append(contentsOf: response.headers.valueBytes(field))
        }
        if response.status.allowsBody {
            output.append(contentsOf: "\r\nContent-Length: ".utf8)
            output.append(decimal: response.body.count)
        }
        output.append(contentsOf: "\r\nDate: ".utf8)
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

/// More bytes than the status line and the writer's own fields ever take: an id of 128 characters,
/// a length of 19 digits, a date, and the longest reason.
private let roomForOwnFields = 384

/// Whether a field is one that the writer writes.
private func isOwnField(_ name: ArraySlice<UInt8>) -> Bool {
    // The length alone rules nearly every other field out.
    switch name.count {
    case 4: name.equalsIgnoringCase(FieldName.date.lowercase)
    case 10: name.equalsIgnoringCase(FieldName.connection.lowercase)
    case 12: name.equalsIgnoringCase(FieldName.xRequestID.lowercase)
    case 14: name.equalsIgnoringCase(FieldName.contentLength.lowercase)
    case 17: name.equalsIgnoringCase(FieldName.transferEncoding.lowercase)
    default: false
    }
}

extension [UInt8] {
    /// Makes room, and more of it than asked: exact room for each of many responses would copy all
    /// earlier ones each time.
    fileprivate mutating func reserveCapacity(atLeast minimum: Int) {
        guard minimum > capacity else { return }
        reserveCapacity(Swift.max(minimum, capacity * 2))
    }
}
