import HTTP

/// `GET /openapi.yaml`: the contract that this server keeps.
struct ShowContract: Query {
    init(_ call: Call, in context: Context) {}

    func run(in context: Context) -> Response {
        Self.contract
    }

    private static let contract = Response(
        .ok,
        headers: [.contentType: "application/yaml", .cacheControl: "no-cache"],
        body: Array(OpenAPIDocument.text.utf8)
    )
}
