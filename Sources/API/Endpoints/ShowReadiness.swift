import HTTP
import Store

/// `GET /readyz` and `GET /healthz`: whether goals can be read and written.
///
/// When writing failed last, it is tried again, so that the server is ready as soon as it can be.
struct ShowReadiness: Endpoint {
    static let takesParameters = true

    init(_ call: Call, in context: Context) {}

    func outcome(in context: Context) throws -> Outcome {
        switch context.store.health {
        case .writable: .ready(.healthy)
        case .failing: .pending { try await Self.probe(context.store) }
        }
    }

    private static func probe(_ store: GoalStore) async throws(Problem) -> Response {
        switch await store.probe() {
        case .writable: return .healthy
        case .failing(let failure): throw .storageUnavailable(failure)
        }
    }
}
