import HTTP

/// `GET /livez`: the process is up, or there would be no answer.
struct ShowLiveness: Query {
    static let takesParameters = true

    init(_ call: Call, in context: Context) {}

    func run(in context: Context) -> Response {
        .healthy
    }
}
