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

    func run(in context: Context) async throws -> Response {
        try await context.store.write { try $0.delete(id, if: precondition, of: account) }
        return Response(.noContent)
    }
}
