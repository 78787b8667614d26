import Goals
import HTTP
import Store

/// `PATCH /goals/:id`: changes what the body names, and leaves the rest as it is.
struct UpdateGoal: Command {
    private let account: AccountID
    private let id: Goal.ID
    private let precondition: Precondition
    private let changes: GoalChanges
    private let amountPointer: String

    init(_ call: Call, in context: Context) throws {
        let currency = try context.currency(of: call)
        amountPointer = call.pointer(to: "startingAmount")
        account = call.account
        id = try call.goalID
        precondition = try call.precondition

        var fields = try call.body(as: .patch)
        let title = fields.read(.change("title", .title))
        let note = fields.read(.change("note", .note, clearedTo: .empty))
        let targetAmount = fields.read(
            .change("targetAmount", .orNull(.amount(in: currency)))
        )
        let startingAmount = fields.read(
            .change("startingAmount", .amountOrZero(in: currency), clearedTo: .zero)
        )
        let plannedCompletionDate = fields.read(.change("plannedCompletionDate", .orNull(.day)))
        let status = fields.read(.change("status", .status))
        try fields.end(refusing: Self.refusedMembers)

        changes = GoalChanges(
            title: title.value,
            note: note.value,
            targetAmount: targetAmount.value,
            startingAmount: startingAmount.value,
            plannedCompletionDate: plannedCompletionDate.value,
            status: status.value
        )
    }

    func change(in transaction: WriteTransaction) throws -> Goal {
        try blaming(amountPointer) {
            try transaction.update(id, with: changes, if: precondition, of: account)
        }
    }

    func response(to goal: Goal) -> Response {
        GoalResource(goal: goal).response
    }

    private static let refusedMembers = GoalResource.readOnlyMembers.merging([
        "id": "is read-only",
        "currency": "is set once, when the goal is created",
    ]) { $1 }
}
