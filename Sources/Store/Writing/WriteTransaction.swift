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

    private var hasSavepoint = false

    init(on database: Database, at moment: Moment) {
        self.database = database
        self.moment = moment
    }

    /// Gets ready to write: what follows can be undone without the commands before it.
    ///
    /// Called by whatever writes, before its first statement. Commands that only find out that they
    /// may not do what they want need no savepoint.
    func willChange(_ goal: Goal.ID, of account: AccountID) throws {
        changedGoals.insert(GoalKey(account: account, goal: goal))
        try setSavepoint()
    }

    private func setSavepoint() throws {
        guard !hasSavepoint else { return }
        try database.run("SAVEPOINT command")
        hasSavepoint = true
    }

    /// Keeps what the command wrote, for the commit.
    func keep() throws {
        guard hasSavepoint else { return }
        try database.run("RELEASE command")
    }

    /// Undoes what the command wrote.
    func undo() throws {
        guard hasSavepoint else { return }
        try database.run("ROLLBACK TO command")
        try database.run("RELEASE command")
    }

    /// Writes something that is there already, to find out whether the disk takes it.
    func rewriteAccount() throws {
        try setSavepoint()
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
