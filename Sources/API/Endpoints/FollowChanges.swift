import HTTP
import Store

/// `GET /events`: what changes in the account, as it happens.
struct FollowChanges: Endpoint {
    static let takesParameters = true

    private let call: Call
    private let position: ChangePosition?

    init(_ call: Call, in context: Context) throws {
        var fields = try call.query
        let since = fields.read(.optional("since", .text))
        try fields.end()

        self.call = call
        // A browser that connects again asks for the same target, and says by the field how far it
        // had come.
        let lastEvent = call.request.headers[.lastEventID].flatMap { $0.isEmpty ? nil : $0 }
        position =
            try call.changePosition(of: lastEvent, in: "Last-Event-ID")
            ?? call.changePosition(of: since.value, in: "since")
    }

    func outcome(in context: Context) -> Outcome {
        let head = Response(
            .ok,
            headers: [
                .contentType: "text/event-stream",
                .cacheControl: "no-store",
                // nginx would else collect events until it has a bufferful of them.
                "X-Accel-Buffering": "no",
            ],
            body: Array(EventStream.greeting)
        )
        return .streamed(head, EventStream(for: call, after: position, in: context))
    }
}
