import Goals
import XCTest

@testable import Store

final class AccountLimitTests: XCTestCase {
    func testTakesAsManyAsAnAccountMayHave() async throws {
        let limits = GoalStore.Limits(goals: 2, transactions: 3)
        let store = try memoryStore(options: GoalStore.Options(limits: limits))
        try await store.create(.test(1))
        try await store.create(.test(2))
        for number in 1...3 { try await store.record(.test(number)) }

        await assertThrows(.tooManyGoals(2)) { try await store.create(.test(3)) }
        await assertThrows(.tooManyTransactions(3)) { try await store.record(.test(4), in: 2) }

        // What was created before is answered with, and changes are no creations.
        try await store.create(.test(2))
        try await store.record(.test(3))
        try await store.change(1, TransactionChanges(note: .set(.of("x"))))
        // What is deleted makes room.
        try await store.deleteTransaction(3)
        try await store.record(.test(4), in: 2)
        await assertThrows(.tooManyTransactions(3)) { try await store.record(.test(5), in: 2) }
        try await store.delete(1)
        try await store.create(.test(3))
        for number in 6...7 { try await store.record(.test(number), in: 3) }
        await assertThrows(.tooManyTransactions(3)) { try await store.record(.test(8), in: 2) }
    }
}
