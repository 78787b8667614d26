import Goals
import HTTP
import Store

// What became of a request elsewhere, put into words for the client.

extension Problem {
    /// A request that was refused before it was whole.
    init(_ refusal: Refusal) {
        let code: Code =
            switch refusal {
            case .malformed: .malformedRequest
            case .headTooLarge: .headTooLarge
            case .targetTooLong: .targetTooLong
            case .contentTooLarge: .contentTooLarge
            case .expectationFailed: .expectationFailed
            case .methodNotImplemented, .transferCodingUnsupported: .notImplemented
            case .versionUnsupported: .versionNotSupported
            case .timedOut: .requestTimeout
            case .overloaded, .tooManyConnections: .overloaded
            }
        self.init(
            code,
            refusal.detail,
            headers: code == .overloaded ? [.retryAfter: "1"] : [:]
        )
    }

    /// A read or a command that the store did not carry out.
    init(_ error: StoreError) {
        switch error {
        case .goalAbsent: self = .noSuchGoal
        case .goalDeleted: self = .goalDeleted
        case .transactionAbsent: self = .noSuchTransaction
        case .transactionDeleted: self = .transactionDeleted
        case .preconditionFailed(let revision):
            self = .preconditionFailed(current: ETag(revision: revision))
        case .identifierTaken:
            self.init(
                .identifierTaken,
                "Something else was created with this id. The same content again would be answered "
                    + "with what is there."
            )
        case .rule(let violation): self.init(violation)
        case .tooManyGoals(let most):
            self.init(.goalLimitReached, "An account may have \(most) goals here.")
        case .tooManyTransactions(let most):
            self.init(.transactionLimitReached, "An account may have \(most) transactions here.")
        case .accountAbsent:
            self.init(.gone, "The account was deleted.")
        case .resyncRequired:
            self.init(
                .resyncRequired,
                "What has changed since then can no longer be told. Drop what you have, and read "
                    + "from the start: without \"since\"."
            )
        case .queueFull:
            self.init(
                .overloaded,
                "Too much is waiting for the storage. Try again in a moment.",
                headers: [.retryAfter: "1"]
            )
        case .storage(.diskFull):
            self.init(.storageFull, StorageFailure.diskFull.detail)
        case .storage(let failure):
            self = .storageUnavailable(failure)
        }
    }

    private init(_ violation: RuleViolation) {
        switch violation {
        case .statusMove(let from, let to):
            let allowed = from.allowedMoves.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            self.init(
                .statusMoveNotAllowed,
                #"A goal that is "\#(from.rawValue)" cannot become "\#(to.rawValue)". "#
                    + "From there it can become: \(allowed)."
            )
        case .goalIsArchived:
            self.init(
                .goalArchived,
                #"An archived goal takes no new transactions. Set its status to "active" first."#
            )
        case .savedAmountOutOfBounds(let currency):
            let (least, most) = (Money.savedAmounts.lowerBound, Money.savedAmounts.upperBound)
            self.init(
                .savedAmountOutOfBounds,
                "The goal's saved amount must stay from \(least.text(in: currency)) to "
                    + "\(most.text(in: currency)) \(currency.code)."
            )
        }
    }

    static func storageUnavailable(_ failure: StorageFailure) -> Problem {
        Problem(.storageUnavailable, failure.detail, headers: [.retryAfter: "5"])
    }
}

/// Carries out a command, and blames a member of its body if a saved amount would leave its bounds.
func blaming<Value>(
    _ pointer: String,
    _ command: () throws -> Value
) throws -> Value {
    do {
        return try command()
    } catch let error as StoreError {
        guard case .rule(.savedAmountOutOfBounds) = error else { throw error }
        let problem = Problem(error)
        let mistake = Mistake(pointer: pointer, detail: "takes the saved amount out of its bounds")
        throw Problem(problem.code, problem.detail, mistakes: [mistake])
    }
}

extension StorageFailure {
    /// What a client may know of it: nothing of files and statements.
    fileprivate var detail: String {
        switch self {
        case .diskFull: "Nothing can be written until there is room on the disk."
        case .damaged: "The storage is damaged. Its owner must restore it."
        case .fileGone: "The storage was taken away. Its owner must put it back."
        case .closed, .other: "The storage cannot be used at the moment."
        }
    }
}
