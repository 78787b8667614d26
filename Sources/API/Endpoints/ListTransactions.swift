import Goals
import HTTP
import Store

/// `GET /goals/:id/transactions`: a page of a goal's transactions that meet the conditions.
struct ListTransactions: Query {
    static let takesParameters = true

    private let call: Call
    private let goalID: Goal.ID
    private let query: TransactionQuery
    private let list: ListIdentity

    init(_ call: Call, in context: Context) throws {
        self.call = call
        goalID = try call.goalID
        var fields = try call.query
        let type = fields.read(.optional("transactionType", .transactionType))
        let category = fields.read(.optional("category", .categoryCondition))
        let from = fields.read(.optional("from", .day))
        let to = fields.read(.optional("to", .day(from: from.sound ?? nil)))
        let search = fields.read(.optional("search", .search, default: nil))
        let sort = fields.read(.optional("sort", .transactionSort, default: .latestFirst))
        let limit = fields.read(.optional("limit", .pageLimit, default: defaultPageLimit))
        let cursor = fields.read(.optional("cursor", .text))
        try fields.end()

        let list = ListIdentity(
            of: call.account,
            "transactions",
            goalID.description,
            type.value?.rawValue,
            category.value?.parameter,
            from.value?.description,
            to.value?.description,
            search.value,
            sort.value.text
        )
        self.list = list
        query = TransactionQuery(
            type: type.value,
            category: category.value,
            from: from.value,
            to: to.value,
            search: search.value,
            sort: sort.value.sort,
            limit: limit.value,
            after: try cursor.value.map { try Cursor(given: $0, for: list).position }
        )
    }

    func isBounded(in context: Context) -> Bool {
        query.isBounded
    }

    func run(in context: Context) throws -> Response {
        let goal = try context.goal(call.goalKey)
        let page =
            switch try context.store.transactions(query, in: goalID, of: call.account) {
            case .found(let page): page
            case .deleted: throw Problem.goalDeleted
            case .absent: throw Problem.noSuchGoal
            }
        let resource = PageResource(
            items: page.items.map {
                TransactionResource(transaction: $0, currency: goal.currency)
            },
            nextCursor: page.next.map { Cursor($0).text(for: list) }
        )
        return try call.response(with: resource, at: "/goals/\(goalID)/transactions")
    }
}

extension CategoryCondition {
    /// The condition as the parameter that asks for it.
    fileprivate var parameter: String {
        switch self {
        case .uncategorized: ""
        case .equals(let category): category.text
        }
    }
}
