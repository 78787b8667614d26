/// What becomes of requests.
public protocol Responder: Sendable {
    /// Answers a request, at once if it can.
    func respond(to request: Request) -> Answer

    /// Puts into words that a request was refused before there was a request to answer.
    func refuse(_ refusal: Refusal, id: RequestID) -> Response
}

/// The answer to a request: here already, or still to be waited for.
public enum Answer: Sendable {
    case ready(Response)
    case pending(@Sendable () async -> Response)
}
