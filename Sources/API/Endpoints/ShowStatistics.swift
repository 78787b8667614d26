import Goals
import HTTP
import Store

/// `GET /goals/:id/statistics`: how a goal stands, from the cache if it is there.
struct ShowStatistics: Endpoint {
    static let takesParameters = true

    /// How long a history may be for its report to be made right where the request came in.
    private static let boundedTransactions = 10_000

    private let request: Request
    private let key: GoalKey
    private let query: StatisticsQuery

    init(_ call: Call, in context: Context) throws {
        request = call.request
        key = try call.goalKey
        guard call.request.target.queryBytes != nil else {
            // Most ask without parameters, and what they ask for is in the cache: to read six fields
            // of nothing would be most of the work.
            let zone = context.settings.timeZone
            query = StatisticsQuery(asOf: zone.day(of: context.now()), timeZone: zone.name)
            return
        }

        var fields = try call.query
        let asOf = fields.read(.optional("asOf", .day))
        let zone = fields.read(
            .optional("timeZone", .zone(in: context.zones), default: context.settings.timeZone)
        )
        let onlyExpenses = fields.read(.optional("onlyExpenses", .flag, default: false))
        let from = fields.read(.optional("from", .day))
        let to = fields.read(.optional("to", .day(from: from.sound ?? nil)))
        let category = fields.read(.optional("category", .categoryCondition))
        try fields.end()

        query = StatisticsQuery(
            asOf: asOf.value ?? zone.value.day(of: context.now()),
            timeZone: zone.value.name,
            filter: StatisticsFilter(
                onlyExpenses: onlyExpenses.value,
                from: from.value,
                to: to.value,
                category: category.value
            )
        )
    }

    func outcome(in context: Context) throws -> Outcome {
        if let snapshot = context.cache.kept(.statistics(query), of: key) {
            return .ready(try request.respond(with: snapshot))
        }
        do {
            return .ready(try response(in: context, upTo: Self.boundedTransactions))
        } catch is LongHistory {
            return .pending {
                try await context.store.inBackground { _ in try response(in: context, upTo: .max) }
            }
        }
    }

    private func response(in context: Context, upTo most: Int) throws -> Response {
        let snapshot = try context.cache.snapshot(.statistics(query), of: key) {
            try calculate(in: context, upTo: most)
        }
        return try request.respond(with: snapshot)
    }

    private func calculate(in context: Context, upTo most: Int) throws -> Snapshot {
        let found = try context.store.ledger(of: key.goal, for: query, of: key.account, upTo: most)
        let ledger =
            switch found {
            case .found(let ledger): ledger
            case .deleted: throw Problem.goalDeleted
            case .absent: throw Problem.noSuchGoal
            }
        let statistics = GoalStatistics(
            of: ledger.goal,
            totals: ledger.totals,
            recent: ledger.recent,
            query: query
        )
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
