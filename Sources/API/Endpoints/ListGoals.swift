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
        var fields = try call.query
        let statuses = fields.read(.optional("status", .statuses))
        let search = fields.read(.optional("search", .search, default: nil))
        let currency = fields.read(.optional("currency", .currency))
        let sort = fields.read(.optional("sort", .goalSort, default: .newestChangeFirst))
        let limit = fields.read(.optional("limit", .pageLimit, default: defaultPageLimit))
        let cursor = fields.read(.optional("cursor", .text))
        try fields.end()

        let list = ListIdentity(
            of: call.account,
            "goals",
            statuses.value?.map(\.rawValue).sorted().joined(separator: ","),
            search.value,
            currency.value?.code,
            sort.value.text
        )
        self.list = list
        query = GoalQuery(
            statuses: statuses.value ?? [],
            search: search.value,
            currency: currency.value,
            sort: sort.value.sort,
            limit: limit.value,
            after: try cursor.value.map { try Cursor(given: $0, for: list).position }
        )
    }

    func isBounded(in context: Context) -> Bool {
        query.isBounded
    }

    func run(in context: Context) throws -> Response {
        let account = call.account
        let page = try context.store.goals(query, of: account) { id, change, goal in
            let key = GoalKey(account: account, goal: id)
            return try context.goalTexts.text(of: key, change: change) {
                let goal = try goal()
                return ListedGoal(GoalResource(goal: goal).jsonBytes, of: goal)
            }
        }
        let resource = PageResource(
            items: page.items.map { JSONText(bytes: $0) },
            nextCursor: page.next.map { Cursor($0).text(for: list) }
        )
        return try call.response(with: resource, at: "/goals")
    }
}
