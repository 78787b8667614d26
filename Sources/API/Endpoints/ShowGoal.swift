import Goals
import HTTP
import Store

/// `GET /goals/:id`: a goal, from the cache if it is there.
struct ShowGoal: Query {
    private let request: Request
    private let key: GoalKey

    init(_ call: Call, in context: Context) throws {
        request = call.request
        key = try call.goalKey
    }

    func run(in context: Context) throws -> Response {
        let snapshot = try context.cache.snapshot(.goal, of: key) {
            GoalResource(goal: try context.goal(key)).snapshot
        }
        return try request.respond(with: snapshot)
    }
}
