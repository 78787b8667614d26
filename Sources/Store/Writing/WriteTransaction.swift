public import Goals
internal import SQLite

/// What a command may do in the writer's transaction.
///
/// A command reads what it changes, lets the domain's rules decide, and writes the outcome. Checks
/// come in this order: that the thing is there, the precondition, the rule.
public final class WriteTransaction {
    /// When the writer runs the command; never earlier than for a command before it.
    public let moment: Moment

    let database: Database

    /// The goals that the command has changed.
    private(set) var changedGoals: Set<GoalKey> = []

    /// Whether the command can be undone without those before it.
    private let usesSavepoint: Bool

    private var hasWritten = false

    init(on database: Database, at moment: Moment, usesSavepoint: Bool) {
        self.database = database
        self.moment = moment
        self.usesSavepoint = usesSavepoint
    }

    /// Notes that a goal changes; to be called before the first statement that writes.
    func willChange(_ goal: Goal.ID, of account: AccountID) throws {
        changedGoals.insert(GoalKey(account: account, goal: goal))
        try willWrite()
    }

    private func willWrite() throws {
        guard !hasWritten else { return }
        hasWritten = true
        if usesSavepoint { try database.run("SAVEPOINT command") }
    }

    /// Keeps what the command wrote, for the commit.
    func keep() throws {
        if hasWritten, usesSavepoint { try database.run("RELEASE command") }
    }

    /// Undoes what the command wrote.
    ///
    /// - Throws: ``SavepointNeeded`` if there is something, and no savepoint before it.
    func undo() throws {
        guard hasWritten else { return }
        guard usesSavepoint else { throw SavepointNeeded() }
        try database.run("ROLLBACK TO command")
        try database.run("RELEASE command")
    }

    /// Says that what a command wrote can be undone only with all the commands before it.
    struct SavepointNeeded: Error {}

    /// Writes something that is there already, to find out whether the disk takes it.
    func rewriteAccount() throws {
        try willWrite()
        try database.run("UPDATE accounts SET name = name WHERE id = ?", AccountID.default.rawValue)
    }
}

/// Runs a rule of the domain; what it forbids, the store refuses.
func ruled<Value>(_ rule: () throws(RuleViolation) -> Value) throws -> Value {
    do {
        return try rule()
    } catch {
        throw StoreError.rule(error)
    }
}
