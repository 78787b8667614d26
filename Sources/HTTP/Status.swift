/// A response status: its code, and the phrase that goes with it.
public struct Status: Hashable, Sendable {
    public let code: Int

    /// Creates a status.
    ///
    /// - Precondition: The code has three digits, the first of them 1 to 5.
    public init(code: Int) {
        precondition((100...599).contains(code), "No status has the code \(code)")
        self.code = code
    }
}

extension Status: CustomStringConvertible {
    public var description: String { "\(code) \(reason)" }
}

extension Status {
    public static let ok = Status(code: 200)
    public static let created = Status(code: 201)
    public static let noContent = Status(code: 204)
    public static let notModified = Status(code: 304)
    public static let badRequest = Status(code: 400)
    public static let unauthorized = Status(code: 401)
    public static let forbidden = Status(code: 403)
    public static let notFound = Status(code: 404)
    public static let methodNotAllowed = Status(code: 405)
    public static let notAcceptable = Status(code: 406)
    public static let requestTimeout = Status(code: 408)
    public static let conflict = Status(code: 409)
    public static let gone = Status(code: 410)
    public static let preconditionFailed = Status(code: 412)
    public static let contentTooLarge = Status(code: 413)
    public static let uriTooLong = Status(code: 414)
    public static let unsupportedMediaType = Status(code: 415)
    public static let expectationFailed = Status(code: 417)
    public static let unprocessableContent = Status(code: 422)
    public static let preconditionRequired = Status(code: 428)
    public static let tooManyRequests = Status(code: 429)
    public static let requestHeaderFieldsTooLarge = Status(code: 431)
    public static let internalServerError = Status(code: 500)
    public static let notImplemented = Status(code: 501)
    public static let serviceUnavailable = Status(code: 503)
    public static let httpVersionNotSupported = Status(code: 505)
    public static let insufficientStorage = Status(code: 507)
}

extension Status {
    /// The phrase that RFC 9110 §15 and its companions have for the code; empty for other codes.
    public var reason: String {
        switch code {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: ""
        }
    }

    /// Whether a response with this status may have a body (RFC 9112 §6.3).
    public var allowsBody: Bool {
        code >= 200 && code != 204 && code != 304
    }
}
