public import Foundation

/// How long to wait before something is sent again, and how often.
public struct RetryPolicy: Sendable {
    /// The longest wait after the first failure; it doubles with each further one.
    public var first: TimeInterval = 0.5

    /// What no wait is longer than, but for the server's own wish.
    public var longest: TimeInterval = 60

    /// After how many failures in a row ``OfflineClient/sync()`` gives up.
    public var attempts = 8

    /// Waits for some seconds.
    ///
    /// There is no event to wait for, only time for the server to recover. Tests put a function in its
    /// place that returns at once.
    public var wait: @Sendable (TimeInterval) async throws -> Void = {
        try await Task.sleep(for: .seconds($0))
    }

    /// A number from 0 to 1, by chance.
    public var chance: @Sendable () -> Double = { .random(in: 0...1) }

    public init() {}

    /// How long to wait after a number of failures in a row.
    ///
    /// Anything up to the full time, so that phones that lost the server in the same moment do not all
    /// come back in the same moment; and that after what the server asked for, for the same reason.
    func pause(afterFailures failures: Int, retryAfter: TimeInterval?) -> TimeInterval {
        let limit = min(longest, first * pow(2, Double(failures - 1)))
        return (retryAfter ?? 0) + limit * chance()
    }
}
