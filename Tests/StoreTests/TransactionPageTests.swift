import Goals
import Store
import XCTest

final class TransactionPageTests: XCTestCase {
    func testSortsByEveryField() async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        try await store.create(.test())
        for (number, amount, date) in [
            (1, 30, "2027-01-02"), (2, 10, "2027-01-02"), (3, 30, "2027-01-01"),
        ] as [(Int, Int64, String)] {
            clock.advance(by: 1)
            try await store.record(.test(number, .income, amount, on: date))
        }

        let orders: [(TransactionSort, [Int])] = [
            (TransactionSort(.date), [3, 1, 2]),
            (TransactionSort(.date, descending: true), [2, 1, 3]),
            (TransactionSort(.amount), [2, 1, 3]),
            (TransactionSort(.amount, descending: true), [3, 1, 2]),
            (TransactionSort(.createdAt), [1, 2, 3]),
            (TransactionSort(.createdAt, descending: true), [3, 2, 1]),
        ]
        for (sort, numbers) in orders {
            XCTAssertEqual(
                try store.transactions(TransactionQuery(sort: sort)).map(\.id),
                numbers.map { .number($0) },
                "\(sort)"
            )
        }
    }

    func testShowsEveryTransactionOnceWhateverComesAndGoes() async throws {
        let sorts = TransactionSort.Field.allCases.flatMap {
            [TransactionSort($0), TransactionSort($0, descending: true)]
        }
        for sort in sorts {
            let store = try memoryStore()
            try await store.create(.test())
            try await store.write { transaction in
                for number in stride(from: 2, through: 1_000, by: 2) {
                    _ = try transaction.record(
                        .test(number),
                        in: .number(1),
                        today: today,
                        of: .default
                    )
                }
            }
            var seen: [Transaction.ID] = []
            var deleted: Set<Transaction.ID> = []
            var query = TransactionQuery(sort: sort, limit: 7)
            repeat {
                let page = try store.transactions(query, in: .number(1), of: .default).value
                seen += page.items.map(\.id)
                query.after = page.next
                guard let last = page.items.last, page.next != nil else { break }
                let number = Int(last.id.low & 0xFFFF)
                try await store.write { transaction in
                    try transaction.delete(last.id, in: .number(1), if: .none, of: .default)
                    for number in [number - 1, number + 1] {
                        _ = try transaction.record(
                            .test(number),
                            in: .number(1),
                            today: today,
                            of: .default
                        )
                    }
                }
                deleted.insert(last.id)
            } while query.after != nil

            XCTAssertEqual(Set(seen).count, seen.count, "\(sort): a transaction came twice")
            let standing = stride(from: 2, through: 1_000, by: 2)
                .map { Transaction.ID.number($0) }
                .filter { !deleted.contains($0) }
            XCTAssertTrue(Set(seen).isSuperset(of: standing), "\(sort): one was left out")
        }
    }

    func testShowsOnlyWhatMeetsAllConditions() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        try await store.create(.test(2))
        try await store.record(.test(1, .income, 10, on: "2027-01-01", category: "Über"))
        try await store.record(.test(2, .expense, 20, on: "2027-01-02", category: "Food"))
        try await store.record(.test(3, .expense, 30, on: "2027-01-03", note: "50% über"))
        try await store.record(.test(4, .expense, 40, on: "2027-01-04", category: "food"))
        try await store.record(.test(5), in: 2)

        func numbers(_ query: TransactionQuery) throws -> [UInt64] {
            try store.transactions(query).map { $0.id.low & 0xFFFF }
        }
        for field in TransactionSort.Field.allCases {
            let sort = TransactionSort(field)
            let cases: [(TransactionQuery, [UInt64])] = [
                (TransactionQuery(sort: sort), [1, 2, 3, 4]),
                (TransactionQuery(type: .expense, sort: sort), [2, 3, 4]),
                (TransactionQuery(category: .equals(.of("Food")), sort: sort), [2]),
                (TransactionQuery(category: .uncategorized, sort: sort), [3]),
                (TransactionQuery(from: .of("2027-01-02"), sort: sort), [2, 3, 4]),
                (TransactionQuery(to: .of("2027-01-02"), sort: sort), [1, 2]),
                (
                    TransactionQuery(from: .of("2027-01-02"), to: .of("2027-01-03"), sort: sort),
                    [2, 3]
                ),
                (
                    TransactionQuery(from: .of("2027-01-03"), to: .of("2027-01-02"), sort: sort),
                    []
                ),
                (TransactionQuery(search: "UBER", sort: sort), [1, 3]),
                (TransactionQuery(search: "%", sort: sort), [3]),
                (TransactionQuery(type: .income, search: "uber", sort: sort), [1]),
            ]
            for (query, expected) in cases {
                XCTAssertEqual(try numbers(query), expected, "\(query)")
            }
        }
    }

    func testKeepsToTheDaysFromPageToPage() async throws {
        let store = try memoryStore()
        try await store.create(.test())
        for number in 1...9 {
            try await store.record(.test(number, on: "2027-01-0\(number)"))
        }
        for descending in [false, true] {
            var query = TransactionQuery(
                from: .of("2027-01-03"),
                to: .of("2027-01-07"),
                sort: TransactionSort(.date, descending: descending),
                limit: 2
            )
            var days: [String] = []
            repeat {
                let page = try store.transactions(query, in: .number(1), of: .default).value
                days += page.items.map { "\($0.date)" }
                query.after = page.next
            } while query.after != nil

            let expected = (3...7).map { "2027-01-0\($0)" }
            XCTAssertEqual(days, descending ? expected.reversed() : expected)
        }
    }

    func testTellsQueriesThatAnIndexServes() {
        XCTAssertTrue(TransactionQuery().isBounded)
        XCTAssertTrue(TransactionQuery(from: today, to: today).isBounded)
        XCTAssertTrue(TransactionQuery(sort: TransactionSort(.amount)).isBounded)
        XCTAssertFalse(TransactionQuery(from: today, sort: TransactionSort(.amount)).isBounded)
        XCTAssertFalse(TransactionQuery(type: .income).isBounded)
        XCTAssertFalse(TransactionQuery(category: .uncategorized).isBounded)
        XCTAssertFalse(TransactionQuery(search: "a").isBounded)
    }
}
