import Goals
import HTTP
import Store

/// `GET /goals/:id/transactions/:id`: a transaction.
struct ShowTransaction: Query {
    private let call: Call

    init(_ call: Call, in context: Context) {
        self.call = call
    }

    func run(in context: Context) throws -> Response {
        let resource = TransactionResource(
            transaction: try context.transaction(of: call),
            currency: try context.goal(call.goalKey).currency
        )
        return try call.request.respond(with: resource.snapshot)
    }
}
