import Goals
import HTTP
import Store

/// `DELETE /goals/:id`: deletes a goal with its transactions, for good.
struct DeleteGoal: Command {
    private let account: AccountID
    private let id: Goal.ID
    private let precondition: Precondition

    init(_ call: Call, in context: Context) throws {
        account = call.account
        id = try call.goalID
        precondition = try call.precondition
    }

    func change(in transaction: WriteTransaction) throws {
        try transaction.delete(id, if: precondition, of: account)
    }

    func response(to effect: Void) -> Response {
        Response(.noContent)
    }
}
