import HTTP
import Store

/// `GET /readyz` and `GET /healthz`: whether goals can be read and written, and with the parameter
/// `verbose` what the server has counted.
///
/// When writing failed last, it is tried again, so that the server is ready as soon as it can be.
struct ShowReadiness: Endpoint {
    static let takesParameters = true

    private let isVerbose: Bool

    init(_ call: Call, in context: Context) {
        // Those who ask about health are not told that they asked in a wrong way.
        let parameters = try? QueryItems(parsing: call.request.query ?? "")
        isVerbose = parameters?.contains { $0.name == "verbose" } ?? false
    }

    func outcome(in context: Context) throws -> Outcome {
        switch context.store.health {
        case .writable: .ready(response(in: context))
        case .failing: .pending { try await probe(in: context) }
        }
    }

    private func probe(in context: Context) async throws(Problem) -> Response {
        switch await context.store.probe() {
        case .writable: return response(in: context)
        case .failing(let failure): throw .storageUnavailable(failure)
        }
    }

    private func response(in context: Context) -> Response {
        isVerbose ? HealthResource(figures: context.figures()).response : .healthy
    }
}
