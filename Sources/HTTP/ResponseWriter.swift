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

        output.append(startOf: response)
        if response.status.allowsBody {
            output.append(contentsOf: contentLength)
            output.append(decimal: response.body.count)
            output.append(.carriageReturn)
            output.append(.lineFeed)
        }
        output.append(ownFieldsFor: context, date: date)
        if hasBody {
            output.append(contentsOf: response.body)
        }
    }

    /// Appends the head of a response whose body is to follow in pieces, and what it has of a body
    /// as the first.
    ///
    /// - Returns: How to write the rest, or `nil` if there is no body: in answer to `HEAD`, or with
    ///   a status that allows none.
    /// - Precondition: Where the client's version has no framing, the context does not keep the
    ///   connection.
    public static func writeStart(
        of response: Response,
        to context: Context,
        date: HTTPDate,
        into output: inout [UInt8]
    ) -> StreamFraming? {
        let framing = StreamFraming(for: context.version)
        let hasBody = response.status.allowsBody && context.method != .head
        precondition(!hasBody || framing == .chunked || !context.keepsAlive)
        output.append(startOf: response)
        if hasBody && framing == .chunked {
            output.append(contentsOf: transferEncodingChunked)
        }
        output.append(ownFieldsFor: context, date: date)
        guard hasBody else { return nil }
        framing.write(response.body, into: &output)
        return framing
    }

    /// Appends the interim response that invites the body (RFC 9110 §15.2.1).
    public static func writeContinue(into output: inout [UInt8]) {
        output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
    }
}

/// More bytes than the status line and the writer's own fields ever take.
///
/// An id of 128 characters, a length of 19 digits, a date, and the longest reason.
private let roomForOwnFields = 384

// As arrays, which are appended at once; the bytes of a string would go one by one.
private let contentLength = Array("Content-Length: ".utf8)
private let transferEncodingChunked = Array("Transfer-Encoding: chunked\r\n".utf8)
private let lineEnd = Array("\r\n".utf8)
private let connectionClose = Array("Connection: close\r\n".utf8)
private let connectionKeepAlive = Array("Connection: keep-alive\r\n".utf8)
private let startOfRequestID = Array("X-Request-Id: ".utf8)
private let endOfHead = Array("\r\n\r\n".utf8)

/// The status lines for the codes from 100 on.
private let statusLines = (100...599).map { Array("HTTP/1.1 \(Status(code: $0))\r\n".utf8) }

extension [UInt8] {
    /// Makes room, and more of it than asked: exact room for each of many responses would copy all
    /// earlier ones each time.
    fileprivate mutating func reserveCapacity(atLeast minimum: Int) {
        guard minimum > capacity else { return }
        reserveCapacity(Swift.max(minimum, capacity * 2))
    }

    /// Appends the status line and the response's own fields.
    fileprivate mutating func append(startOf response: Response) {
        append(contentsOf: statusLines[response.status.code - 100])
        if let lines = response.headers.lines {
            append(contentsOf: lines)
        } else {
            append(linesOf: response.headers)
        }
    }

    /// Appends the fields that every response gets from the writer, and the end of the head.
    fileprivate mutating func append(
        ownFieldsFor context: ResponseWriter.Context,
        date: HTTPDate
    ) {
        switch (context.version, context.keepsAlive) {
        case (.http11, false): append(contentsOf: connectionClose)
        case (.http10, true): append(contentsOf: connectionKeepAlive)
        case (.http11, true), (.http10, false): break
        }
        append(contentsOf: date.line)
        append(contentsOf: startOfRequestID)
        context.requestID.write(to: &self)
        append(contentsOf: endOfHead)
    }

    /// Appends the lines of header fields one by one, but for the writer's own.
    fileprivate mutating func append(linesOf headers: HeaderFields) {
        for field in headers.fields {
            guard let name = FieldName(bytes: headers.nameBytes(field)), !name.isWritersOwn
            else { continue }
            append(contentsOf: name.wire)
            append(contentsOf: ": ".utf8)
            append(contentsOf: headers.valueBytes(field))
            append(contentsOf: lineEnd)
        }
    }
}
