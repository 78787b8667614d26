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
        let parameters = try call.query
        let start = parameters.peek(.optional("from", .day)) ?? nil
        let (type, category, from, to, search, sort, limit, cursor) = try parameters.read(
            .optional("transactionType", .transactionType),
            .optional("category", .categoryCondition),
            .optional("from", .day),
            .optional("to", .day(from: start)),
            .optional("search", .search, default: nil),
            .optional("sort", .transactionSort, default: .latestFirst),
            .optional("limit", .pageLimit, default: defaultPageLimit),
            .optional("cursor", .text)
        )
        let list = ListIdentity(
            "transactions",
            goalID.description,
            type?.rawValue,
            category?.parameter,
            from?.description,
            to?.description,
            search,
            sort.text
        )
        self.list = list
        query = TransactionQuery(
            type: type,
            category: category,
            from: from,
            to: to,
            search: search,
            sort: sort.sort,
            limit: limit,
            after: try cursor.map { try Cursor(given: $0, for: list).position }
        )
    }

    func isBounded(in context: Context) -> Bool {
        query.isBounded
    }

    func run(in context: Context) throws -> Response {
        let goal = try context.goal(of: call)
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
