import HTTP

/// `GET /livez`: the process is up, or there would be no answer.
struct ShowLiveness: Query {
    static let takesParameters = true

    init(_ call: Call, in context: Context) {}

    func run(in context: Context) -> Response {
        .healthy
    }
}

extension Response {
    /// The answer of everything that asks about health, when all is well.
    static let healthy = Response(
        .ok,
        headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: Array(#"{"status":"ok"}"#.utf8)
    )
}
