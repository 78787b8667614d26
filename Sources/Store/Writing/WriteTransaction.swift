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

    /// What is written before the commit, for this command and others.
    let facts: PendingFacts

    /// What an account may have.
    let limits: GoalStore.Limits

    /// The goals that the command has changed, some of them more than once.
    private(set) var changedGoals: [GoalKey] = []

    /// Whether the command can be undone without those before it.
    private let usesSavepoint: Bool

    private var hasWritten = false

    init(
        on database: Database,
        with facts: PendingFacts,
        at moment: Moment,
        limits: GoalStore.Limits,
        usesSavepoint: Bool
    ) {
        self.database = database
        self.facts = facts
        self.moment = moment
        self.limits = limits
        self.usesSavepoint = usesSavepoint
    }

    /// Notes that a goal changes, and gives the change its place in the order of the account's; to be
    /// called before anything of it is written.
    ///
    /// - Parameters:
    ///   - goal: The goal.
    ///   - account: Whose it is.
    ///   - things: How many things change, each of which gets a number.
    ///   - goals: How many goals more the account has then.
    ///   - transactions: How many transactions more.
    /// - Returns: The last of the numbers, which is the goal's.
    /// - Throws: ``StoreError/tooManyGoals(_:)`` or ``StoreError/tooManyTransactions(_:)`` if there
    ///   would be more than an account may have; ``StoreError/accountAbsent``.
    func willChange(
        _ goal: Goal.ID,
        of account: AccountID,
        things: Int = 1,
        goals: Int = 0,
        transactions: Int = 0
    ) throws -> Int64 {
        var numbers = try facts.numbers(of: account)
        numbers.sequence += Int64(things)
        numbers.goals += goals
        numbers.transactions += transactions
        if goals > 0, let most = limits.goals, numbers.goals > most {
            throw StoreError.tooManyGoals(most)
        }
        if transactions > 0, let most = limits.transactions, numbers.transactions > most {
            throw StoreError.tooManyTransactions(most)
        }
        changedGoals.append(GoalKey(account: account, goal: goal))
        try willWrite()
        facts.set(numbers, of: account)
        return numbers.sequence
    }

    /// Notes that something is written; to be called before the first statement that does.
    func willWrite() throws {
        guard !hasWritten else { return }
        hasWritten = true
        if usesSavepoint { try database.run("SAVEPOINT command") }
    }

    /// Keeps what the command wrote, for the commit.
    func keep() throws {
        guard hasWritten, usesSavepoint else { return }
        // What is pending could not be told from what the next command changes, if that is undone.
        try facts.write()
        try database.run("RELEASE command")
    }

    /// Undoes what the command wrote.
    ///
    /// - Throws: ``SavepointNeeded`` if there is something, and no savepoint before it.
    func undo() throws {
        guard hasWritten else { return }
        guard usesSavepoint else { throw SavepointNeeded() }
        facts.dropAll()
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
