import HTTP

extension Router<Action> {
    /// Every endpoint there is.
    ///
    /// What this table does not list, the server does not do.
    static let api = Router([
        .get("/livez", open: ShowLiveness.self),
        .get("/readyz", open: ShowReadiness.self),
        .get("/healthz", open: ShowReadiness.self),
        .get("/openapi.yaml", open: ShowContract.self),

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

        .post("/batch", RunBatch.self),
        .get("/changes", ListChanges.self),
        .get("/events", FollowChanges.self),
    ])
}

extension Route<Action> {
    fileprivate static func get(_ pattern: PathPattern, _ endpoint: (some Endpoint).Type) -> Route {
        Route(.get, pattern, Action(endpoint))
    }

    /// One that anybody may ask, without a token.
    fileprivate static func get(
        _ pattern: PathPattern,
        open endpoint: (some Endpoint).Type
    ) -> Route {
        Route(.get, pattern, Action(endpoint, isOpen: true))
    }

    fileprivate static func post(_ pattern: PathPattern, _ command: (some Command).Type) -> Route {
        Route(.post, pattern, Action(command: command))
    }

    fileprivate static func patch(_ pattern: PathPattern, _ command: (some Command).Type) -> Route {
        Route(.patch, pattern, Action(command: command))
    }

    fileprivate static func delete(
        _ pattern: PathPattern,
        _ command: (some Command).Type
    ) -> Route {
        Route(.delete, pattern, Action(command: command))
    }
}
