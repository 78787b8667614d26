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

    init(_ call: Call, in context: Context) throws {
        let goal = try context.goal(of: call)
        account = call.account
        goalID = goal.id
        currency = goal.currency
        id = try context.transaction(of: call).id
        precondition = try call.precondition
        let (type, amount, date, category, note) = try call.body(as: .patch).read(
            .change("transactionType", .transactionType),
            .change("amount", .amount(in: currency)),
            .change("date", .day),
            .change("category", .orNull(.category)),
            .change("note", .note, clearedTo: .empty),
            refusing: Self.refusedMembers
        )
        changes = TransactionChanges(
            type: type,
            amount: amount,
            date: date,
            category: category,
            note: note
        )
    }

    func run(in context: Context) async throws -> Response {
        let transaction = try await blaming(
            changes.amount == .keep ? "/transactionType" : "/amount"
        ) {
            try await context.store.write {
                try $0.update(id, in: goalID, with: changes, if: precondition, of: account)
            }
        }
        return TransactionResource(transaction: transaction, currency: currency).snapshot.response
    }

    private static let refusedMembers = TransactionResource.readOnlyMembers.merging([
        "id": "is read-only"
    ]) { $1 }
}
