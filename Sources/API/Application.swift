public import Goals
public import HTTP
public import Store

/// The API as one function: a request goes in, an answer comes out, nothing is thrown.
///
/// This is the one place where errors become responses.
public struct Application: Responder {
    let context: Context

    /// - Parameters:
    ///   - store: Where the goals are kept.
    ///   - settings: What the owner of the server has decided.
    ///   - now: The clock.
    ///   - report: Told of errors that are the server's own, never of a client's.
    ///   - figures: What the server has counted, for its owner.
    ///   - random: 64 bits that nobody can guess, for new ids.
    public init(
        store: GoalStore,
        settings: APISettings,
        now: @escaping @Sendable () -> Moment,
        report: @escaping @Sendable (any Error, RequestID) -> Void,
        figures: @escaping @Sendable () -> [Figure] = { [] },
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) {
        let listBytes = settings.cacheBytes / 4
        let cache = SnapshotCache(bytes: settings.cacheBytes - listBytes)
        let hub = ChangeHub()
        store.observeCommits(before: { cache.willChange($0) }) { changes in
            cache.haveChanged(changes)
            hub.tell(changes)
        }
        context = Context(
            store: store,
            access: Access(store, settings: settings.access, now: now),
            cache: cache,
            goalTexts: GoalTexts(bytes: listBytes),
            hub: hub,
            settings: settings,
            now: now,
            random: random,
            report: report,
            figures: figures
        )
    }

    public func respond(to request: Request) -> Answer {
        var allowance: RequestBudget.Allowance?
        do {
            switch try outcome(of: request, &allowance) {
            case .ready(var response):
                complete(&response, to: request, allowance)
                return .ready(response)
            case .streamed(var head, let stream):
                complete(&head, to: request, allowance)
                return .streamed(head, stream)
            case .pending(let operation):
                return .pending { [self, allowance] in
                    do {
                        var response = try await operation()
                        complete(&response, to: request, allowance)
                        return .ready(response)
                    } catch {
                        return answer(to: request, failing: error, allowance)
                    }
                }
            case .promised(let begin):
                return .promised { [self, allowance] delivery in
                    begin { makeResponse in
                        delivery.deliver {
                            do {
                                var response = try makeResponse()
                                complete(&response, to: request, allowance)
                                return .ready(response)
                            } catch {
                                return answer(to: request, failing: error, allowance)
                            }
                        }
                    }
                }
            }
        } catch {
            return answer(to: request, failing: error, allowance)
        }
    }

    public func refuse(_ refusal: Refusal, id: RequestID) -> Response {
        Problem(refusal).response(to: id)
    }
}

extension Application {
    /// Lets the caller in, and finds out what they have left.
    private func outcome(
        of request: Request,
        _ allowance: inout RequestBudget.Allowance?
    ) throws -> Outcome {
        if request.method == .options { return .ready(try options(of: request)) }
        switch Router.api.match(request) {
        case .found(let action, let parameters):
            var caller = Caller.anybody
            if !action.isOpen {
                let admission = try context.access.admit(request)
                (caller, allowance) = (admission.caller, admission.allowance)
            }
            let call = Call(request: request, parameters: parameters, caller: caller)
            return try action.answer(call, context)
        case .methodNotAllowed(let allowed):
            throw Problem.methodNotAllowed(request.method, allowed: allowed)
        case .notFound:
            throw Problem(.notFound, "There is nothing at this path.")
        }
    }

    /// Adds what does not depend on what was asked for.
    private func complete(
        _ response: inout Response,
        to request: Request,
        _ allowance: RequestBudget.Allowance?
    ) {
        if let allowance { response.headers.append(allowance) }
        context.settings.crossOrigins?.open(&response, to: request)
    }

    /// Says what a path can be asked, or, for `*`, what the server can be asked at all.
    private func options(of request: Request) throws(Problem) -> Response {
        let methods: [Method] =
            switch request.target.form {
            case .asterisk: [.get, .head, .post, .patch, .delete, .options]
            case .origin: Router.api.methods(at: request.path)
            }
        let response = methods.isEmpty ? nil : Response(.noContent, headers: [.allow: methods.list])
        if let preflight = context.settings.crossOrigins?.preflight(request, response) {
            return preflight
        }
        guard let response else {
            throw Problem(.notFound, "There is nothing at this path.")
        }
        return response
    }

    private func answer(
        to request: Request,
        failing error: any Error,
        _ allowance: RequestBudget.Allowance?
    ) -> Answer {
        var response = response(to: request, failing: error)
        complete(&response, to: request, allowance)
        return .ready(response)
    }

    private func response(to request: Request, failing error: any Error) -> Response {
        let problem: Problem
        switch error {
        case let error as Problem:
            problem = error
        case let error as StoreError:
            problem = Problem(error)
            if case .storage(let failure) = error { context.report(failure, request.id) }
        default:
            problem = .internalError
            context.report(error, request.id)
        }
        return problem.response(to: request.id)
    }
}

extension [Method] {
    /// The methods as `Allow` has them.
    var list: String {
        map(\.rawValue).joined(separator: ", ")
    }
}

extension Problem {
    fileprivate static func methodNotAllowed(_ method: Method, allowed: [Method]) -> Problem {
        Problem(
            .methodNotAllowed,
            "This path does not take \(method.rawValue), but \(allowed.list).",
            headers: [.allow: allowed.list]
        )
    }
}
