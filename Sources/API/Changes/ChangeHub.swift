import Store
import Synchronization

/// Wakes those who follow an account when something of it was committed.
final class ChangeHub: Sendable {
    private let state = Mutex(State())

    private struct State {
        var wakes: [AccountID: [UInt64: @Sendable () -> Void]] = [:]
        var lastNumber: UInt64 = 0
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
            state.wakes[account, default: [:]][state.lastNumber] = wake
            return Subscription(account: account, number: state.lastNumber)
        }
    }

    func end(_ subscription: Subscription) {
        state.withLock { state in
            state.wakes[subscription.account]?[subscription.number] = nil
            if state.wakes[subscription.account]?.isEmpty == true {
                state.wakes[subscription.account] = nil
            }
        }
    }

    func tell(_ changes: Set<GoalKey>) {
        let accounts = Set(changes.map(\.account))
        let wakes = state.withLock { state in accounts.compactMap { state.wakes[$0] } }
        // Without the lock, which those who come and go need meanwhile.
        for wake in wakes.joined() { wake.value() }
    }
}
