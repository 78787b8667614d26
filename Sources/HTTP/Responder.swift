/// What becomes of requests.
public protocol Responder: Sendable {
    /// Answers a request, at once if it can.
    func respond(to request: Request) -> Answer

    /// Puts into words that a request was refused before there was a request to answer.
    func refuse(_ refusal: Refusal, id: RequestID) -> Response
}

/// The answer to a request.
public enum Answer: Sendable {
    /// It is here already.
    case ready(Response)

    /// It has still to be waited for, and may turn out to be any of these.
    case pending(@Sendable () async -> Answer)

    /// Its body comes in pieces over time: the response's own body is the first of them.
    ///
    /// Boxed, so that the other answers are not the larger for it.
    indirect case streamed(Response, any ResponseStream)
}
