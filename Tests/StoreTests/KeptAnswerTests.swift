import Goals
import XCTest

@testable import Store

final class KeptAnswerTests: XCTestCase {
    private let clock = TestClock()
    private let answer = KeptAnswer(request: -1, status: 201, fields: "a: b", body: [0, 255])

    func testIsKnownUntilItExpires() async throws {
        let store = try memoryStore(clock)
        try await keep(answer, in: store)

        XCTAssertEqual(try store.keptAnswer(for: "k", of: .default, at: clock.now), answer)
        XCTAssertNil(try store.keptAnswer(for: "K", of: .default, at: clock.now))
        let other = AccountID(rawValue: 2)
        XCTAssertNil(try store.keptAnswer(for: "k", of: other, at: clock.now))

        clock.advance(by: 1_000)
        XCTAssertNil(try store.keptAnswer(for: "k", of: .default, at: clock.now))
        let later = KeptAnswer(request: 2, status: 200, fields: "", body: [])
        try await keep(later, in: store)
        XCTAssertEqual(try store.keptAnswer(for: "k", of: .default, at: clock.now), later)
    }

    func testIsGoneWithTheCommandThatFails() async throws {
        let store = try memoryStore(clock)

        await assertThrows(.goalAbsent) {
            try await store.write { [answer, clock] transaction in
                try transaction.keep(answer, for: "k", until: clock.later, of: .default)
                try transaction.delete(.number(1), if: .none, of: .default)
            }
        }

        XCTAssertNil(try store.keptAnswer(for: "k", of: .default, at: clock.now))
    }

    func testIsThereAfterARestart() async throws {
        let path = try temporaryFolder() + "/a.sqlite"
        let store = try fileStore(path, clock)
        try await keep(answer, in: store)
        store.close()

        let reopened = try fileStore(path, clock)
        XCTAssertEqual(try reopened.keptAnswer(for: "k", of: .default, at: clock.now), answer)
    }

    func testIsForgottenWhenItsTimeIsOver() async throws {
        let store = try memoryStore(clock)
        try await store.write { [answer, clock] transaction in
            for number in 1...450 {
                try transaction.keep(answer, for: "\(number)", until: clock.later, of: .default)
            }
        }

        var forgotten: [Int] = []
        for _ in 1...2 {
            forgotten.append(
                try await store.forgetExpired(at: clock.now, deletionsBefore: clock.now)
            )
            clock.advance(by: 1_000)
        }
        XCTAssertEqual(forgotten, [0, 450])
    }

    func testTheOldestMakeRoom() async throws {
        let path = try temporaryFolder() + "/a.sqlite"
        let store = try fileStore(path, clock)
        let large = KeptAnswer(
            request: 1,
            status: 200,
            fields: "",
            body: Array(repeating: 1, count: GoalStore.mostKeptBytes / 4)
        )
        for number in 1...6 {
            try await store.write { [clock] transaction in
                try transaction.keep(large, for: "\(number)", until: clock.later, of: .default)
            }
            clock.advance(by: 1)
        }

        let kept = try (1...6).filter {
            try store.keptAnswer(for: "\($0)", of: .default, at: clock.now) != nil
        }
        XCTAssertEqual(kept, [3, 4, 5, 6])
        // Those of others stay, and one after the other goes when its time is over.
        clock.advance(by: 1_000)
        let count = try await store.forgetExpired(at: clock.now, deletionsBefore: clock.now)
        XCTAssertEqual(count, 4)
        try await keep(answer, in: store)
        XCTAssertEqual(try DataCheck(ofFileAt: path).findings, [])
    }

    private func keep(_ answer: KeptAnswer, in store: GoalStore) async throws {
        try await store.write { [clock] in
            try $0.keep(answer, for: "k", until: clock.later, of: .default)
        }
    }
}

extension TestClock {
    fileprivate var later: Moment {
        Moment(millisecondsSinceEpoch: now.millisecondsSinceEpoch + 1_000)
    }
}
