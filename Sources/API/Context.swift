import Goals
import HTTP
import Store

/// What endpoints need besides the call.
struct Context: Sendable {
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

    /// The batch that a call is part of, as far as it has been read; `nil` for a call of its own.
    var batch: BatchScope?

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
    /// The goal of a call, as it is now.
    ///
    /// - Throws: ``Problem`` if there is none.
    func goal(of call: Call) throws -> Goal {
        switch try store.goal(call.goalID, of: call.account) {
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
        if let currency = batch?.openedGoals[id] { return currency }
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
        guard batch == nil else { return }
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
