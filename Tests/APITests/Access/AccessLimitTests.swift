import Goals
import HTTP
import Store
import XCTest

@testable import API

final class AccessLimitTests: XCTestCase {
    private let policy = RequestBudget.Policy(requestsPerMinute: 3)

    func testABudgetIsSpentAndFillsEvenly() {
        var budget = RequestBudget()
        let grants = (0..<4).map { _ in budget.take(policy, at: at(0)) }

        XCTAssertEqual(grants.map(\.remaining), [2, 1, 0, 0])
        XCTAssertEqual(grants.map(\.isGranted), [true, true, true, false])
        XCTAssertEqual(grants.map(\.secondsToFull), [20, 40, 60, 60])
        XCTAssertEqual(grants.map(\.secondsToWait), [0, 0, 0, 20])

        XCTAssertFalse(budget.take(policy, at: at(19_999)).isGranted)
        XCTAssertEqual(budget.take(policy, at: at(19_999)).secondsToWait, 1)
        XCTAssertTrue(budget.take(policy, at: at(20_000)).isGranted)
        XCTAssertFalse(budget.take(policy, at: at(20_001)).isGranted)
        XCTAssertEqual(budget.take(policy, at: at(200_000)).remaining, 2)
    }

    func testABudgetIsNeverEmptierThanEmpty() {
        var budget = RequestBudget()
        for _ in 0..<10 { _ = budget.take(policy, at: at(1_000_000_000)) }

        // The clock was put back by more than a week.
        let refused = budget.take(policy, at: at(0))

        XCTAssertFalse(refused.isGranted)
        XCTAssertEqual(refused.secondsToWait, 20)
    }

    func testABudgetMayHoldAsMuchAsAnybodyWants() {
        var budget = RequestBudget()
        let policy = RequestBudget.Policy(requestsPerMinute: 1_000_000)
        for count in 1...1_000 {
            XCTAssertEqual(budget.take(policy, at: at(0)).remaining, 1_000_000 - count)
        }
    }

    func testFailuresArePutOffUntilTheMinuteIsOver() {
        let failures = FailedLogins()
        let subject = FailedLogins.Subject.network(PeerAddress(ipv4: 1))
        for _ in 0..<FailedLogins.mostFailures {
            XCTAssertNil(failures.secondsToWait(subject, at: at(500)))
            failures.note(subject, at: at(500))
        }

        XCTAssertEqual(failures.secondsToWait(subject, at: at(500)), 60)
        XCTAssertEqual(failures.secondsToWait(subject, at: at(60_499)), 1)
        XCTAssertNil(failures.secondsToWait(subject, at: at(60_500)))
        XCTAssertNil(failures.secondsToWait(subject, at: at(0)), "The clock has gone back")
        XCTAssertNil(
            failures.secondsToWait(.network(PeerAddress(ipv4: 2)), at: at(500)),
            "Others are not concerned"
        )
        XCTAssertNil(
            failures.secondsToWait(
                .token(TokenID(rawValue: 1), from: PeerAddress(ipv4: 1)),
                at: at(500)
            )
        )
    }

    func testFailuresTakeNoMoreMemoryHoweverManyThereAre() {
        let failures = FailedLogins(placeCount: 16)
        for network in 0..<100_000 {
            failures.note(.network(PeerAddress(ipv4: UInt32(network))), at: at(0))
        }

        // The last one is among the sixteen.
        let last = FailedLogins.Subject.network(PeerAddress(ipv4: 99_999))
        for _ in 0..<(FailedLogins.mostFailures - 1) { failures.note(last, at: at(0)) }
        XCTAssertEqual(failures.secondsToWait(last, at: at(0)), 60)
    }

    func testRemembersNoMoreTokensThanItMay() throws {
        let store = try GoalStore(at: .memory, now: { .testStart })
        defer { store.close() }
        let version = store.accessVersion
        let tokens = VerifiedTokens(capacity: 64, shardCount: 4)
        let grant = TokenGrant(
            account: .default,
            isReadOnly: false,
            expiresAt: nil,
            isWithdrawn: false
        )
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let token = AccessToken(using: &generator)
            tokens.remember(
                VerifiedToken(secret: token.secret, grant: grant, readIn: version),
                as: token.id
            )
            XCTAssertEqual(tokens.withToken(token) { $0.grant(in: version) }, grant)
        }

        XCTAssertLessThanOrEqual(tokens.count, 64)
    }

    private func at(_ milliseconds: Int64) -> Moment {
        Moment(millisecondsSinceEpoch: milliseconds)
    }
}
