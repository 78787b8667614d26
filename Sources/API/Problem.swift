import HTTP

/// Why a request was not carried out, in the form of RFC 9457.
struct Problem: Error {
    let code: Code

    /// What went wrong this time: sentences for the person who reads them.
    let detail: String

    /// All that is wrong with the input, if that is the problem.
    let mistakes: [Mistake]

    /// What the answer says in its header besides.
    let headers: HeaderFields

    init(
        _ code: Code,
        _ detail: String,
        mistakes: [Mistake] = [],
        headers: HeaderFields = [:]
    ) {
        self.code = code
        self.detail = detail
        self.mistakes = mistakes
        self.headers = headers
    }
}

/// One thing wrong with the input.
struct Mistake: Error, Hashable {
    /// A JSON Pointer (RFC 6901) into the body, or the name of a query parameter.
    let pointer: String

    /// What is right, so that it can be said after the name: “must be …”.
    let detail: String
}

extension Problem {
    /// Every kind of problem there is.
    ///
    /// Programs decide by these words, so a word never changes and never means something else.
    enum Code: String, CaseIterable {
        case malformedRequest = "malformed-request"
        case malformedJSON = "malformed-json"
        case malformedQuery = "malformed-query"
        case malformedCursor = "malformed-cursor"
        case malformedHeader = "malformed-header"
        case unauthorized
        case insufficientScope = "insufficient-scope"
        case foreignHost = "foreign-host"
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case requestTimeout = "request-timeout"
        case statusMoveNotAllowed = "status-move-not-allowed"
        case goalArchived = "goal-archived"
        case identifierTaken = "identifier-taken"
        case goalLimitReached = "goal-limit-reached"
        case transactionLimitReached = "transaction-limit-reached"
        case gone
        case resyncRequired = "resync-required"
        case preconditionFailed = "precondition-failed"
        case contentTooLarge = "content-too-large"
        case targetTooLong = "target-too-long"
        case unsupportedMediaType = "unsupported-media-type"
        case expectationFailed = "expectation-failed"
        case validationFailed = "validation-failed"
        case savedAmountOutOfBounds = "saved-amount-out-of-bounds"
        case batchTooLarge = "batch-too-large"
        case idempotencyKeyReused = "idempotency-key-reused"
        case rateLimited = "rate-limited"
        case headTooLarge = "head-too-large"
        case internalError = "internal-error"
        case notImplemented = "not-implemented"
        case overloaded
        case storageUnavailable = "storage-unavailable"
        case versionNotSupported = "version-not-supported"
        case storageFull = "storage-full"

        var status: Status {
            switch self {
            case .malformedRequest, .malformedJSON, .malformedQuery, .malformedCursor,
                .malformedHeader:
                .badRequest
            case .unauthorized: .unauthorized
            case .insufficientScope, .foreignHost: .forbidden
            case .notFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .requestTimeout: .requestTimeout
            case .statusMoveNotAllowed, .goalArchived, .identifierTaken, .goalLimitReached,
                .transactionLimitReached:
                .conflict
            case .gone, .resyncRequired: .gone
            case .preconditionFailed: .preconditionFailed
            case .contentTooLarge: .contentTooLarge
            case .targetTooLong: .uriTooLong
            case .unsupportedMediaType: .unsupportedMediaType
            case .expectationFailed: .expectationFailed
            case .validationFailed, .savedAmountOutOfBounds, .idempotencyKeyReused, .batchTooLarge:
                .unprocessableContent
            case .rateLimited: .tooManyRequests
            case .headTooLarge: .requestHeaderFieldsTooLarge
            case .internalError: .internalServerError
            case .notImplemented: .notImplemented
            case .overloaded, .storageUnavailable: .serviceUnavailable
            case .versionNotSupported: .httpVersionNotSupported
            case .storageFull: .insufficientStorage
            }
        }

        /// The kind of problem in a few words, the same every time.
        var title: String {
            switch self {
            case .malformedRequest: "The request is not HTTP as this server reads it"
            case .malformedJSON: "The body is not JSON"
            case .malformedQuery: "The query is not right"
            case .malformedCursor: "The cursor is not right"
            case .malformedHeader: "A header field is not right"
            case .unauthorized: "An access token is needed"
            case .insufficientScope: "The access token is not for this"
            case .foreignHost: "The server does not answer to this name"
            case .notFound: "There is no such thing"
            case .methodNotAllowed: "The resource does not take this method"
            case .requestTimeout: "The request took too long to arrive"
            case .statusMoveNotAllowed: "The goal's status does not allow this move"
            case .goalArchived: "The goal is archived"
            case .identifierTaken: "The id is taken"
            case .goalLimitReached: "The account has as many goals as it may have"
            case .transactionLimitReached:
                "The account has as many transactions as it may have"
            case .gone: "This was deleted"
            case .resyncRequired: "The changes since then are no longer known"
            case .preconditionFailed: "The resource has changed since"
            case .contentTooLarge: "The body is too large"
            case .targetTooLong: "The path and query are too long"
            case .unsupportedMediaType: "The body is of another type than this resource takes"
            case .expectationFailed: "The expectation cannot be met"
            case .validationFailed: "The input is not valid"
            case .savedAmountOutOfBounds: "The saved amount would be out of bounds"
            case .batchTooLarge: "The batch is too much at once"
            case .idempotencyKeyReused: "The key was used for another request"
            case .rateLimited: "There were too many requests"
            case .headTooLarge: "The header is too large"
            case .internalError: "Something went wrong in the server"
            case .notImplemented: "The server cannot do this"
            case .overloaded: "The server has too much to do"
            case .storageUnavailable: "The storage cannot be used"
            case .versionNotSupported: "The server speaks HTTP/1.1 and HTTP/1.0"
            case .storageFull: "The disk is full"
            }
        }
    }
}

// MARK: - Problems that several places raise

extension Problem {
    static let noSuchGoal = Problem(.notFound, "There is no goal with this id.")

    static let goalDeleted = Problem(.gone, "The goal with this id was deleted.")

    static let noSuchTransaction = Problem(
        .notFound,
        "There is no transaction with this id in this goal."
    )

    static let transactionDeleted = Problem(.gone, "The transaction with this id was deleted.")

    /// What clients learn of errors that are the server's own: nothing but that.
    static let internalError = Problem(
        .internalError,
        "The request was not carried out. The server's log says why, under this request id."
    )
}

// MARK: - The response

extension Problem {
    /// The problem as a response to the request of an id.
    func response(to request: RequestID) -> Response {
        var headers = headers
        headers.append("application/problem+json", for: .contentType)
        headers.append("no-store", for: .cacheControl)
        return Response(
            code.status,
            headers: headers,
            body: ProblemResource(problem: self, requestID: request).jsonBytes
        )
    }
}

private struct ProblemResource: JSONWritable {
    let problem: Problem
    let requestID: RequestID

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("type", "/problems/\(problem.code.rawValue)")
            json.member("title", problem.code.title)
            json.member("status", problem.code.status.code)
            json.member("detail", problem.detail)
            json.member("code", problem.code.rawValue)
            json.member("requestId", requestID.description)
            if !problem.mistakes.isEmpty {
                json.member("errors", array: problem.mistakes)
            }
        }
    }
}

extension Mistake: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("pointer", pointer)
            json.member("detail", detail)
        }
    }
}
