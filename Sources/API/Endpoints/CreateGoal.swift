import Goals
import HTTP
import Store

/// `POST /goals`: opens a goal, or answers with it if it was opened before.
struct CreateGoal: Command {
    private let account: AccountID
    private let goal: NewGoal

    init(_ call: Call, in context: Context) throws {
        try call.refuseConditions()
        var fields = try call.body()
        let id = fields.read(.optional("id", .goalID))
        let title = fields.read(.required("title", .title))
        let note = fields.read(.optional("note", .note, default: .empty))
        let currency = fields.read(
            .optional("currency", .currency, default: context.settings.currency)
        )
        // How many decimals an amount may have, its currency says.
        let targetAmount = fields.read(
            .optional("targetAmount", .orNull(.amount(in: currency.sound)), default: nil)
        )
        let startingAmount = fields.read(
            .optional("startingAmount", .amountOrZero(in: currency.sound), default: .zero)
        )
        let plannedCompletionDate = fields.read(
            .optional("plannedCompletionDate", .orNull(.day), default: nil)
        )
        try fields.end(refusing: Self.refusedMembers)

        account = call.account
        goal = NewGoal(
            id: id.value ?? context.newID(),
            title: title.value,
            note: note.value,
            currency: currency.value,
            targetAmount: targetAmount.value,
            startingAmount: startingAmount.value,
            plannedCompletionDate: plannedCompletionDate.value
        )
    }

    var openedGoal: NewGoal? { goal }

    func change(in transaction: WriteTransaction) throws -> Creation<Goal> {
        try transaction.create(goal, of: account)
    }

    func response(to creation: Creation<Goal>) -> Response {
        switch creation {
        case .created(let goal): response(.created, GoalResource(goal: goal))
        case .existing(let goal): response(.ok, GoalResource(goal: goal))
        }
    }

    private func response(_ status: Status, _ resource: GoalResource) -> Response {
        var response = resource.response
        response.status = status
        response.headers.append(bytes: resource.path.span, for: .location)
        return response
    }

    private static let refusedMembers = GoalResource.readOnlyMembers.merging([
        "status": #"is not for creation: a new goal is "active", and PATCH moves it on"#
    ]) { $1 }
}
