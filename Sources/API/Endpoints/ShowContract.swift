import HTTP

/// `GET /openapi.yaml`: the contract that this server keeps.
struct ShowContract: Query {
    private let call: Call

    init(_ call: Call, in context: Context) {
        self.call = call
    }

    func run(in context: Context) throws -> Response {
        try call.respond(with: Self.contract)
    }

    private static let contract = {
        let document = Array(OpenAPIDocument.text.utf8)
        var checksum = Checksum()
        checksum.add(document)
        return Snapshot(
            document,
            "application/yaml",
            etag: ETag(String(checksum.value, radix: 16))
        )
    }()
}
