import Goals
import HTTP
import Store

/// What endpoints need besides the call.
///
/// A class, so that to hand it on counts one reference and not a dozen.
final class Context: Sendable {
    let store: GoalStore
    let access: Access
    let cache: SnapshotCache
    let goalTexts: GoalTexts
    let hub: ChangeHub
    let zones = Zones()
    let settings: APISettings
    let now: @Sendable () -> Moment
    let random: @Sendable () -> UInt64
    let report: @Sendable (any Error, RequestID) -> Void
    let figures: @Sendable () -> [Figure]

    init(
        store: GoalStore,
        access: Access,
        cache: SnapshotCache,
        goalTexts: GoalTexts,
        hub: ChangeHub,
        settings: APISettings,
        now: @escaping @Sendable () -> Moment,
        random: @escaping @Sendable () -> UInt64,
        report: @escaping @Sendable (any Error, RequestID) -> Void,
        figures: @escaping @Sendable () -> [Figure]
    ) {
        self.store = store
        self.access = access
        self.cache = cache
        self.goalTexts = goalTexts
        self.hub = hub
        self.settings = settings
        self.now = now
        self.random = random
        self.report = report
        self.figures = figures
    }

    /// The day it is, in the server's zone.
    var today: CalendarDay {
        settings.timeZone.day(of: now())
    }

    /// Makes an id that nothing has yet.
    func newID<Entity>() -> Identifier<Entity> {
        var generator = Generator(random: random)
        return .version7(at: now(), using: &generator)
    }
}

private struct Generator: RandomNumberGenerator {
    let random: @Sendable () -> UInt64

    func next() -> UInt64 {
        random()
    }
}

// MARK: - What the path names

extension Context {
    /// A goal, as it is now.
    ///
    /// - Throws: ``Problem`` if there is none.
    func goal(_ key: GoalKey) throws -> Goal {
        switch try store.goal(key.goal, of: key.account) {
        case .found(let goal): goal
        case .deleted: throw Problem.goalDeleted
        case .absent: throw Problem.noSuchGoal
        }
    }

    /// The currency of the goal of a call, which amounts are read in.
    ///
    /// - Throws: ``Problem`` if there is no such goal, and none is opened before in the same batch.
    func currency(of call: Call) throws -> Currency {
        let id = try call.goalID
        if let currency = call.part?.openedGoals[id] { return currency }
        switch try store.currency(of: id, of: call.account) {
        case .found(let currency): return currency
        case .deleted: throw Problem.goalDeleted
        case .absent: throw Problem.noSuchGoal
        }
    }

    /// Checks that there is a transaction to change, before anything is said about the change.
    ///
    /// In a batch that is known only when its turn has come.
    ///
    /// - Throws: ``Problem`` if there is none, or none in this goal.
    func expectTransaction(of call: Call) throws {
        guard call.part == nil else { return }
        _ = try transaction(of: call)
    }

    /// The transaction of a call, as it is now.
    ///
    /// - Throws: ``Problem`` if there is none, or none in this goal.
    func transaction(of call: Call) throws -> Transaction {
        switch try store.transaction(call.transactionID, in: call.goalID, of: call.account) {
        case .found(let transaction): transaction
        case .deleted: throw Problem.transactionDeleted
        case .absent: throw Problem.noSuchTransaction
        }
    }
}
