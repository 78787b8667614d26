import Goals
import HTTP
import Store

/// `GET /goals/:id/statistics`: how a goal stands, from the cache if it is there.
struct ShowStatistics: Query {
    static let takesParameters = true

    /// How long a history may be for its report to be made right where the request came in.
    private static let boundedTransactions = 10_000

    private let call: Call
    private let key: GoalKey
    private let query: StatisticsQuery

    init(_ call: Call, in context: Context) throws {
        self.call = call
        key = GoalKey(account: call.account, goal: try call.goalID)
        guard call.request.query != nil else {
            // Most ask without parameters. To read them takes longer than all the rest.
            let zone = context.settings.timeZone
            query = StatisticsQuery(asOf: zone.day(of: context.now()), timeZone: zone.name)
            return
        }

        let parameters = try call.query
        let from = parameters.peek(.optional("from", .day)) ?? nil
        let (asOf, zone, onlyExpenses, _, to, category) = try parameters.read(
            .optional("asOf", .day),
            .optional("timeZone", .zone(in: context.zones), default: context.settings.timeZone),
            .optional("onlyExpenses", .flag, default: false),
            .optional("from", .day),
            .optional("to", .day(from: from)),
            .optional("category", .categoryCondition)
        )
        query = StatisticsQuery(
            asOf: asOf ?? zone.day(of: context.now()),
            timeZone: zone.name,
            filter: StatisticsFilter(
                onlyExpenses: onlyExpenses,
                from: from,
                to: to,
                category: category
            )
        )
    }

    func isBounded(in context: Context) throws -> Bool {
        if context.cache.contains(.statistics(query), of: key) { return true }
        return try context.goal(of: call).transactionCount <= Self.boundedTransactions
    }

    func run(in context: Context) throws -> Response {
        let snapshot = try context.cache.snapshot(.statistics(query), of: key) {
            try calculate(in: context)
        }
        return try call.respond(with: snapshot)
    }

    private func calculate(in context: Context) throws -> Snapshot {
        let ledger =
            switch try context.store.ledger(of: key.goal, for: query, of: key.account) {
            case .found(let ledger): ledger
            case .deleted: throw Problem.goalDeleted
            case .absent: throw Problem.noSuchGoal
            }
        let statistics = GoalStatistics(of: ledger.goal, totals: ledger.totals, query: query)
        return Snapshot(
            StatisticsResource(statistics: statistics).jsonBytes,
            etag: ETag(revision: ledger.goal.revision, query)
        )
    }
}

extension ETag {
    /// The tag of a report, which changes exactly when its bytes may: with the revision, the day,
    /// the filter, the zone's name and the form of the report.
    fileprivate init(revision: Int, _ query: StatisticsQuery) {
        let filter = query.filter
        var checksum = Checksum()
        checksum.add([StatisticsResource.representationVersion, filter.onlyExpenses ? 1 : 0])
        checksum.add(query.timeZone.utf8)
        for day in [filter.from, filter.to] {
            checksum.add((day?.description ?? "").utf8)
        }
        switch filter.category {
        case nil: checksum.add([0])
        case .uncategorized?: checksum.add([1])
        case .equals(let category)?: checksum.add(category.text.utf8)
        }
        let day = query.asOf.description.filter { $0 != "-" }
        self.init("\(revision)-\(day)-\(String(checksum.value, radix: 16))")
    }
}
