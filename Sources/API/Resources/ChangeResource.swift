import Goals
import Store

/// A change as clients see it.
struct ChangeResource: JSONWritable {
    let change: RecordedChange

    func write(to json: inout JSONWriter) {
        json.object { json in
            switch change {
            case .goal(let goal):
                json.member("type", "goal")
                json.member("id", goal.id)
                json.member("revision", goal.revision)
                json.member("deleted", false)
                json.member("goal", GoalResource(goal: goal))
            case .goalDeleted(let id, let revision):
                json.member("type", "goal")
                json.member("id", id)
                json.member("revision", revision)
                json.member("deleted", true)
            case .transaction(let transaction, let currency):
                json.member("type", "transaction")
                json.member("id", transaction.id)
                json.member("goalId", transaction.goalID)
                json.member("revision", transaction.revision)
                json.member("deleted", false)
                json.member(
                    "transaction",
                    TransactionResource(transaction: transaction, currency: currency)
                )
            case .transactionDeleted(let id, let goalID, let revision):
                json.member("type", "transaction")
                json.member("id", id)
                json.member("goalId", goalID)
                json.member("revision", revision)
                json.member("deleted", true)
            }
        }
    }
}

/// Some changes in their order as clients see them.
struct ChangePageResource: JSONWritable {
    let page: ChangePage

    /// The token to go on from.
    let next: String

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member(
                "changes",
                array: page.changes.lazy.map { ChangeResource(change: $0.change) }
            )
            json.member("next", next)
            json.member("hasMore", page.hasMore)
        }
    }
}
