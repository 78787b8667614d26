import Goals
import HTTP
import Store

/// `GET /goals`: a page of the goals that meet the conditions.
struct ListGoals: Query {
    static let takesParameters = true

    private let call: Call
    private let query: GoalQuery
    private let list: ListIdentity

    init(_ call: Call, in context: Context) throws {
        self.call = call
        let (statuses, search, currency, sort, limit, cursor) = try call.query.read(
            .optional("status", .statuses),
            .optional("search", .search, default: nil),
            .optional("currency", .currency),
            .optional("sort", .goalSort, default: .newestChangeFirst),
            .optional("limit", .pageLimit, default: defaultPageLimit),
            .optional("cursor", .text)
        )
        let list = ListIdentity(
            "goals",
            statuses?.map(\.rawValue).sorted().joined(separator: ","),
            search,
            currency?.code,
            sort.text
        )
        self.list = list
        query = GoalQuery(
            statuses: statuses ?? [],
            search: search,
            currency: currency,
            sort: sort.sort,
            limit: limit,
            after: try cursor.map { try Cursor(given: $0, for: list).position }
        )
    }

    func isBounded(in context: Context) -> Bool {
        query.isBounded
    }

    func run(in context: Context) throws -> Response {
        let page = try context.store.goals(query, of: call.account)
        let resource = PageResource(
            items: page.items.map { GoalResource(goal: $0) },
            nextCursor: page.next.map { Cursor($0).text(for: list) }
        )
        return try call.response(with: resource, at: "/goals")
    }
}
