import Goals
import HTTP
import Store

/// What the table of routes has for a method and a path.
struct Action: Sendable {
    /// Whether anybody may ask, without a token.
    let isOpen: Bool

    /// Answers a call.
    let answer: @Sendable (Call, Context) throws -> Outcome

    /// Reads a call that is part of a batch; `nil` for what changes nothing, and so is part of none.
    let prepare: (@Sendable (Call, Context) throws -> PreparedCommand)?

    init(_ endpoint: (some Endpoint).Type, isOpen: Bool = false) {
        self.isOpen = isOpen
        answer = { call, context in
            if !endpoint.takesParameters { try call.refuseParameters() }
            return try endpoint.init(call, in: context).outcome(in: context)
        }
        prepare = nil
    }

    init<Endpoint: Command>(command endpoint: Endpoint.Type) {
        isOpen = false
        answer = { call, context in
            try call.refuseParameters()
            let isLong = endpoint.takesLongToRead || call.request.body.count > longBodyBytes
            guard isLong else { return try context.begin(endpoint, call) }
            return .pending {
                switch try await context.store.inBackground({ _ in
                    try context.begin(endpoint, call)
                }) {
                case .ready(let response): response
                case .streamed: preconditionFailure("A command has one answer, which is whole")
                case .pending(let operation): try await operation()
                case .promised(let begin):
                    try await response(of: begin)
                }
            }
        }
        prepare = { call, context in
            PreparedCommand(try endpoint.init(call, in: context))
        }
    }
}

/// Waits for the response of what is begun.
private func response(of begin: (@escaping Reply) -> Void) async throws -> Response {
    let makeResponse = await withCheckedContinuation { continuation in
        begin { makeResponse in continuation.resume(returning: makeResponse) }
    }
    // Made here: the writer, which replies, has more to do.
    return try makeResponse()
}

/// From how many bytes on a body is read in the background: some rare letters take 35 µs each to normalize,
/// a hundred times as long as others, and other requests must not wait for many of those.
private let longBodyBytes = 2 * 1_024

extension Context {
    /// Reads a command, and says what is still to be waited for.
    fileprivate func begin(_ command: (some Command).Type, _ call: Call) throws -> Outcome {
        guard let key = try call.idempotencyKey else {
            return try command.init(call, in: self).outcome(in: self)
        }
        return try answerOnce(call, key: key) { try command.init(call, in: self) }
    }
}

/// A command that was read and is sound, whatever its kind.
struct PreparedCommand: Sendable {
    /// The goal that it opens, if it does.
    let openedGoal: NewGoal?

    /// Carries it out, and says what came of it.
    let run: @Sendable (WriteTransaction) throws -> Response

    init(_ command: some Command) {
        openedGoal = command.openedGoal
        run = { transaction in command.response(to: try command.change(in: transaction)) }
    }
}
