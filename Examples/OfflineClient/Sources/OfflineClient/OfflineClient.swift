public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Goals that are there without a network, and the same on every device once there is one.
///
/// What a person does is kept on the disk and shown at once. ``sync()`` tells the server, and learns
/// what others have done; ``follow()`` does the same for as long as the app is on the screen.
public actor OfflineClient {
    private(set) var store: Store
    let server: Server
    let retries: RetryPolicy
    let limits: PieceLimits

    /// How many commands the next piece may have: fewer, after one was too much for the server.
    var nextCount: Int

    /// How often in a row others were faster.
    var overtaken = 0

    let resolve: @Sendable (Conflict) async -> Resolution

    /// The sync that is under way; who asks for another one gets this one's end.
    var running: Task<Void, any Error>?

    /// The reading of events that is under way.
    var reading: Task<Void, any Error>?

    /// A signal after each change of what is to be shown, for one listener.
    public nonisolated let updates: AsyncStream<Void>
    private let updated: AsyncStream<Void>.Continuation

    /// Opens a file, and speaks to no server yet.
    ///
    /// - Parameters:
    ///   - file: Where all is kept; it belongs to this one client alone.
    ///   - address: The server, such as `https://goals.example`.
    ///   - token: The access token of the account.
    ///   - patience: For how many seconds to wait for an answer.
    ///   - retries: How long to wait before asking again, and how often.
    ///   - limits: How much to send at once.
    ///   - send: Sends requests; by default a session of its own.
    ///   - stream: Reads events; by default what is best on this system.
    ///   - write: Writes the file.
    ///   - resolve: Asks what is to become of a change that somebody else was faster with.
    /// - Throws: What reading the file throws.
    public init(
        file: URL,
        address: URL,
        token: String?,
        patience: TimeInterval = 30,
        retries: RetryPolicy = RetryPolicy(),
        limits: PieceLimits = PieceLimits(),
        send: Transport? = nil,
        stream: ByteStream? = nil,
        write: @escaping FileWriter = OfflineClient.writeAtomically,
        resolve: @escaping @Sendable (Conflict) async -> Resolution
    ) throws {
        store = try Store(file: file, write: write)
        let session = URLSession(configuration: .waiting(for: patience))
        server = Server(
            address: address,
            token: token,
            send: send ?? { try await session.answer(to: $0) },
            stream: stream ?? Self.stream
        )
        self.retries = retries
        self.limits = limits
        nextCount = limits.commands
        self.resolve = resolve
        (updates, updated) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Changes what is remembered, and says so.
    func change(_ change: (inout State) throws -> Void) throws {
        if try store.change(change) { updated.yield() }
    }
}

// What is to be shown.

extension OfflineClient {
    /// A goal, and what is saved for it.
    public struct GoalView: Hashable, Sendable {
        public let goal: Goal
        public let saved: Decimal

        /// Whether the server has yet to hear of something that was done with it here.
        public let isPending: Bool
    }

    /// All goals, by title.
    public var goals: [GoalView] {
        let view = store.state.view
        let pending = Set(store.state.queue.map(\.thing.goal))
        return view.goals.values
            .map { goal in
                GoalView(
                    goal: goal,
                    saved: view.saved(for: goal),
                    isPending: pending.contains(goal.id)
                )
            }
            .sorted { ($0.goal.title, $0.goal.id) < ($1.goal.title, $1.goal.id) }
    }

    /// The transactions of a goal, the latest day first.
    public func transactions(of goal: Goal.ID) -> [Transaction] {
        store.state.view.transactions.values
            .filter { $0.goalId == goal }
            .sorted { ($0.date, $0.id) > ($1.date, $1.id) }
    }

    /// What waits for the server, in its order.
    public var queue: [Command] { store.state.queue }

    /// What the server would not do, and nobody has looked at.
    public var refusals: [Refusal] { store.state.refusals }

    /// Says that a person has seen a refusal.
    public func dismiss(_ refusal: Refusal) throws {
        try change { $0.refusals.removeAll { $0.id == refusal.id } }
    }
}

// What a person does. All of it is on the disk when the call returns.

extension OfflineClient {
    /// Creates a goal.
    @discardableResult
    public func createGoal(
        title: String,
        currency: String,
        targetAmount: String? = nil,
        startingAmount: String = "0",
        plannedCompletionDate: String? = nil
    ) throws -> Goal.ID {
        let goal = Goal(
            id: .version7(),
            title: title,
            currency: currency,
            targetAmount: targetAmount,
            startingAmount: startingAmount,
            plannedCompletionDate: plannedCompletionDate
        )
        try act { $0.create(.goal(goal)) }
        return goal.id
    }

    /// Records income or an expense.
    ///
    /// The date is a day such as `2027-01-31`: the person's, wherever the server is and whenever it
    /// hears of it.
    @discardableResult
    public func record(
        _ kind: Transaction.Kind,
        amount: String,
        for goal: Goal.ID,
        date: String,
        category: String? = nil,
        note: String = ""
    ) throws -> Transaction.ID {
        let transaction = Transaction(
            id: .version7(),
            goalId: goal,
            transactionType: kind,
            amount: amount,
            date: date,
            category: category,
            note: note
        )
        try act { state in
            guard state.view[.goal(goal)] != nil else { throw NoSuchThing(thing: .goal(goal)) }
            state.create(.transaction(transaction))
        }
        return transaction.id
    }

    /// Changes a goal.
    public func edit(goal id: Goal.ID, _ edit: (inout Goal) -> Void) throws {
        try act { state in
            try state.edit(.goal(id)) { resource in
                guard case .goal(var goal) = resource else { return }
                edit(&goal)
                resource = .goal(goal)
            }
        }
    }

    /// Changes a transaction.
    public func edit(
        transaction id: Transaction.ID,
        of goal: Goal.ID,
        _ edit: (inout Transaction) -> Void
    ) throws {
        try act { state in
            try state.edit(.transaction(id, goal: goal)) { resource in
                guard case .transaction(var transaction) = resource else { return }
                edit(&transaction)
                resource = .transaction(transaction)
            }
        }
    }

    /// Deletes a transaction, or a goal with all its transactions.
    public func delete(_ thing: Thing) throws {
        try act { try $0.delete(thing) }
    }

    private func act(_ action: (inout State) throws -> Void) throws {
        try change(action)
        // Who follows leaves off to tell the server.
        if !store.state.queue.isEmpty { reading?.cancel() }
    }
}
