import Goals
import HTTP
import Store
import Synchronization

/// Who is let in, and as whom.
///
/// A request with a token that is known costs a comparison and no SQL. Whatever is changed about
/// accounts and tokens, by this process or another one, holds for the next request: all that is
/// remembered is of a version of the store, which is looked at each time.
final class Access: Sendable {
    private let store: GoalStore
    private let settings: AccessSettings
    private let now: @Sendable () -> Moment
    private let verified: VerifiedTokens
    private let failures = FailedLogins()
    private let openAccess = Mutex<(AccessVersion, OpenAccess)?>(nil)
    private let policy: RequestBudget.Policy?

    /// What those have left who come without a token of the file, all together.
    private let sharedBudgets = Mutex<[Caller.Key: RequestBudget]>([:])

    init(_ store: GoalStore, settings: AccessSettings, now: @escaping @Sendable () -> Moment) {
        self.store = store
        self.settings = settings
        self.now = now
        verified = VerifiedTokens(capacity: settings.rememberedTokens)
        policy = settings.requestsPerMinute.map { RequestBudget.Policy(requestsPerMinute: $0) }
    }

    /// Who makes a request, and what they have left.
    struct Admission: Sendable {
        let caller: Caller

        /// `nil` if any number of requests may be made.
        let allowance: RequestBudget.Allowance?
    }

    /// Lets a request in.
    ///
    /// - Throws: ``Problem`` if its sender may not do this, or not now; else what reading the store
    ///   throws.
    func admit(_ request: Request) throws -> Admission {
        // Before anything is read, so that it is of this version or a later one.
        let version = store.accessVersion
        switch try Credentials(of: request) {
        case .none:
            guard let open = try admitWithoutToken(request, in: version) else {
                throw Problem.unauthorized(.missing)
            }
            return open
        case .bearer(let text):
            if let fixed = settings.fixedToken, fixed.matches(text) {
                guard try !openAccess(in: version).isDefaultDisabled else {
                    throw Problem.unauthorized(.invalid)
                }
                return try admitSharing(Caller(account: .default, key: .fixedToken))
            }
            return try admit(AccessToken(text), of: request, in: version)
        }
    }

    /// Whether somebody who was let in would be still.
    ///
    /// For what takes long, such as a stream of events, which must end when a token does.
    func isGood(_ caller: Caller) throws -> Bool {
        let version = store.accessVersion
        switch caller.key {
        case .none, .fixedToken:
            let open = try openAccess(in: version)
            return !open.isDefaultDisabled
                && (caller.key == .fixedToken || !open.requiresTokens)
        case .token(let id):
            if let grant = verified.grant(of: id, in: version) { return grant.isGood(at: now()) }
            return try store.token(id)?.grant.isGood(at: now()) ?? false
        }
    }
}

// MARK: - Tokens

extension Access {
    private func admit(
        _ token: AccessToken?,
        of request: Request,
        in version: AccessVersion
    ) throws -> Admission {
        guard let token else { return try refuse(nil, request, in: version) }
        if let admission = try admitKnown(token, of: request, in: version) { return admission }
        guard let facts = try store.token(token.id) else {
            return try refuse(nil, request, in: version)
        }
        let moment = now()
        let network = request.peer?.network
        if let seconds = failures.secondsToWait(.token(token.id, from: network), at: moment) {
            throw Problem.tooManyFailedLogins(secondsToWait: seconds)
        }
        // Whoever reads the file learns no more than hashes, which lead nowhere.
        let hash = settings.hash(token.secretText, facts.secretHash)
        guard let hash, isSameSecret(hash.utf8, facts.secretHash.utf8) else {
            return try refuse(token.id, request, in: version)
        }
        verified.remember(
            VerifiedToken(secret: token.secret, grant: facts.grant, readIn: version),
            as: token.id
        )
        return try admit(token, by: facts.grant, request)
    }

    /// Lets a token in that was verified before.
    ///
    /// - Returns: `nil` if it was not.
    private func admitKnown(
        _ token: AccessToken,
        of request: Request,
        in version: AccessVersion
    ) throws -> Admission? {
        // The lock is not held while the store is read.
        guard let known = verified.withToken(token, { $0.grant(in: version) }) else { return nil }
        if let grant = known { return try admit(token, by: grant, request) }
        guard let facts = try store.token(token.id) else { throw Problem.unauthorized(.invalid) }
        verified.withToken(token) { $0.update(facts.grant, readIn: version) }
        return try admit(token, by: facts.grant, request)
    }

    private func admit(
        _ token: AccessToken,
        by grant: TokenGrant,
        _ request: Request
    ) throws(Problem) -> Admission {
        let moment = now()
        guard grant.isGood(at: moment) else { throw .unauthorized(.invalid) }
        let allowance = policy.flatMap { policy in
            verified.withToken(token) { $0.budget.take(policy, at: moment) }
        }
        if let allowance, !allowance.isGranted { throw .tooManyRequests(allowance) }
        guard !grant.isReadOnly || request.method.isSafe else { throw .readOnlyToken }
        return Admission(
            caller: Caller(account: grant.account, key: .token(token.id)),
            allowance: allowance
        )
    }

    /// Turns a token away that is none, or is not the one of its id.
    private func refuse(
        _ id: TokenID?,
        _ request: Request,
        in version: AccessVersion
    ) throws -> Admission {
        // A server that asks for no tokens minds none.
        if let open = try admitWithoutToken(request, in: version) { return open }
        let moment = now()
        let network = request.peer?.network
        if let id { failures.note(.token(id, from: network), at: moment) }
        if let seconds = failures.secondsToWait(.network(network), at: moment) {
            throw Problem.tooManyFailedLogins(secondsToWait: seconds)
        }
        failures.note(.network(network), at: moment)
        throw Problem.unauthorized(.invalid)
    }
}

// MARK: - Without a token of the file

extension Access {
    private func admitWithoutToken(
        _ request: Request,
        in version: AccessVersion
    ) throws -> Admission? {
        guard settings.fixedToken == nil else { return nil }
        let open = try openAccess(in: version)
        guard !open.requiresTokens, !open.isDefaultDisabled else { return nil }
        if !settings.opensToEveryHost, let host = request.headers.firstValue(of: .host) {
            guard LoopbackHost.isNamed(by: host.span) else { throw Problem.foreignHost }
        }
        return try admitSharing(Caller(account: .default, key: .none))
    }

    private func admitSharing(_ caller: Caller) throws(Problem) -> Admission {
        guard let policy else { return Admission(caller: caller, allowance: nil) }
        let moment = now()
        let allowance = sharedBudgets.withLock { budgets in
            budgets[caller.key, default: RequestBudget()].take(policy, at: moment)
        }
        guard allowance.isGranted else { throw .tooManyRequests(allowance) }
        return Admission(caller: caller, allowance: allowance)
    }

    private func openAccess(in version: AccessVersion) throws -> OpenAccess {
        if let (known, open) = openAccess.withLock({ $0 }), known == version, version.lasts {
            return open
        }
        let open = try store.openAccess()
        openAccess.withLock { $0 = (version, open) }
        return open
    }
}

extension HTTP.Method {
    /// Whether the method only looks (RFC 9110 §9.2.1).
    fileprivate var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        case .post, .put, .patch, .delete: false
        }
    }
}
