import Store
import Synchronization

/// Wakes those who follow an account when something of it was committed.
final class ChangeHub: Sendable {
    private let state = Mutex(State())

    private struct State {
        var followers: [AccountID: [UInt64: Follower]] = [:]
        var lastNumber: UInt64 = 0
    }

    /// A function in a box: a bare one is wrapped once more with every way through a generic type.
    private struct Follower {
        let wake: @Sendable () -> Void
    }

    /// What to end a subscription by.
    struct Subscription: Sendable {
        fileprivate let account: AccountID
        fileprivate let number: UInt64
    }

    /// Has a function called on the writer's thread after each commit that changes an account.
    ///
    /// It must be quick.
    func subscribe(
        to account: AccountID,
        _ wake: @escaping @Sendable () -> Void
    ) -> Subscription {
        state.withLock { state in
            state.lastNumber += 1
            state.followers[account, default: [:]][state.lastNumber] = Follower(wake: wake)
            return Subscription(account: account, number: state.lastNumber)
        }
    }

    func end(_ subscription: Subscription) {
        state.withLock { state in
            state.followers[subscription.account]?[subscription.number] = nil
            if state.followers[subscription.account]?.isEmpty == true {
                state.followers[subscription.account] = nil
            }
        }
    }

    func tell(_ changes: Set<GoalKey>) {
        let accounts = Set(changes.map(\.account))
        let followers = state.withLock { state in accounts.compactMap { state.followers[$0] } }
        // Without the lock, which those who come and go need meanwhile.
        for follower in followers.joined() { follower.value.wake() }
    }
}
