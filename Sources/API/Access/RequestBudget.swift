import Goals

/// How many requests a token may make, and how many it has left.
///
/// A bucket that holds a minute's worth of requests and fills evenly, kept as one number: the moment
/// at which it will be full again (the generic cell rate algorithm).
struct RequestBudget: Sendable {
    /// When the bucket is full, in microseconds.
    private var fullAt: Int64 = .min

    /// What a bucket holds, and for how long that is meant.
    struct Policy: Hashable, Sendable {
        let requestsPerMinute: Int

        /// How long a bucket takes to gain one request, in microseconds.
        fileprivate var interval: Int64 { window / Int64(requestsPerMinute) }
    }

    /// What a request was told about the bucket.
    struct Allowance: Hashable, Sendable {
        let policy: Policy
        let remaining: Int

        /// How many seconds it takes until the bucket is full.
        let secondsToFull: Int

        /// How many seconds it takes until the next request is let through; 0 if this one was.
        let secondsToWait: Int

        var isGranted: Bool { secondsToWait == 0 }
    }

    /// Takes one request out of the bucket, if there is one in it.
    mutating func take(_ policy: Policy, at moment: Moment) -> Allowance {
        let now = moment.millisecondsSinceEpoch * 1_000
        // No bucket is emptier than empty, which it would seem to be when the clock has gone back.
        let present = min(max(fullAt, now), now + window)
        let next = present + policy.interval
        let wait = next - now - window
        if wait <= 0 { fullAt = next }
        let missing = (wait <= 0 ? next : present) - now
        return Allowance(
            policy: policy,
            remaining: Int((window - missing) / policy.interval),
            secondsToFull: seconds(missing),
            secondsToWait: max(0, seconds(wait))
        )
    }
}

/// What a bucket is measured in, a minute, in microseconds.
private let window: Int64 = 60_000_000

/// Whole seconds, rounded up.
private func seconds(_ microseconds: Int64) -> Int {
    Int((microseconds + 999_999) / 1_000_000)
}
