import Goals
import HTTP
import Store

/// `PATCH /goals/:id/transactions/:id`: changes what the body names, and leaves the rest as it is.
struct UpdateTransaction: Command {
    private let account: AccountID
    private let goalID: Goal.ID
    private let id: Transaction.ID
    private let currency: Currency
    private let precondition: Precondition
    private let changes: TransactionChanges
    private let amountPointer: String

    init(_ call: Call, in context: Context) throws {
        account = call.account
        goalID = try call.goalID
        currency = try context.currency(of: call)
        id = try call.transactionID
        try context.expectTransaction(of: call)
        precondition = try call.precondition

        var fields = try call.body(as: .patch)
        let type = fields.read(.change("transactionType", .transactionType))
        let amount = fields.read(.change("amount", .amount(in: currency)))
        let date = fields.read(.change("date", .day))
        let category = fields.read(.change("category", .orNull(.category)))
        let note = fields.read(.change("note", .note, clearedTo: .empty))
        try fields.end(refusing: Self.refusedMembers)

        changes = TransactionChanges(
            type: type.value,
            amount: amount.value,
            date: date.value,
            category: category.value,
            note: note.value
        )
        amountPointer = call.pointer(
            to: changes.amount == .keep ? "transactionType" : "amount"
        )
    }

    func change(in transaction: WriteTransaction) throws -> Transaction {
        try blaming(amountPointer) {
            try transaction.update(id, in: goalID, with: changes, if: precondition, of: account)
        }
    }

    func response(to transaction: Transaction) -> Response {
        TransactionResource(transaction: transaction, currency: currency).response
    }

    private static let refusedMembers = TransactionResource.readOnlyMembers.merging([
        "id": "is read-only"
    ]) { $1 }
}
