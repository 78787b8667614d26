import Goals
import Synchronization
import XCTest

@testable import Store

/// A clock that stands still until it is told otherwise.
final class TestClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_800_000_000_000)

    var now: Moment {
        Moment(millisecondsSinceEpoch: milliseconds.withLock { $0 })
    }

    func advance(by milliseconds: Int64) {
        self.milliseconds.withLock { $0 += milliseconds }
    }
}

/// Opens a store in memory.
func memoryStore(
    _ clock: TestClock = TestClock(),
    options: GoalStore.Options = .init()
) throws -> GoalStore {
    try GoalStore(at: .memory, options: options, now: { clock.now })
}

/// Opens a store in a file.
func fileStore(
    _ path: String,
    _ clock: TestClock = TestClock(),
    options: GoalStore.Options = .init()
) throws -> GoalStore {
    try GoalStore(at: .file(path), options: options, now: { clock.now })
}

extension GoalStore {
    /// A page of goals as they are.
    func goals(_ query: GoalQuery, of account: AccountID) throws -> Page<Goal> {
        let page = try goals(query, of: account) { id, _, goal in
            ListedGoal(Array(id.description.utf8), of: try goal())
        }
        let goals = try page.items.map { item in
            let id = try XCTUnwrap(Goal.ID(String(decoding: item, as: UTF8.self)))
            return try goal(id, of: account).value
        }
        return Page(items: goals, next: page.next)
    }
}

let today = CalendarDay.of("2027-01-15")

extension CalendarDay {
    static func of(_ text: String) -> CalendarDay {
        guard let day = CalendarDay(text) else { preconditionFailure("\(text) is no day.") }
        return day
    }
}

extension Title {
    static func of(_ text: String) -> Title {
        guard let title = Title(text) else { preconditionFailure("\(text) is no title.") }
        return title
    }
}

extension Note {
    static func of(_ text: String) -> Note {
        guard let note = Note(text) else { preconditionFailure("\(text) is no note.") }
        return note
    }
}

extension Goals.Category {
    static func of(_ text: String) -> Goals.Category {
        guard let category = Category(text) else { preconditionFailure("\(text) is none.") }
        return category
    }
}

extension Currency {
    static func of(_ code: String) -> Currency {
        guard let currency = Currency(code) else { preconditionFailure("\(code) is none.") }
        return currency
    }
}

extension Identifier {
    /// An identifier by number.
    static func number(_ number: Int) -> Self {
        Self(high: 0x0199_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }
}

extension NewGoal {
    static func test(
        _ number: Int = 1,
        title: String = "Trip",
        note: String = "",
        currency: String = "USD",
        target: Int64? = 100_000,
        starting: Int64 = 0,
        planned: String? = nil
    ) -> NewGoal {
        NewGoal(
            id: .number(number),
            title: .of(title),
            note: .of(note),
            currency: .of(currency),
            targetAmount: target.map { Money(minorUnits: $0) },
            startingAmount: Money(minorUnits: starting),
            plannedCompletionDate: planned.map { .of($0) }
        )
    }
}

extension NewTransaction {
    static func test(
        _ number: Int = 1,
        _ type: Transaction.Kind = .income,
        _ amount: Int64 = 100,
        on date: String? = nil,
        category: String? = nil,
        note: String = ""
    ) -> NewTransaction {
        NewTransaction(
            id: .number(number),
            type: type,
            amount: Money(minorUnits: amount),
            date: date.map { .of($0) },
            category: category.map { .of($0) },
            note: .of(note)
        )
    }
}

// The store as the tests use it: one account, and values in place of outcomes.

extension GoalStore {
    @discardableResult
    func create(_ new: NewGoal) async throws -> Goal {
        try await write { try $0.create(new, of: .default) }.value
    }

    @discardableResult
    func record(_ new: NewTransaction, in goal: Int = 1) async throws -> Transaction {
        try await write {
            try $0.record(new, in: .number(goal), today: today, of: .default)
        }.value
    }

    @discardableResult
    func change(
        _ changes: GoalChanges,
        of goal: Int = 1,
        if precondition: Precondition = .none
    ) async throws -> Goal {
        try await write {
            try $0.update(.number(goal), with: changes, if: precondition, of: .default)
        }
    }

    @discardableResult
    func change(
        _ number: Int,
        _ changes: TransactionChanges,
        in goal: Int = 1
    ) async throws -> Transaction {
        try await write {
            try $0.update(
                .number(number),
                in: .number(goal),
                with: changes,
                if: .none,
                of: .default
            )
        }
    }

    func delete(_ goal: Int, if precondition: Precondition = .none) async throws {
        try await write { try $0.delete(.number(goal), if: precondition, of: .default) }
    }

    func deleteTransaction(
        _ number: Int,
        in goal: Int = 1,
        if precondition: Precondition = .none
    ) async throws {
        try await write {
            try $0.delete(.number(number), in: .number(goal), if: precondition, of: .default)
        }
    }

    func goal(_ number: Int = 1) throws -> Lookup<Goal> {
        try goal(.number(number), of: .default)
    }

    func transaction(_ number: Int, in goal: Int = 1) throws -> Lookup<Transaction> {
        try transaction(.number(number), in: .number(goal), of: .default)
    }

    func titles(_ query: GoalQuery) throws -> [String] {
        try goals(query, of: .default).items.map(\.title.text)
    }

    func transactions(
        _ query: TransactionQuery = .init(),
        in goal: Int = 1
    ) throws -> [Transaction] {
        try transactions(query, in: .number(goal), of: .default).value.items
    }
}

extension Creation {
    var value: Value {
        switch self {
        case .created(let value), .existing(let value): value
        }
    }
}

extension Lookup {
    /// What was found.
    var value: Value {
        get throws {
            guard case .found(let value) = self else { throw NotFound() }
            return value
        }
    }

    struct NotFound: Error {}
}

/// Asserts that a command is refused, and how.
func assertThrows(
    _ expected: StoreError,
    file: StaticString = #filePath,
    line: UInt = #line,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        XCTFail("Nothing was thrown instead of \(expected)", file: file, line: line)
    } catch {
        XCTAssertEqual(error as? StoreError, expected, "\(error)", file: file, line: line)
    }
}
