import HTTP
import Store

/// `GET /changes`: what has changed in the account since a place in the order of its changes.
struct ListChanges: Query {
    static let takesParameters = true

    private let account: AccountID
    private let position: ChangePosition?
    private let limit: Int

    init(_ call: Call, in context: Context) throws {
        var fields = try call.query
        let since = fields.read(.optional("since", .text))
        let limit = fields.read(.optional("limit", .pageLimit, default: defaultPageLimit))
        try fields.end()

        account = call.account
        position = try call.changePosition(of: since.value, in: "since")
        self.limit = limit.value
    }

    func run(in context: Context) throws -> Response {
        let page = try context.store.changes(after: position, limit: limit, of: account)
        let next = ChangeToken(page.next).text(for: account)
        var headers = HeaderFields.json
        if page.hasMore {
            headers.append("</changes?limit=\(limit)&since=\(next)>; rel=\"next\"", for: .link)
        }
        return Response(
            .ok,
            headers: headers,
            body: ChangePageResource(page: page, next: next).jsonBytes
        )
    }
}
