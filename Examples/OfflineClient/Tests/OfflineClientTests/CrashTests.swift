import Foundation
import Synchronization
import XCTest

@testable import OfflineClient

/// A client that ends at some write of its file, and starts anew.
final class CrashTests: XCTestCase {
    func testLosesAndRepeatsNothingWhereverItEnds() async throws {
        let server = try startServer()
        var runs = 0
        for moment in [Disk.Moment.before, .after] {
            var count = 1
            // Until it ends nowhere, because there are not so many writes.
            while try await live(on: server, endingAt: moment, ofWrite: count) { count += 1 }
            XCTAssertGreaterThan(count, 20)
            runs += count
        }

        let titles = try await server.contents().goals.values.map(\.title)
        XCTAssertEqual(titles.count, runs)
        XCTAssertEqual(Set(titles).count, runs)
    }

    /// Does a few things, on and off line, and ends once on the way.
    ///
    /// - Returns: Whether it ended.
    private func live(
        on server: RunningServer,
        endingAt moment: Disk.Moment,
        ofWrite count: Int
    ) async throws -> Bool {
        let title = "\(moment) \(count)"
        let steps: [(OfflineClient) async throws -> Void] = [
            { try await $0.createGoal(title: title, currency: "EUR", startingAmount: "5") },
            { try await $0.record("first", "10.50", for: title) },
            { try await $0.record("second", "3", for: title) },
            { try await $0.sync() },
            { client in
                let first = try await client.transaction("first", of: title)
                try await client.edit(transaction: first.id, of: first.goalId) { $0.amount = "20" }
            },
            { client in
                let second = try await client.transaction("second", of: title)
                try await client.delete(.transaction(second.id, goal: second.goalId))
            },
            { client in
                try await client.edit(goal: try await client.goal(title).id) { $0.note = "changed" }
            },
            { try await $0.record("third", "0.25", for: title) },
            { try await $0.sync() },
            { client in
                try await client.edit(goal: try await client.goal(title).id) { $0.status = .paused }
            },
            { try await $0.sync() },
        ]
        let syncs: Set = [3, 8, 10]
        let file = try temporaryFile()
        let disk = Disk(moment: moment, left: count)
        var client = try open(file, disk, server)
        var step = 0
        while step < steps.count {
            do {
                try await steps[step](client)
            } catch is Disk.Ended {
                client = try open(file, disk, server)
                // What was on the disk the person sees, and does not do again.
                if moment != .after || syncs.contains(step) { continue }
            }
            step += 1
        }

        let contents = try await server.contents()
        let goal = try XCTUnwrap(contents.goals.values.first { $0.title == title })
        XCTAssertEqual(goal.note, "changed", title)
        XCTAssertEqual(goal.status, .paused, title)
        let transactions = contents.transactions.values.filter { $0.goalId == goal.id }
        XCTAssertEqual(
            Dictionary(grouping: transactions, by: \.note).mapValues { $0.map(\.amount) },
            ["first": ["20.00"], "third": ["0.25"]],
            title
        )
        let (queue, refusals) = (await client.queue, await client.refusals)
        XCTAssertEqual(queue, [], title)
        XCTAssertEqual(refusals, [], title)
        return disk.hasEnded
    }

    private func open(_ file: URL, _ disk: Disk, _ server: RunningServer) throws -> OfflineClient {
        try OfflineClient(
            file: file,
            address: try address(port: server.port),
            token: RunningServer.token,
            limits: PieceLimits(commands: 2),
            write: { try disk.write($0, to: $1) },
            resolve: { conflict in
                XCTFail("There is nobody else: \(conflict)")
                return .keepMine
            }
        )
    }
}

extension OfflineClient {
    fileprivate func goal(_ title: String) throws -> Goal {
        try XCTUnwrap(goals.first { $0.goal.title == title }).goal
    }

    fileprivate func transaction(_ note: String, of title: String) throws -> Transaction {
        try XCTUnwrap(transactions(of: try goal(title).id).first { $0.note == note })
    }

    fileprivate func record(_ note: String, _ amount: String, for title: String) throws {
        try record(.income, amount: amount, for: try goal(title).id, date: "2027-01-15", note: note)
    }
}

/// A disk on which the program ends at one write.
private final class Disk: Sendable {
    enum Moment {
        case before, after
    }

    struct Ended: Error {}

    private let moment: Moment
    private let left: Mutex<Int>

    init(moment: Moment, left: Int) {
        self.moment = moment
        self.left = Mutex(left)
    }

    var hasEnded: Bool { left.withLock { $0 <= 0 } }

    func write(_ data: Data, to file: URL) throws {
        let ends = left.withLock { left in
            left -= 1
            return left == 0
        }
        // Without waiting for the real disk, which would make this test a slow one.
        guard ends else { return try data.write(to: file) }
        switch moment {
        case .before:
            // What an atomic write that was cut short leaves behind: another file.
            try data.prefix(data.count / 2).write(to: file.appendingPathExtension("new"))
        case .after:
            try data.write(to: file)
        }
        throw Ended()
    }
}
