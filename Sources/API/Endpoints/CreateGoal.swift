import Goals
import HTTP
import Store

/// `POST /goals`: opens a goal, or answers with it if it was opened before.
struct CreateGoal: Command {
    private let account: AccountID
    private let goal: NewGoal

    init(_ call: Call, in context: Context) throws {
        try call.refuseConditions()
        let fields = try call.body()
        let currencyField = Field.optional(
            "currency",
            .currency,
            default: context.settings.currency
        )
        // How many decimals an amount may have, its currency says.
        let amountsCurrency = fields.peek(currencyField)
        let (id, title, note, currency, targetAmount, startingAmount, plannedCompletionDate) =
            try fields.read(
                .optional("id", .goalID),
                .required("title", .title),
                .optional("note", .note, default: .empty),
                currencyField,
                .optional("targetAmount", .orNull(.amount(in: amountsCurrency)), default: nil),
                .optional("startingAmount", .amountOrZero(in: amountsCurrency), default: .zero),
                .optional("plannedCompletionDate", .orNull(.day), default: nil),
                refusing: Self.refusedMembers
            )
        account = call.account
        goal = NewGoal(
            id: id ?? context.newID(),
            title: title,
            note: note,
            currency: currency,
            targetAmount: targetAmount,
            startingAmount: startingAmount,
            plannedCompletionDate: plannedCompletionDate
        )
    }

    func run(in context: Context) async throws -> Response {
        let creation = try await context.store.write { try $0.create(goal, of: account) }
        return switch creation {
        case .created(let goal): response(.created, GoalResource(goal: goal))
        case .existing(let goal): response(.ok, GoalResource(goal: goal))
        }
    }

    private func response(_ status: Status, _ resource: GoalResource) -> Response {
        var response = resource.snapshot.response
        response.status = status
        response.headers.append(resource.path, for: .location)
        return response
    }

    private static let refusedMembers = GoalResource.readOnlyMembers.merging([
        "status": #"is not for creation: a new goal is "active", and PATCH moves it on"#
    ]) { $1 }
}
