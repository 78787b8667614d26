import HTTP

@testable import API

/// The document that the program serves, as the tests hold it against the program.
struct Contract {
    let document: JSONTree
    let checker: SchemaChecker
    let operations: [Operation]

    /// Read once for all tests.
    static let shared = Result { try Contract(OpenAPIDocument.text) }

    /// One method of one path.
    struct Operation {
        let method: String
        /// As the document writes it: `/goals/{goal}`.
        let path: String
        let description: JSONTree
        /// With those that all methods of the path share.
        let parameters: [JSONTree]
    }

    init(_ text: String) throws {
        document = try YAMLReader.read(text)
        checker = SchemaChecker(document: document)

        var operations: [Operation] = []
        for (path, methods) in document["paths"]?.members ?? [:] {
            let shared = methods["parameters"]?.items ?? []
            for (method, description) in methods.members ?? [:] where method != "parameters" {
                let own = description["parameters"]?.items ?? []
                operations.append(
                    Operation(
                        method: method.uppercased(),
                        path: path,
                        description: description,
                        parameters: (shared + own).map(checker.target)
                    )
                )
            }
        }
        self.operations = operations
    }
}

extension Contract {
    /// The operation for a method and the path of a request; `nil` if the document has none.
    func operation(_ method: String, _ path: String) -> Operation? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        return operations.first { operation in
            let pattern = operation.path.split(separator: "/", omittingEmptySubsequences: false)
            return operation.method == method && pattern.count == segments.count
                && zip(pattern, segments).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }
    }

    /// What an answer has that the document does not promise, or lacks of what it does.
    func mistakes(in response: Response, to operation: Operation) throws -> [String] {
        let answers = operation.description["responses"]
        guard let answer = answers?[String(response.status.code)] ?? answers?["default"] else {
            return ["The document does not know this status"]
        }
        let promise = checker.target(of: answer)
        return mistakesInHeaders(of: response, by: promise)
            + (try mistakesInBody(of: response, by: promise))
    }

    /// The header fields that the API answers with.
    ///
    /// The others are the protocol's: lengths, dates, connections.
    private static let headers: [FieldName] = [
        .accept, .allow, .eTag, .link, "Location", "RateLimit", "RateLimit-Policy", "Retry-After",
        "WWW-Authenticate",
    ]

    private func mistakesInHeaders(of response: Response, by promise: JSONTree) -> [String] {
        Contract.headers.flatMap { name -> [String] in
            guard let value = response.headers[name] else { return [] }
            guard let header = promise["headers"]?[name.description] else {
                return ["The document does not know the header \(name) here"]
            }
            let schema = checker.target(of: header)["schema"] ?? .null
            return checker.mistakes(in: .string(value), by: schema, at: name.description)
        }
    }

    private func mistakesInBody(of response: Response, by promise: JSONTree) throws -> [String] {
        guard let content = promise["content"] else {
            return response.body.isEmpty ? [] : ["The document does not know a body here"]
        }
        let type = response.headers[.contentType].map { String($0.prefix { $0 != ";" }) } ?? "none"
        guard let schema = content[type]?["schema"] else {
            return ["The document does not know the media type \(type) here"]
        }
        let body =
            type.hasSuffix("json")
            ? try JSONTree(json: response.body)
            : .string(String(decoding: response.body, as: UTF8.self))
        return checker.mistakes(in: body, by: schema)
    }
}
