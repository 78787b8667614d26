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
            guard let key = try call.idempotencyKey else {
                return try endpoint.init(call, in: context).outcome(in: context)
            }
            return try context.answerOnce(call, key: key) { try endpoint.init(call, in: context) }
        }
        prepare = { call, context in
            PreparedCommand(try endpoint.init(call, in: context))
        }
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
