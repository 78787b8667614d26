import Goals
import HTTP

/// A transaction as clients see it.
struct TransactionResource: JSONWritable {
    let transaction: Transaction

    /// The currency of its goal.
    let currency: Currency

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", transaction.id)
            json.member("goalId", transaction.goalID)
            json.member("transactionType", transaction.type.rawValue)
            json.member("amount", transaction.amount.amount(in: currency))
            json.member("date", transaction.date)
            json.member("category", transaction.category?.text)
            json.member("note", transaction.note.text)
            json.member("revision", transaction.revision)
            json.member("createdAt", transaction.createdAt)
            json.member("updatedAt", transaction.updatedAt)
        }
    }
}

extension TransactionResource {
    /// The transaction as a response.
    var snapshot: Snapshot {
        Snapshot(jsonBytes, etag: ETag(revision: transaction.revision))
    }

    /// The same for the one who has changed it.
    var response: Response {
        Response(json: jsonBytes, etag: ETag(revision: transaction.revision))
    }

    /// Where the transaction is.
    var path: [UInt8] {
        var path = GoalResource.path(to: transaction.goalID)
        path.append(contentsOf: "/transactions/".utf8)
        path.append(transaction.id)
        return path
    }

    /// Members that only the server sets, and what to say to a client that tries.
    static let readOnlyMembers: [String: String] = ["goalId", "revision", "createdAt", "updatedAt"]
        .reduce(into: [:]) { $0[$1] = "is read-only" }
}
