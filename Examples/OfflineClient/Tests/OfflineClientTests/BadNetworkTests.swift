import Foundation
import Synchronization
import XCTest

@testable import OfflineClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Three devices of one person, a server, and between them a network that loses, delays and cuts.
final class BadNetworkTests: XCTestCase {
    /// With Foundation's own networking, and one device that follows.
    func testAllAgreeInTheEnd() async throws {
        let server = try startServer()
        for seed in seeds {
            try await Story(seed: seed, server: server, file: temporaryFile) { _ in nil }.run()
        }
    }

    /// With plain sockets, so that an answer can be cut anywhere.
    func testAllAgreeWhereverAnAnswerIsCut() async throws {
        let server = try startServer()
        for seed in seeds {
            try await Story(seed: seed, server: server, file: temporaryFile) { port in
                plainTransport(to: port)
            }.run()
        }
    }

    /// More of them for a longer look: each is another story.
    private var seeds: ClosedRange<UInt64> {
        let count = ProcessInfo.processInfo.environment["OFFLINE_CLIENT_SEEDS"].flatMap {
            UInt64($0)
        }
        return 1...(count ?? 3)
    }
}

/// What happens with one seed.
private final class Story {
    private let seed: UInt64
    private let server: RunningServer
    private let network: BadNetwork
    private let ledger: Ledger
    private var devices: [Device] = []
    private let follows: Bool
    private var chance: Chance

    /// Begins with three new devices.
    ///
    /// `transport` says what sends requests to a port; `nil` stands for Foundation.
    init(
        seed: UInt64,
        server: RunningServer,
        file: () throws -> URL,
        transport: (UInt16) -> Transport?
    ) throws {
        self.seed = seed
        self.server = server
        chance = Chance(seed: seed)
        let isFoundation = transport(server.port) == nil
        follows = isFoundation
        network = try BadNetwork(to: server.port, seed: seed, faults: 60, keepsHeads: isFoundation)
        ledger = Ledger(story: seed)
        for number in 0..<3 {
            devices.append(
                try Device(
                    number: number,
                    file: try file(),
                    address: try address(port: network.port),
                    transport: transport(network.port),
                    ledger: ledger
                )
            )
        }
    }

    func run() async throws {
        defer { network.stop() }
        for _ in 0..<12 {
            // The last device is on nearly all the time; the others sync now and then.
            if follows { devices[2].startFollowing() }
            for device in devices where !chance.once(in: 4) {
                for _ in 0..<Int.random(in: 1...5, using: &chance) {
                    try await ledger.act(on: device, chance: &chance)
                }
            }
            if chance.once(in: 3) { try await devices[2].crash() }
            let syncing = devices.prefix(follows ? 2 : 3).map { device in
                (device, chance.once(in: 3) ? Int.random(in: 1...4, using: &chance) : nil)
            }
            try await withThrowingTaskGroup { group in
                for (device, end) in syncing {
                    group.addTask { try await device.sync(endingAfter: end) }
                }
                try await group.waitForAll()
            }
        }
        try await devices[2].crash()
        network.heal()
        // Once to tell the server everything, once to hear of what the others told it.
        for device in devices { try await device.client.sync() }
        for device in devices { try await device.client.sync() }
        try await check()
    }

    private func check() async throws {
        let truth = try await server.contents()
        for device in devices {
            let state = await device.client.store.state
            XCTAssertEqual(state.queue, [], "seed \(seed), device \(device.number)")
            XCTAssertNil(state.piece)
            XCTAssertEqual(state.replica, truth, "seed \(seed), device \(device.number)")
        }
        var refusals: [Refusal] = []
        for device in devices { refusals += await device.client.refusals }
        ledger.check(truth, refusals: refusals)
        try await checkSums(truth)
        for fate in BadNetwork.Fate.allCases where fate != .silent {
            XCTAssertGreaterThan(network.fates[fate] ?? 0, 0, "seed \(seed): \(fate)")
        }
    }

    /// Holds what a client adds up against what the server does.
    private func checkSums(_ truth: Replica) async throws {
        struct Sums: Decodable {
            let savedAmount: String
            let transactionCount: Int
        }
        for view in await devices[0].client.goals {
            var request = URLRequest(
                url: try address(port: server.port).appending(path: "goals/\(view.goal.id)")
            )
            request.setValue("Bearer \(RunningServer.token)", forHTTPHeaderField: "Authorization")
            let sums = try JSONDecoder().decode(
                Sums.self,
                from: try await server.direct.send(request).0
            )
            XCTAssertEqual(view.saved, Decimal(string: sums.savedAmount))
            let transactions = await devices[0].client.transactions(of: view.goal.id)
            XCTAssertEqual(transactions.count, sums.transactionCount)
        }
    }
}

/// A client and its file, which outlives it.
///
/// Unchecked, since one task alone drives each device, and changes its client and what it follows.
private final class Device: @unchecked Sendable {
    let number: Int
    private(set) var client: OfflineClient
    private let open: () throws -> OfflineClient
    private var following: Task<Void, any Error>?

    /// After how many more writes of the file the program ends, and how.
    private let end = Countdown()

    init(
        number: Int,
        file: URL,
        address: URL,
        transport: Transport?,
        ledger: Ledger
    ) throws {
        self.number = number
        let end = end
        open = {
            try OfflineClient(
                file: file,
                address: address,
                token: RunningServer.token,
                patience: 1,
                retries: eagerRetries,
                limits: PieceLimits(commands: 5),
                send: transport,
                write: { data, file in
                    try OfflineClient.writeAtomically(data, file)
                    end.count()
                },
                resolve: { conflict in
                    ledger.note(conflict, by: number)
                    return .keepMine
                }
            )
        }
        client = try open()
    }

    /// Syncs; or begins to, ends after so many writes of its file, and starts anew from it.
    func sync(endingAfter writes: Int?) async throws {
        let task = Task { [client] in try await client.sync() }
        if let writes { end.start(writes) { task.cancel() } }
        await ended(task)
        client = try open()
    }

    func startFollowing() {
        guard following == nil else { return }
        following = Task { [client] in try await client.follow() }
    }

    /// Ends, and starts anew from the file.
    func crash() async throws {
        if let following {
            following.cancel()
            await ended(following)
        }
        following = nil
        client = try open()
    }

    private func ended(_ task: Task<Void, any Error>) async {
        switch await task.result {
        case .success: break
        case .failure(let error):
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
    }
}

/// Acts after something has happened a number of times.
private final class Countdown: Sendable {
    private let state = Mutex<(left: Int, act: @Sendable () -> Void)?>(nil)

    func start(_ count: Int, act: @escaping @Sendable () -> Void) {
        state.withLock { $0 = (count, act) }
    }

    func count() {
        let act: (@Sendable () -> Void)? = state.withLock { state in
            guard let (left, act) = state else { return nil }
            state = left > 1 ? (left - 1, act) : nil
            return left > 1 ? nil : act
        }
        act?()
    }
}

/// What was done on all devices, and what must be there in the end because of it.
private final class Ledger: Sendable {
    private struct Pages {
        var count = 0
        var goals: [UUID: Entry] = [:]
        var transactions: [UUID: Entry] = [:]
    }

    private struct Entry {
        var goal: UUID
        /// Who has changed it, the creator among them.
        var devices: Set<Int>
        /// All the notes that it was ever given; each is given once.
        var notes: [String]
        var isDeleted = false

        mutating func write(_ note: String, by device: Int) {
            notes.append(note)
            devices.insert(device)
        }

        /// Whether it may end with a note: the last one, if a single device has changed it.
        func allows(_ note: String) -> Bool {
            devices.count == 1 ? note == notes.last : notes.contains(note)
        }
    }

    private let story: UInt64
    private let pages = Mutex(Pages())

    init(story: UInt64) {
        self.story = story
    }

    /// Does something on a device, by chance.
    func act(on device: Device, chance: inout Chance) async throws {
        let client = device.client
        let view = await client.store.state.view
        let ours = pages.withLock { Set($0.goals.keys) }
        let goals = view.goals.values.filter { ours.contains($0.id) }.sorted { $0.id < $1.id }
        let note = pages.withLock { pages in
            pages.count += 1
            return "\(story)-\(device.number)-\(pages.count)"
        }
        guard let goal = goals.randomElement(using: &chance), !chance.once(in: 10) else {
            let id = try await client.createGoal(
                title: note,
                currency: "EUR",
                startingAmount: "\(Int.random(in: 0...9, using: &chance)).5"
            )
            try await client.edit(goal: id) { $0.note = note }
            return pages.withLock {
                $0.goals[id] = Entry(goal: id, devices: [device.number], notes: [note])
            }
        }
        let transactions = view.transactions.values.filter { $0.goalId == goal.id }
            .sorted { $0.id < $1.id }
        let transaction = transactions.randomElement(using: &chance)
        do {
            switch (Int.random(in: 0..<20, using: &chance), transaction) {
            case (0, _):
                try await client.delete(.goal(goal.id))
                pages.withLock { $0.goals[goal.id]?.isDeleted = true }
            case (1...3, _):
                try await client.edit(goal: goal.id) { $0.note = note }
                pages.withLock { $0.goals[goal.id]?.write(note, by: device.number) }
            case (4, _) where goal.status == .active && chance.once(in: 2):
                try await client.edit(goal: goal.id) { $0.status = .archived }
                pages.withLock { _ = $0.goals[goal.id]?.devices.insert(device.number) }
            case (5, let transaction?):
                try await client.delete(.transaction(transaction.id, goal: goal.id))
                pages.withLock { $0.transactions[transaction.id]?.isDeleted = true }
            case (6...10, let transaction?):
                try await client.edit(transaction: transaction.id, of: goal.id) { $0.note = note }
                pages.withLock {
                    $0.transactions[transaction.id]?.write(note, by: device.number)
                }
            default:
                let id = try await client.record(
                    chance.once(in: 3) ? .expense : .income,
                    amount: "\(Int.random(in: 1...99, using: &chance)).25",
                    for: goal.id,
                    date: "2027-01-15",
                    note: note
                )
                pages.withLock {
                    $0.transactions[id] = Entry(
                        goal: goal.id,
                        devices: [device.number],
                        notes: [note]
                    )
                }
            }
        } catch is NoSuchThing {
            // It was deleted elsewhere between the look at it and now, which is all right.
        }
    }

    /// Sees to it that nobody is asked about what only they have changed.
    func note(_ conflict: Conflict, by device: Int) {
        let entry = pages.withLock { pages in
            switch conflict.command.thing {
            case .goal(let id): pages.goals[id]
            case .transaction(let id, _): pages.transactions[id]
            }
        }
        XCTAssertNotEqual(entry?.devices, [device], "story \(story): \(conflict)")
    }

    /// Holds what there is against what must be there.
    func check(_ truth: Replica, refusals: [Refusal]) {
        let pages = pages.withLock { $0 }
        var refused: Set<UUID> = []
        for refusal in refusals {
            XCTAssertTrue([409, 410].contains(refusal.problem.status), "\(refusal)")
            if case .create(.transaction(let transaction)) = refusal.command.action {
                refused.insert(transaction.id)
            }
        }
        let goals = truth.goals.filter { pages.goals[$0.key] != nil }
        XCTAssertEqual(
            Set(goals.keys),
            Set(pages.goals.filter { !$0.value.isDeleted }.keys),
            "story \(story)"
        )
        for (id, goal) in goals {
            XCTAssertTrue(pages.goals[id]?.allows(goal.note) ?? false, "story \(story): \(goal)")
        }
        let transactions = truth.transactions.filter { pages.goals[$0.value.goalId] != nil }
        XCTAssertEqual(
            Set(transactions.keys),
            Set(
                pages.transactions.filter { id, entry in
                    !entry.isDeleted && !refused.contains(id)
                        && pages.goals[entry.goal]?.isDeleted == false
                }.keys
            ),
            "story \(story)"
        )
        for (id, transaction) in transactions {
            XCTAssertTrue(
                pages.transactions[id]?.allows(transaction.note) ?? false,
                "story \(story): \(transaction)"
            )
        }
        // Nothing was created a second time under another id.
        let titles = truth.goals.values.map(\.title)
        XCTAssertEqual(titles.count, Set(titles).count)
    }
}
