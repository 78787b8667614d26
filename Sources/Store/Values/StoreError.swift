public import Goals

/// Why the store did not do what it was asked to.
public enum StoreError: Error, Hashable, Sendable {
    case goalAbsent
    case goalDeleted
    case transactionAbsent
    case transactionDeleted

    /// The thing is in another revision than those that the command was meant for.
    case preconditionFailed(currentRevision: Int)

    /// Something else was created under this identifier.
    case identifierTaken

    case rule(RuleViolation)

    /// The account has as many goals as it may have.
    case tooManyGoals(Int)

    /// The account has as many transactions as it may have.
    case tooManyTransactions(Int)

    /// The account was deleted meanwhile.
    case accountAbsent

    /// What has changed since can't be told any more: all must be read anew.
    case resyncRequired

    /// So many commands are waiting for the disk that no more are taken.
    case queueFull

    /// The store cannot do this now.
    case storage(StorageFailure)
}

/// A value in the store that no command can have written: the file is damaged, or was edited by hand.
public struct DamagedRow: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
