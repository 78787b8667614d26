import Goals
import HTTP
import Store

/// Something a client can ask for.
///
/// An endpoint comes in two steps. Its initializer reads and checks the call, so that an instance
/// that exists is sound; answering need not look twice.
protocol Endpoint: SendableMetatype {
    /// Whether the endpoint reads the query, or does not mind it.
    ///
    /// Where it does not, parameters are mistakes.
    static var takesParameters: Bool { get }

    /// Reads what is asked for from a call.
    ///
    /// - Throws: ``Problem`` if the call does not make sense.
    init(_ call: Call, in context: Context) throws

    /// Answers at once, or says what is still to be waited for.
    func outcome(in context: Context) throws -> Outcome
}

extension Endpoint {
    static var takesParameters: Bool { false }
}

/// Takes what makes the response, or throws why there is none, to where the request came in.
typealias Reply = @Sendable (@escaping @Sendable () throws -> Response) -> Void

/// The answer of an endpoint, which may yet fail.
enum Outcome: Sendable {
    case ready(Response)
    case pending(@Sendable () async throws -> Response)

    /// Begins a command, and replies when it is kept.
    case promised(@Sendable (@escaping Reply) -> Void)
    indirect case streamed(Response, any ResponseStream)
}

/// An endpoint that only looks.
protocol Query: Endpoint, Sendable {
    /// Whether the answer is bounded work, which may be done right where the request came in.
    ///
    /// What is not, is done in the background.
    func isBounded(in context: Context) throws -> Bool

    func run(in context: Context) throws -> Response
}

extension Query {
    func isBounded(in context: Context) throws -> Bool { true }

    func outcome(in context: Context) throws -> Outcome {
        guard try isBounded(in: context) else {
            return .pending { try await context.store.inBackground { _ in try run(in: context) } }
        }
        return .ready(try run(in: context))
    }
}

/// An endpoint that changes something, and answers when the change is kept.
protocol Command: Endpoint, Sendable {
    associatedtype Effect: Sendable

    /// The goal that the command opens, if it does.
    ///
    /// What is said of the goal in the same batch depends on its currency.
    var openedGoal: NewGoal? { get }

    /// Whether a call may take long to read, and so is read in the background whatever its size.
    static var takesLongToRead: Bool { get }

    /// About how many single commands it is as much work as.
    var weight: Int { get }

    /// Carries the command out, as a part of one transaction of the store.
    ///
    /// - Throws: ``Problem`` or `StoreError` if the state of the store forbids it; what was done
    ///   until then is undone.
    func change(in transaction: WriteTransaction) throws -> Effect

    /// Tells the client what the change came to.
    func response(to effect: Effect) -> Response
}

extension Command {
    var openedGoal: NewGoal? { nil }

    static var takesLongToRead: Bool { false }

    var weight: Int { 1 }

    func outcome(in context: Context) -> Outcome {
        .promised { reply in
            context.store.write(weight: weight) {
                try change(in: $0)
            } answer: { effect in
                // Not in the transaction, where other commands would wait for it.
                reply { response(to: try effect.get()) }
            }
        }
    }
}
