import Goals
import HTTP
import Store

/// `DELETE /goals/:id/transactions/:id`: deletes a transaction, for good.
struct DeleteTransaction: Command {
    private let account: AccountID
    private let goalID: Goal.ID
    private let id: Transaction.ID
    private let precondition: Precondition

    init(_ call: Call, in context: Context) throws {
        account = call.account
        goalID = try call.goalID
        id = try call.transactionID
        precondition = try call.precondition
    }

    func change(in transaction: WriteTransaction) throws {
        try transaction.delete(id, in: goalID, if: precondition, of: account)
    }

    func response(to effect: Void) -> Response {
        Response(.noContent)
    }
}
