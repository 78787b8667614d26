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
        case .queueFull:
            self.init(
                .overloaded,
                "Too much is waiting for the storage. Try again in a moment.",
                headers: [.retryAfter: "1"]
            )
        case .diskFull:
            self.init(.storageFull, "Nothing can be written until there is room on the disk.")
        case .unavailable:
            self = .storageUnavailable("The storage cannot be used at the moment.")
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
        case .savedAmountOutOfBounds:
            self.init(
                .savedAmountOutOfBounds,
                "The goal's saved amount must stay within "
                    + "\(Money.savedAmounts.upperBound.minorUnits) minor units of its currency, "
                    + "above and below zero."
            )
        }
    }

    static func storageUnavailable(_ detail: String) -> Problem {
        Problem(.storageUnavailable, detail, headers: [.retryAfter: "5"])
    }
}

extension Problem.Code {
    /// Whether the owner of the server must learn of the problem, for no client can mend it.
    var isTheServersOwn: Bool {
        switch self {
        case .internalError, .storageUnavailable, .storageFull: true
        default: false
        }
    }
}
