import Foundation

/// Goals and transactions, as the server was last seen to have them or as they are to be shown.
struct Replica: Hashable, Sendable {
    private(set) var goals: [UUID: Goal] = [:]
    private(set) var transactions: [UUID: Transaction] = [:]
}

extension Replica {
    subscript(thing: Thing) -> Resource? {
        switch thing {
        case .goal(let id): goals[id].map(Resource.goal)
        case .transaction(let id, _): transactions[id].map(Resource.transaction)
        }
    }

    mutating func put(_ resource: Resource) {
        switch resource {
        case .goal(let goal): goals[goal.id] = goal
        case .transaction(let transaction): transactions[transaction.id] = transaction
        }
    }

    /// Removes a transaction, or a goal with all its transactions.
    mutating func remove(_ thing: Thing) {
        switch thing {
        case .goal(let id):
            goals[id] = nil
            transactions = transactions.filter { $0.value.goalId != id }
        case .transaction(let id, _):
            transactions[id] = nil
        }
    }

    mutating func apply(_ change: Change) {
        switch change {
        case .put(let resource): put(resource)
        case .remove(let thing): remove(thing)
        case .unknown: break
        }
    }

    /// Does what a command is going to do on the server.
    mutating func apply(_ command: Command) {
        switch command.action {
        case .create(let resource):
            put(resource)
        case .edit(let base, let mine):
            guard var resource = self[command.thing] else { return }
            resource.fields = resource.fields.applying(mine.changes(since: base))
            put(resource)
        case .delete:
            remove(command.thing)
        }
    }

    /// What is saved for a goal.
    func saved(for goal: Goal) -> Decimal {
        transactions.values.lazy
            .filter { $0.goalId == goal.id }
            .reduce(Decimal(string: goal.startingAmount) ?? 0) { $0 + $1.effect }
    }
}

extension Replica: Codable {
    private enum Key: CodingKey {
        case goals, transactions
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        for goal in try members.decode([Goal].self, forKey: .goals) {
            put(.goal(goal))
        }
        for transaction in try members.decode([Transaction].self, forKey: .transactions) {
            put(.transaction(transaction))
        }
    }

    /// Writes lists rather than dictionaries: JSON has no keys that are UUIDs.
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(Array(goals.values), forKey: .goals)
        try members.encode(Array(transactions.values), forKey: .transactions)
    }
}
