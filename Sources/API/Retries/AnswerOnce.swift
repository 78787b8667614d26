import Goals
import HTTP
import Store

extension Context {
    /// How long the answer to a command with a key is kept, in milliseconds: a day.
    private static let retention: Int64 = 24 * 60 * 60 * 1_000

    /// Carries out a command unless the same was carried out under its key before, and then gives the
    /// answer that was given then.
    ///
    /// The answer is kept in the transaction of what it tells of: there is never one without the
    /// other, whatever is cut off when. Commands run one after the other, so that of many with one key
    /// that come at once, the first is carried out, and all get its answer. What was refused has
    /// changed nothing, and is not kept.
    ///
    /// - Throws: ``Problem`` if the key came with another command before.
    func answerOnce(
        _ call: Call,
        key: IdempotencyKey,
        _ makeCommand: () throws -> some Command
    ) throws -> Outcome {
        try call.refuseConditions()
        let (account, fingerprint) = (call.account, call.fingerprint)
        // Before the command is read: what it is about may be gone by now.
        if let kept = try store.keptAnswer(for: key.text, of: account, at: now()) {
            return .ready(try kept.replayed(for: fingerprint))
        }
        let command = try makeCommand()
        return .promised { [store] reply in
            store.write(weight: command.weight) { transaction in
                if let kept = try transaction.keptAnswer(for: key.text, of: account) {
                    return try kept.replayed(for: fingerprint)
                }
                let response = command.response(to: try command.change(in: transaction))
                try transaction.keep(
                    KeptAnswer(response, to: fingerprint),
                    for: key.text,
                    until: transaction.moment.adding(milliseconds: Context.retention),
                    of: account
                )
                return response
            } answer: { response in
                reply { try response.get() }
            }
        }
    }
}

extension KeptAnswer {
    init(_ response: Response, to request: Int64) {
        self.init(
            request: request,
            status: response.status.code,
            fields: response.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n"),
            body: response.body
        )
    }

    /// The answer, for a client that asks again.
    ///
    /// - Throws: ``Problem`` if it asks for something else.
    fileprivate func replayed(for fingerprint: Int64) throws(Problem) -> Response {
        guard request == fingerprint else {
            throw Problem(
                .idempotencyKeyReused,
                "Another request came with this Idempotency-Key before. Take a new key for each thing "
                    + "that is to be done once."
            )
        }
        var headers = HeaderFields()
        for line in fields.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = FieldName(validating: String(parts[0])) else {
                continue
            }
            headers.append(String(parts[1].dropFirst()), for: name)
        }
        headers.append("true", for: .idempotentReplayed)
        return Response(Status(code: status), headers: headers, body: body)
    }
}
