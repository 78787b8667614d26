import Goals
import HTTP
import Store

/// `POST /goals/:id/transactions`: records income or an expense, or answers with it if it was
/// recorded before.
struct RecordTransaction: Command {
    private let account: AccountID
    private let goalID: Goal.ID
    private let currency: Currency
    private let new: NewTransaction
    private let isNewID: Bool
    private let today: CalendarDay
    private let amountPointer: String

    init(_ call: Call, in context: Context) throws {
        try call.refuseConditions()
        account = call.account
        goalID = try call.goalID
        currency = try context.currency(of: call)
        today = context.today
        amountPointer = call.pointer(to: "amount")

        var fields = try call.body()
        let id = fields.read(.optional("id", .transactionID))
        let type = fields.read(.required("transactionType", .transactionType))
        let amount = fields.read(.required("amount", .amount(in: currency)))
        let date = fields.read(.optional("date", .day))
        let category = fields.read(.optional("category", .orNull(.category), default: nil))
        let note = fields.read(.optional("note", .note, default: .empty))
        try fields.end(refusing: TransactionResource.readOnlyMembers)

        isNewID = id.value == nil
        new = NewTransaction(
            id: id.value ?? context.newID(),
            type: type.value,
            amount: amount.value,
            date: date.value,
            category: category.value,
            note: note.value
        )
    }

    func change(in transaction: WriteTransaction) throws -> Creation<Transaction> {
        try blaming(amountPointer) {
            try transaction.record(
                new,
                isNewID: isNewID,
                in: goalID,
                today: today,
                of: account
            )
        }
    }

    func response(to creation: Creation<Transaction>) -> Response {
        switch creation {
        case .created(let transaction): response(.created, transaction)
        case .existing(let transaction): response(.ok, transaction)
        }
    }

    private func response(_ status: Status, _ transaction: Transaction) -> Response {
        let resource = TransactionResource(transaction: transaction, currency: currency)
        var response = resource.response
        response.status = status
        response.headers.append(bytes: resource.path.span, for: .location)
        return response
    }
}
