import HTTP

extension Router<Action> {
    /// Every endpoint there is.
    ///
    /// What this table does not list, the server does not do.
    static let api = Router([
        .get("/livez", ShowLiveness.self),
        .get("/readyz", ShowReadiness.self),
        .get("/healthz", ShowReadiness.self),
        .get("/openapi.yaml", ShowContract.self),

        .get("/goals/:goal", ShowGoal.self),
        .get("/goals/:goal/statistics", ShowStatistics.self),
        .get("/goals", ListGoals.self),
        .post("/goals", CreateGoal.self),
        .patch("/goals/:goal", UpdateGoal.self),
        .delete("/goals/:goal", DeleteGoal.self),

        .get("/goals/:goal/transactions", ListTransactions.self),
        .post("/goals/:goal/transactions", RecordTransaction.self),
        .get("/goals/:goal/transactions/:transaction", ShowTransaction.self),
        .patch("/goals/:goal/transactions/:transaction", UpdateTransaction.self),
        .delete("/goals/:goal/transactions/:transaction", DeleteTransaction.self),
    ])
}

/// What the table has for a method and a path.
typealias Action = @Sendable (Call, Context) throws -> Outcome

extension Route<Action> {
    fileprivate static func route(
        _ method: HTTP.Method,
        _ pattern: PathPattern,
        _ endpoint: (some Endpoint).Type
    ) -> Route {
        Route(method, pattern) { call, context in
            if !endpoint.takesParameters, call.request.query != nil {
                try call.query.end()
            }
            return try endpoint.init(call, in: context).outcome(in: context)
        }
    }

    fileprivate static func get(_ pattern: PathPattern, _ endpoint: (some Endpoint).Type) -> Route {
        route(.get, pattern, endpoint)
    }

    fileprivate static func post(_ pattern: PathPattern, _ endpoint: (some Endpoint).Type) -> Route
    {
        route(.post, pattern, endpoint)
    }

    fileprivate static func patch(_ pattern: PathPattern, _ endpoint: (some Endpoint).Type) -> Route
    {
        route(.patch, pattern, endpoint)
    }

    fileprivate static func delete(_ pattern: PathPattern, _ endpoint: (some Endpoint).Type)
        -> Route
    {
        route(.delete, pattern, endpoint)
    }
}
