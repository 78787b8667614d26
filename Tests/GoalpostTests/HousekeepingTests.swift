import Goals
import Store
import XCTest

@testable import goalpost

final class HousekeepingTests: XCTestCase {
    func testLetsGoOfWhatIsOlderThanItIsKeptFor() async throws {
        let day: Int64 = 24 * 60 * 60 * 1_000
        let start = Moment(millisecondsSinceEpoch: 1_800_000_000_000)
        let store = try GoalStore(at: .memory, now: { start })
        defer { store.close() }
        let id = try XCTUnwrap(Goal.ID("01990000-0000-7000-8000-000000000001"))
        try await store.write { transaction in
            let title = try XCTUnwrap(Title("Boat"))
            let currency = try XCTUnwrap(Currency("EUR"))
            _ = try transaction.create(
                NewGoal(id: id, title: title, currency: currency),
                of: .default
            )
            try transaction.delete(id, if: .none, of: .default)
        }
        let housekeeping = Housekeeping(of: store, keepingDeletionsFor: 90) { error in
            XCTFail("\(error)")
        }

        await housekeeping.tidyUp(at: start.adding(milliseconds: 90 * day))
        XCTAssertEqual(try store.goal(id, of: .default), .deleted)
        await housekeeping.tidyUp(at: start.adding(milliseconds: 90 * day + 1))
        XCTAssertEqual(try store.goal(id, of: .default), .absent)
    }

    func testSaysNothingOfAStoreThatIsClosed() async throws {
        let store = try GoalStore(at: .memory, now: { Moment(millisecondsSinceEpoch: 0) })
        let housekeeping = Housekeeping(of: store, keepingDeletionsFor: 90) { error in
            XCTFail("\(error)")
        }
        store.close()

        await housekeeping.tidyUp(at: Moment(millisecondsSinceEpoch: 0))
    }
}
