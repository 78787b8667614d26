import Goals
import Store

/// Lets go of what is kept only for a time, while the server serves: answers for retries, and
/// deletions.
struct Housekeeping: Sendable {
    private let store: GoalStore
    private let deletionMilliseconds: Int64
    private let report: @Sendable (any Error) -> Void

    /// How often it looks: often enough that little waits, and seldom enough to cost nothing.
    private static let interval = Duration.seconds(60)

    /// - Parameters:
    ///   - store: The store.
    ///   - days: For how long deletions are kept.
    ///   - report: Told when something could not be let go; the next round tries again.
    init(
        of store: GoalStore,
        keepingDeletionsFor days: Int,
        report: @escaping @Sendable (any Error) -> Void
    ) {
        self.store = store
        self.report = report
        deletionMilliseconds = Int64(days) * 24 * 60 * 60 * 1_000
    }

    /// Makes its rounds until its task is canceled.
    func run() async throws {
        while true {
            // Nothing tells that something has expired but the clock.
            try await Task.sleep(for: Self.interval)
            await tidyUp(at: .now())
        }
    }

    /// One round.
    func tidyUp(at moment: Moment) async {
        do {
            try await store.forgetExpired(
                at: moment,
                deletionsBefore: moment.adding(milliseconds: -deletionMilliseconds)
            )
        } catch StoreError.storage, StoreError.queueFull {
            // Known already from the writes that it keeps from being done, or about to close.
        } catch {
            report(error)
        }
    }
}
