/// What becomes of requests.
public protocol Responder: Sendable {
    /// Answers a request, at once if it can.
    func respond(to request: Request) -> Answer

    /// Puts into words that a request was refused before there was a request to answer.
    func refuse(_ refusal: Refusal, id: RequestID) -> Response
}

/// Takes an answer to where it is waited for, from whatever thread.
public struct Delivery: Sendable {
    private let take: @Sendable (@escaping @Sendable () -> Answer) -> Void

    /// - Parameter take: Takes what makes the answer to the thread that it is to be made on.
    public init(_ take: @escaping @Sendable (@escaping @Sendable () -> Answer) -> Void) {
        self.take = take
    }

    /// Has the answer made where it is waited for, which leaves this thread to others.
    ///
    /// - Precondition: It is called once for each request.
    public func deliver(_ makeAnswer: @escaping @Sendable () -> Answer) {
        take(makeAnswer)
    }
}

/// The answer to a request.
public enum Answer: Sendable {
    /// It is here already.
    case ready(Response)

    /// It has still to be waited for, and may turn out to be any of these.
    case pending(@Sendable () async -> Answer)

    /// The same for what only has to be begun: whoever ends it delivers the answer.
    ///
    /// That spares a task, and many that end together wake their loop once: 5,000 instructions for each.
    case promised(@Sendable (Delivery) -> Void)

    /// Its body comes in pieces over time: the response's own body is the first of them.
    ///
    /// Boxed, so that the other answers are not the larger for it.
    indirect case streamed(Response, any ResponseStream)
}
