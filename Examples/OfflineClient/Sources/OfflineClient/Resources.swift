public import Foundation

/// A goal, as far as this client shows it.
///
/// What the server derives from the transactions (the saved amount, the count) is not kept: the client
/// has the transactions, and derives it itself, so that it is right offline, too.
public struct Goal: Codable, Hashable, Sendable, Identifiable {
    public let id: UUID
    public var title: String
    public var note = ""
    public let currency: String
    public var targetAmount: String?
    public var startingAmount = "0"
    public var plannedCompletionDate: String?
    public var status = Status.active

    /// The server's count of the goal's changes; 0 for one that the server has not seen.
    ///
    /// Transactions count as changes of their goal.
    public internal(set) var revision = 0

    /// Where a goal stands.
    ///
    /// No enumeration: a status that a later server knows must not stop an older app.
    public struct Status: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let active = Status(rawValue: "active")
        public static let paused = Status(rawValue: "paused")
        public static let completed = Status(rawValue: "completed")
        public static let archived = Status(rawValue: "archived")
    }
}

/// Income or an expense, recorded against a goal.
public struct Transaction: Codable, Hashable, Sendable, Identifiable {
    public let id: UUID
    public let goalId: UUID
    public var transactionType: Kind
    public var amount: String
    public var date: String
    public var category: String?
    public var note = ""

    /// The server's count of the transaction's changes; 0 for one that the server has not seen.
    public internal(set) var revision = 0

    public enum Kind: String, Codable, Hashable, Sendable {
        case income, expense
    }

    /// What it adds to the savings.
    var effect: Decimal {
        let amount = Decimal(string: amount) ?? 0
        return transactionType == .income ? amount : -amount
    }
}

/// The name of a goal or a transaction.
public enum Thing: Codable, Hashable, Sendable {
    case goal(UUID)
    case transaction(UUID, goal: UUID)

    /// The goal that it is, or belongs to.
    public var goal: UUID {
        switch self {
        case .goal(let id), .transaction(_, goal: let id): id
        }
    }

    /// Where the server has it.
    var path: String {
        switch self {
        case .goal(let id): "/goals/\(id)"
        case .transaction(let id, let goal): "/goals/\(goal)/transactions/\(id)"
        }
    }
}

/// A goal or a transaction.
public enum Resource: Hashable, Sendable {
    case goal(Goal)
    case transaction(Transaction)

    public var thing: Thing {
        switch self {
        case .goal(let goal): .goal(goal.id)
        case .transaction(let transaction): .transaction(transaction.id, goal: transaction.goalId)
        }
    }

    var revision: Int {
        switch self {
        case .goal(let goal): goal.revision
        case .transaction(let transaction): transaction.revision
        }
    }
}

extension Resource: Codable {
    private enum Key: CodingKey {
        case goalId
    }

    /// Reads the one that has a goal as a transaction, anything else as a goal.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        if members.contains(.goalId) {
            self = .transaction(try Transaction(from: decoder))
        } else {
            self = .goal(try Goal(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .goal(let goal): try goal.encode(to: encoder)
        case .transaction(let transaction): try transaction.encode(to: encoder)
        }
    }
}
