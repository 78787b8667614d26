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

    /// What an account may have.
    let limits: GoalStore.Limits

    /// The goals that the command has changed.
    private(set) var changedGoals: Set<GoalKey> = []

    /// Whether the command can be undone without those before it.
    private let usesSavepoint: Bool

    private var hasWritten = false

    init(
        on database: Database,
        at moment: Moment,
        limits: GoalStore.Limits,
        usesSavepoint: Bool
    ) {
        self.database = database
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
    ///   would be more than an account may have.
    func willChange(
        _ goal: Goal.ID,
        of account: AccountID,
        things: Int = 1,
        goals: Int = 0,
        transactions: Int = 0
    ) throws -> Int64 {
        try checkLimits(of: account, goals: goals, transactions: transactions)
        changedGoals.insert(GoalKey(account: account, goal: goal))
        try willWrite()
        let number = try database.row(
            """
            UPDATE accounts
            SET sequence = sequence + ?2, goals = goals + ?3, transactions = transactions + ?4
            WHERE id = ?1
            RETURNING sequence
            """,
            account.rawValue,
            things,
            goals,
            transactions
        ) { row in try row[0] as Int64 }
        guard let number else { throw StoreError.accountAbsent }
        return number
    }

    private func checkLimits(of account: AccountID, goals: Int, transactions: Int) throws {
        let isLimited =
            goals > 0 && limits.goals != nil || transactions > 0 && limits.transactions != nil
        guard isLimited else { return }
        try database.row(
            "SELECT goals, transactions FROM accounts WHERE id = ?",
            account.rawValue
        ) { row in
            if goals > 0, let most = limits.goals, try row[0] + goals > most {
                throw StoreError.tooManyGoals(most)
            }
            if transactions > 0, let most = limits.transactions, try row[1] + transactions > most {
                throw StoreError.tooManyTransactions(most)
            }
        }
    }

    /// Notes that something is written; to be called before the first statement that does.
    func willWrite() throws {
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
