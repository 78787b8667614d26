import Goals
import HTTP

/// A goal as clients see it.
struct GoalResource: JSONWritable {
    let goal: Goal

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", goal.id)
            json.member("title", goal.title.text)
            json.member("note", goal.note.text)
            json.member("currency", goal.currency)
            json.member("targetAmount", goal.targetAmount?.amount(in: goal.currency))
            json.member("startingAmount", goal.startingAmount.amount(in: goal.currency))
            json.member("plannedCompletionDate", goal.plannedCompletionDate)
            json.member("status", goal.status.rawValue)
            json.member("completedAt", goal.completedAt)
            json.member("savedAmount", goal.savedAmount.amount(in: goal.currency))
            json.member("remainingAmount", goal.remainingAmount?.amount(in: goal.currency))
            json.member("transactionCount", goal.transactionCount)
            json.member("revision", goal.revision)
            json.member("createdAt", goal.createdAt)
            json.member("updatedAt", goal.updatedAt)
        }
    }
}

extension GoalResource {
    /// The goal as a response to keep.
    var snapshot: Snapshot {
        Snapshot(jsonBytes, etag: ETag(revision: goal.revision))
    }

    /// The same for the one who has changed it.
    var response: Response {
        Response(json: jsonBytes, etag: ETag(revision: goal.revision))
    }

    /// Where the goal is.
    var path: [UInt8] { Self.path(to: goal.id) }

    /// Where a goal is.
    static func path(to goal: Goal.ID) -> [UInt8] {
        var path: [UInt8] = []
        // Also for what comes below it.
        path.reserveCapacity(2 * (Goal.ID.maximumCharacters + 16))
        path.append(contentsOf: "/goals/".utf8)
        path.append(goal)
        return path
    }

    /// Members that only the server sets, and what to say to a client that tries.
    static let readOnlyMembers: [String: String] = [
        "completedAt", "savedAmount", "remainingAmount", "transactionCount", "revision",
        "createdAt", "updatedAt",
    ]
    .reduce(into: [:]) { $0[$1] = "is read-only" }
}

extension [UInt8] {
    /// Appends the text of an identifier.
    mutating func append<Entity>(_ id: Identifier<Entity>) {
        append(addingCapacity: Identifier<Entity>.maximumCharacters) { output in
            id.write(to: &output)
        }
    }
}
