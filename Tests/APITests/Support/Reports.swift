import HTTP
import Synchronization

/// What the application has reported: errors of the server's own.
final class Reports: Sendable {
    private let reports = Mutex<[String]>([])

    func append(_ error: String, during request: RequestID) {
        reports.withLock { $0.append("\(request): \(error)") }
    }

    func take() -> [String] {
        reports.withLock { reports in
            defer { reports = [] }
            return reports
        }
    }
}
