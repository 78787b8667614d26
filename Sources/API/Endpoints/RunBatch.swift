import Goals
import HTTP
import Store

/// `POST /batch`: carries out many commands, all of them or none.
struct RunBatch: Command {
    /// The most that the answers to the commands may come to, in bytes.
    ///
    /// A change may be a few bytes, and its answer a goal with a long note: a small batch could have an
    /// answer of any size. That to a thousand new transactions is half a megabyte.
    private static let answerBytes = 2 * 1_024 * 1_024

    static let takesLongToRead = true

    private let commands: [PreparedCommand]

    init(_ call: Call, in context: Context) throws {
        // By whatever spelling of the path it came.
        if let part = call.part { throw part.mistake("path", notForABatch) }
        try call.refuseConditions()
        var fields = try call.body()
        let items = fields.read(.required("commands", .batchCommands))
        try fields.end()

        var openedGoals: [Goal.ID: Currency] = [:]
        commands = try items.value.enumerated().map { index, json in
            let item = try BatchItem(json, at: index, after: openedGoals)
            let command = try item.prepare(for: call, in: context)
            if let goal = command.openedGoal { openedGoals[goal.id] = goal.currency }
            return command
        }
    }

    var weight: Int { commands.count }

    func change(in transaction: WriteTransaction) throws -> [Response] {
        var bytes = 0
        return try commands.enumerated().map { index, command in
            do {
                let response = try command.run(transaction)
                bytes += response.body.count
                guard bytes <= Self.answerBytes else { throw Problem.batchTooLarge }
                return response
            } catch let problem as Problem {
                throw problem.blamed(on: index)
            } catch let error as StoreError {
                throw Problem(error).blamed(on: index)
            }
        }
    }

    func response(to responses: [Response]) -> Response {
        Response(
            .ok,
            headers: [.contentType: MediaType.json.rawValue, .cacheControl: "no-store"],
            body: BatchResource(responses: responses).jsonBytes
        )
    }
}

extension Rule<[JSON]> {
    /// The commands of a batch, each of which is read later.
    fileprivate static let batchCommands = Rule("must be an array of 1 to 1000 commands") { json in
        guard case .array(let commands) = json, (1...1_000).contains(commands.count) else {
            return nil
        }
        return commands
    }
}

// MARK: - One command

/// What a batch has for one command: the request that it would be alone.
private struct BatchItem {
    private let request: Request
    private let part: BatchPart

    init(_ json: JSON, at index: Int, after openedGoals: [Goal.ID: Currency]) throws {
        var fields = try Fields(json, at: BatchPart.pointer(to: index))
        let method = fields.read(.required("method", .batchMethod))
        let path = fields.read(.required("path", .batchPath))
        let body = fields.read(.optional("body", Rule<JSON>.any))
        let ifMatch = fields.read(.optional("ifMatch", .text))
        try fields.end()

        var headers = HeaderFields()
        if let condition = ifMatch.value { headers.append(condition, for: .ifMatch) }
        request = Request(method.value, path.value, headers: headers)
        part = BatchPart(index: index, body: body.value, openedGoals: openedGoals)
    }

    /// Reads the command that the path has for the method.
    func prepare(for batch: Call, in context: Context) throws -> PreparedCommand {
        switch Router.api.match(request) {
        case .found(let action, let parameters):
            guard let prepare = action.prepare else { throw part.mistake("path", notForABatch) }
            var call = Call(request: request, parameters: parameters, caller: batch.caller)
            call.part = part
            do {
                return try prepare(call, context)
            } catch let problem as Problem {
                throw problem.blamed(on: part.index)
            }
        case .methodNotAllowed(let allowed):
            let methods = allowed.filter { $0 != .get && $0 != .head && $0 != .options }
            throw part.mistake(
                "method",
                "must be a method that the path takes here: "
                    + (methods.isEmpty ? "it takes none" : methods.list)
            )
        case .notFound:
            throw part.mistake("path", "must be the path of something there is, such as /goals")
        }
    }
}

private let notForABatch = "must be the path of a goal, a transaction or a list of them"

extension Rule<HTTP.Method> {
    fileprivate static let batchMethod = Rule(
        #"must be "POST", "PATCH" or "DELETE""#,
        text: { text in [.post, .patch, .delete].first { $0.rawValue == text } }
    )
}

extension Rule<String> {
    fileprivate static let batchPath = Rule(
        "must be a path without a query, such as /goals",
        text: { text in
            text.utf8.first == UInt8(ascii: "/") && !text.utf8.contains(UInt8(ascii: "?"))
                ? text : nil
        }
    )
}

extension Rule<JSON> {
    fileprivate static let any = Rule("must be a value", parse: { $0 })
}

extension Problem {
    fileprivate static let batchTooLarge = Problem(
        .batchTooLarge,
        "The answers to the commands would come to more than 2 MiB. Send the batch in parts."
    )

    /// The problem of one command as that of its batch: nothing of the batch was kept.
    fileprivate func blamed(on index: Int) -> Problem {
        let pointer = BatchPart.pointer(to: index)
        return Problem(
            code,
            "Nothing of the batch was kept, because of \(pointer). \(detail)",
            mistakes: mistakes.isEmpty
                ? [Mistake(pointer: pointer, detail: "cannot be carried out: \(detail)")]
                : mistakes,
            headers: headers
        )
    }
}

// MARK: - The answer

private struct BatchResource: JSONWritable {
    let responses: [Response]

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("results", array: responses.map(BatchResult.init))
        }
    }
}

private struct BatchResult: JSONWritable {
    let response: Response

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("status", response.status.code)
            json.member("headers", BatchHeaders(headers: response.headers))
            json.member("body", BatchBody(bytes: response.body))
        }
    }
}

/// The fields that tell of the thing that was changed; what tells of the bytes is the batch's own.
private struct BatchHeaders: JSONWritable {
    let headers: HeaderFields

    func write(to json: inout JSONWriter) {
        json.object { json in
            if let tag = headers[.eTag] { json.member("ETag", tag) }
            if let location = headers[.location] { json.member("Location", location) }
        }
    }
}

/// A body, which is JSON already; `null` if there is none.
private struct BatchBody: JSONWritable {
    let bytes: [UInt8]

    func write(to json: inout JSONWriter) {
        json.verbatim(bytes.isEmpty ? Array("null".utf8) : bytes)
    }
}
