/// What the header fields say about the message itself: where it ends, and what comes after.
///
/// The fields are noted as the parser comes by them. Whatever two readers could understand in two
/// ways is refused, even where RFC 9112 would let it pass: equal lengths given twice, a coding
/// beside a length.
struct FramingFields: Sendable {
    private var hasHost = false
    private var contentLength: Int?
    private var transferCoding: TransferCoding?
    private var hasUnknownExpectation = false
    private(set) var expectsContinue = false
    private var asksToClose = false
    private var asksToKeep = false
    private(set) var requestID: RequestID?

    private(set) var rareFields: RareFields = []

    private enum TransferCoding {
        case chunked, unsupported
    }

    /// How the end of a body is found (RFC 9112 §6.3).
    enum Body: Hashable, Sendable {
        case length(Int)
        case chunked
    }
}

extension FramingFields {
    /// Takes note of a field, if it is one that matters here.
    mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Refusal) {
        // The length alone rules nearly every other field out.
        switch name.count {
        case 4 where name.equalsIgnoringCase(FieldName.host.lowercase):
            try noteHost(value)
        case 6 where name.equalsIgnoringCase(FieldName.expect.lowercase):
            noteExpectation(value)
        case 8 where name.equalsIgnoringCase(FieldName.ifMatch.lowercase):
            rareFields.insert(.ifMatch)
        case 13 where name.equalsIgnoringCase(FieldName.ifNoneMatch.lowercase):
            rareFields.insert(.ifNoneMatch)
        case 13 where name.equalsIgnoringCase(FieldName.authorization.lowercase):
            rareFields.insert(.authorization)
        case 10 where name.equalsIgnoringCase(FieldName.connection.lowercase):
            noteConnection(value)
        case 12 where name.equalsIgnoringCase(FieldName.xRequestID.lowercase):
            requestID = requestID ?? RequestID(given: value)
        case 14 where name.equalsIgnoringCase(FieldName.contentLength.lowercase):
            try noteContentLength(value)
        case 17 where name.equalsIgnoringCase(FieldName.transferEncoding.lowercase):
            try noteTransferEncoding(value)
        default:
            break
        }
    }

    private mutating func noteHost(_ value: Span<UInt8>) throws(Refusal) {
        guard !hasHost else { throw .malformed("There is more than one Host field.") }
        guard Authority.isValid(value) else {
            throw .malformed("The Host field is not a host with an optional port.")
        }
        hasHost = true
    }

    private mutating func noteContentLength(_ value: Span<UInt8>) throws(Refusal) {
        guard contentLength == nil else {
            throw .malformed("There is more than one Content-Length field.")
        }
        guard value.count > 0 else { throw .malformed("The Content-Length field is empty.") }
        var length = 0
        for index in value.indices {
            let byte = value[index]
            guard byte.isDigit else {
                throw .malformed("The Content-Length field is not a decimal number.")
            }
            // No body is so large: where the digits go on, the number stays beyond every limit.
            if length < Int.max / 16 {
                length = length * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        contentLength = length
    }

    private mutating func noteTransferEncoding(_ value: Span<UInt8>) throws(Refusal) {
        guard transferCoding == nil else {
            throw .malformed("There is more than one Transfer-Encoding field.")
        }
        guard !value.equalsIgnoringCase(chunked) else {
            transferCoding = .chunked
            return
        }
        // RFC 9112 §6.1 and §6.3: without `chunked` at the end there is no telling where the body
        // ends, and twice it must not be; other codings before it are merely not known here.
        var codings = 0
        var timesChunked = 0
        var endsChunked = false
        forEachElement(of: value) { element in
            codings += 1
            endsChunked = element.equalsIgnoringCase(chunked)
            timesChunked += endsChunked ? 1 : 0
        }
        guard endsChunked, timesChunked == 1, codings > 1 else {
            throw .malformed("The Transfer-Encoding field does not end in chunked, once.")
        }
        transferCoding = .unsupported
    }

    private mutating func noteExpectation(_ value: Span<UInt8>) {
        // A comma within quotes cuts a value in two; no expectation that is known has a value.
        forEachElement(of: value) { expectation in
            if expectation.equalsIgnoringCase(hundredContinue) {
                expectsContinue = true
            } else if expectation.count > 0 {
                // An empty element is none (RFC 9110 §5.6.1).
                hasUnknownExpectation = true
            }
        }
    }

    private mutating func noteConnection(_ value: Span<UInt8>) {
        forEachElement(of: value) { option in
            if option.equalsIgnoringCase(close) {
                asksToClose = true
            } else if option.equalsIgnoringCase(keepAlive) {
                asksToKeep = true
            }
        }
    }
}

extension FramingFields {
    /// Decides how the body is read, once all fields are noted.
    func body(of version: HTTPVersion, upTo limit: Int) throws(Refusal) -> Body {
        guard version == .http10 || hasHost else {
            throw .malformed("There is no Host field.")
        }
        if let transferCoding {
            guard version == .http11 else {
                throw .malformed("HTTP/1.0 has no Transfer-Encoding.")
            }
            guard contentLength == nil else {
                throw .malformed("There are both Transfer-Encoding and Content-Length.")
            }
            guard transferCoding == .chunked else { throw .transferCodingUnsupported }
        }
        let length = contentLength ?? 0
        guard length <= limit else { throw .contentTooLarge }
        // Expectations came with HTTP/1.1; in HTTP/1.0 they mean nothing (RFC 9110 §10.1.1).
        guard version == .http10 || !hasUnknownExpectation else { throw .expectationFailed }
        return transferCoding == nil ? .length(length) : .chunked
    }

    /// Whether the client lets the connection stay open (RFC 9112 §9.3).
    func keepsAlive(in version: HTTPVersion) -> Bool {
        switch version {
        case .http11: !asksToClose
        case .http10: asksToKeep && !asksToClose
        }
    }
}

/// Calls a function with each element of a list, without the blanks around it; some may be empty.
private func forEachElement(of list: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var start = 0
    for index in 0...list.count where index == list.count || list[index] == UInt8(ascii: ",") {
        body(list.extracting(trimmingBlanks(start..<index, in: list)))
        start = index + 1
    }
}

private let chunked = Array("chunked".utf8)
private let close = Array("close".utf8)
private let keepAlive = Array("keep-alive".utf8)
private let hundredContinue = Array("100-continue".utf8)
