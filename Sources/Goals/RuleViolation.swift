/// A rule that forbids a command in the state that a goal is in.
public enum RuleViolation: Error, Hashable, Sendable {
    /// The goal may not go from the one status to the other; see ``Goal/Status/allowedMoves``.
    case statusMove(from: Goal.Status, to: Goal.Status)

    /// An archived goal takes no new transactions.
    case goalIsArchived

    /// The goal's saved amount, which is in this currency, would leave ``Money/savedAmounts``.
    case savedAmountOutOfBounds(Currency)
}
