/// Why a message is not read as a request.
///
/// The connection is out of step after any of these, and ends after the answer.
public enum Refusal: Error, Hashable, Sendable {
    /// The message breaks the grammar, or could be read in two ways; a sentence says where.
    case malformed(String)
    case headTooLarge
    case targetTooLong
    case contentTooLarge
    case expectationFailed
    case methodNotImplemented
    case transferCodingUnsupported
    case versionUnsupported

    /// The request did not come in time.
    case timedOut

    /// More requests wait for their answers than the server lets wait.
    case overloaded

    /// More connections are open than the server serves.
    case tooManyConnections
}

extension Refusal {
    public var status: Status {
        switch self {
        case .malformed: .badRequest
        case .headTooLarge: .requestHeaderFieldsTooLarge
        case .targetTooLong: .uriTooLong
        case .contentTooLarge: .contentTooLarge
        case .expectationFailed: .expectationFailed
        case .methodNotImplemented, .transferCodingUnsupported: .notImplemented
        case .versionUnsupported: .httpVersionNotSupported
        case .timedOut: .requestTimeout
        case .overloaded, .tooManyConnections: .serviceUnavailable
        }
    }

    /// A sentence for the client.
    public var detail: String {
        switch self {
        case .malformed(let detail): detail
        case .headTooLarge: "The header fields of the request are too large."
        case .targetTooLong: "The target of the request is too long."
        case .contentTooLarge: "The body of the request is too large."
        case .expectationFailed: "The only expectation that can be met is 100-continue."
        case .methodNotImplemented: "The method of the request is not known here."
        case .transferCodingUnsupported: "The only transfer coding that is read is chunked."
        case .versionUnsupported: "The only versions spoken here are HTTP/1.1 and HTTP/1.0."
        case .timedOut: "The request did not arrive in time."
        case .overloaded: "Too many requests are being answered; try again in a moment."
        case .tooManyConnections: "Too many connections are open; try again in a moment."
        }
    }
}
