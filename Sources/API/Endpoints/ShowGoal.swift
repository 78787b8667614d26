import Goals
import HTTP
import Store

/// `GET /goals/:id`: a goal, from the cache if it is there.
struct ShowGoal: Query {
    private let call: Call
    private let key: GoalKey

    init(_ call: Call, in context: Context) throws {
        self.call = call
        key = GoalKey(account: call.account, goal: try call.goalID)
    }

    func run(in context: Context) throws -> Response {
        let snapshot = try context.cache.snapshot(.goal, of: key) {
            GoalResource(goal: try context.goal(of: call)).snapshot
        }
        return try call.respond(with: snapshot)
    }
}
