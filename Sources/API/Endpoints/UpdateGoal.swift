import Goals
import HTTP
import Store

/// `PATCH /goals/:id`: changes what the body names, and leaves the rest as it is.
struct UpdateGoal: Command {
    private let account: AccountID
    private let id: Goal.ID
    private let precondition: Precondition
    private let changes: GoalChanges

    init(_ call: Call, in context: Context) throws {
        let currency = try context.goal(of: call).currency
        account = call.account
        id = try call.goalID
        precondition = try call.precondition
        let (title, note, targetAmount, startingAmount, plannedCompletionDate, status) =
            try call.body(as: .patch).read(
                .change("title", .title),
                .change("note", .note, clearedTo: .empty),
                .change("targetAmount", .orNull(.amount(in: currency))),
                .change("startingAmount", .amountOrZero(in: currency), clearedTo: .zero),
                .change("plannedCompletionDate", .orNull(.day)),
                .change("status", .status),
                refusing: Self.refusedMembers
            )
        changes = GoalChanges(
            title: title,
            note: note,
            targetAmount: targetAmount,
            startingAmount: startingAmount,
            plannedCompletionDate: plannedCompletionDate,
            status: status
        )
    }

    func run(in context: Context) async throws -> Response {
        let goal = try await blaming("/startingAmount") {
            try await context.store.write {
                try $0.update(id, with: changes, if: precondition, of: account)
            }
        }
        return GoalResource(goal: goal).snapshot.response
    }

    private static let refusedMembers = GoalResource.readOnlyMembers.merging([
        "id": "is read-only",
        "currency": "is set once, when the goal is created",
    ]) { $1 }
}
