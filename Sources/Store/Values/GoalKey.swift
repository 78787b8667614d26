public import Goals

/// A goal among those of all accounts.
public struct GoalKey: Hashable, Sendable {
    public let account: AccountID
    public let goal: Goal.ID

    public init(account: AccountID, goal: Goal.ID) {
        self.account = account
        self.goal = goal
    }
}
