import Foundation

/// A command as `POST /batch` takes it.
struct WireCommand: Encodable {
    var method: String
    var path: String
    var body: Fields?
    var ifMatch: String?
}

/// The answer to a batch.
struct BatchAnswer: Decodable {
    let results: [Result]

    struct Result: Decodable {
        /// What was created or changed; `nil` if it was deleted.
        let body: Resource?
    }
}

/// A page of `GET /changes`.
struct ChangePage: Decodable {
    let changes: [Change]
    let next: String
    let hasMore: Bool
}

/// What has changed, in a page of `/changes` or an event of `/events`.
enum Change: Hashable, Sendable {
    case put(Resource)
    case remove(Thing)

    /// About something that only a later version of this client knows.
    case unknown
}

extension Change: Decodable {
    private enum Key: CodingKey {
        case type, id, goalId, deleted, goal, transaction
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let isDeleted = try members.decode(Bool.self, forKey: .deleted)
        switch try members.decode(String.self, forKey: .type) {
        case "goal" where isDeleted:
            self = .remove(.goal(try members.decode(UUID.self, forKey: .id)))
        case "goal":
            self = .put(.goal(try members.decode(Goal.self, forKey: .goal)))
        case "transaction" where isDeleted:
            self = .remove(
                .transaction(
                    try members.decode(UUID.self, forKey: .id),
                    goal: try members.decode(UUID.self, forKey: .goalId)
                )
            )
        case "transaction":
            self = .put(.transaction(try members.decode(Transaction.self, forKey: .transaction)))
        default:
            self = .unknown
        }
    }
}

/// What is wrong, in the server's words (RFC 9457).
public struct Problem: Error, Codable, Hashable, Sendable {
    public let status: Int

    /// A stable word to tell causes apart by.
    public let code: String
    public let title: String
    public let detail: String
    public var errors: [Mistake]?

    public struct Mistake: Codable, Hashable, Sendable {
        public let pointer: String
        public let detail: String
    }
}

extension Problem {
    /// Which command of a batch it is about.
    var commandIndex: Int? {
        guard let parts = errors?.first?.pointer.split(separator: "/"), parts.first == "commands"
        else { return nil }
        return parts.dropFirst().first.flatMap { Int($0) }
    }
}
