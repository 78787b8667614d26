import Goals
import HTTP
import Store

/// A request, who makes it, and what its path has in place of the names in the pattern.
struct Call: Sendable {
    let request: Request
    let parameters: PathParameters
    let caller: Caller

    /// Where the body is within that of a batch; `nil` for a call of its own.
    var part: BatchPart?

    /// The account that it is about.
    var account: AccountID { caller.account }

    /// The goal that the path names.
    ///
    /// - Throws: ``Problem`` if the path has no id there, which then is the id of nothing.
    var goalID: Goal.ID {
        get throws(Problem) {
            guard let text = parameters.bytes(of: "goal"), let id = Goal.ID(ascii: text.span)
            else { throw .noSuchGoal }
            return id
        }
    }

    /// The same goal among those of all accounts.
    var goalKey: GoalKey {
        get throws(Problem) { GoalKey(account: account, goal: try goalID) }
    }

    /// The transaction that the path names.
    var transactionID: Transaction.ID {
        get throws(Problem) {
            guard
                let text = parameters.bytes(of: "transaction"),
                let id = Transaction.ID(ascii: text.span)
            else { throw .noSuchTransaction }
            return id
        }
    }

    /// Takes parameters for mistakes, for what knows none.
    func refuseParameters() throws(Problem) {
        guard request.query != nil else { return }
        try query.end()
    }

    /// The parameters of the query.
    var query: Fields {
        get throws(Problem) { try Fields(query: request.query) }
    }

    /// The members of the body, which is a JSON object.
    ///
    /// - Throws: ``Problem`` if the body is missing, of another type, or cannot be read.
    func body(as types: [MediaType] = [.json]) throws(Problem) -> Fields {
        if let part { return try part.fields }
        guard !request.body.isEmpty else {
            throw Problem(.malformedJSON, "The request needs a body, which is a JSON object.")
        }
        try request.headers.checkContent(isOneOf: types)
        return try Fields(body: request.body)
    }

    /// The JSON Pointer to a member of the body.
    func pointer(to member: String) -> String {
        "\(part?.bodyPointer ?? "")/\(member)"
    }
}
