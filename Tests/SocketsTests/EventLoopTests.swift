import Sockets
import Synchronization
import XCTest

final class EventLoopTests: XCTestCase {
    func testWhatLivesOnALoopIsMadeAndUsedOnItsThreadAlone() async throws {
        let loop = try startedLoop()

        let isOnLoop = await withCheckedContinuation { continuation in
            loop.perform { _ in continuation.resume(returning: loop.isCurrent) }
        }

        XCTAssertTrue(isOnLoop)
        XCTAssertFalse(loop.isCurrent)
        await end(loop)
    }

    func testATaskRunsOnItsLoopBeforeAndAfterWhatItAwaits() async throws {
        let loop = try startedLoop()

        let places = await Task(executorPreference: loop) {
            let before = loop.isCurrent
            let meanwhile = await elsewhere { loop.isCurrent }
            return [before, meanwhile, loop.isCurrent]
        }.value

        XCTAssertEqual(places, [true, false, true])
        await end(loop)
    }

    func testDoesWhatOtherThreadsAskForInTheirOrder() async throws {
        let loop = try startedLoop()
        for number in 0..<1_000 {
            loop.perform { $0.numbers.append(number) }
        }

        let numbers = await withCheckedContinuation { continuation in
            loop.perform { continuation.resume(returning: $0.numbers) }
        }

        XCTAssertEqual(numbers, Array(0..<1_000))
        await end(loop)
    }

    func testManyTasksFromManyThreadsAllRun() async throws {
        let loop = try startedLoop()

        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    await Task(executorPreference: loop) {
                        loop.withResident { $0.numbers.append(number) }
                    }.value
                }
            }
        }

        let numbers = await withCheckedContinuation { continuation in
            loop.perform { continuation.resume(returning: $0.numbers) }
        }
        XCTAssertEqual(numbers.sorted(), Array(0..<1_000))
        await end(loop)
    }

    func testWhatLivesOnALoopIsGoneWhenTheLoopHasEnded() async throws {
        let loop = try EventLoop<Resident>()
        let life = Life()

        let hasEnded = await withCheckedContinuation { continuation in
            loop.start(named: "test") { _ in
                Resident(life)
            } ended: {
                continuation.resume(returning: life.hasEnded)
            }
            loop.perform { _ in loop.stop() }
        }

        XCTAssertTrue(hasEnded)
    }

    private func startedLoop() throws -> EventLoop<Resident> {
        let loop = try EventLoop<Resident>()
        loop.start(named: "test") { _ in
            Resident()
        } ended: { [ended] in
            ended.fulfill()
        }
        return loop
    }

    private let ended = XCTestExpectation(description: "The loop's thread ends")

    private func end(_ loop: EventLoop<Resident>) async {
        loop.perform { _ in loop.stop() }
        await fulfillment(of: [ended], timeout: 10)
    }
}

/// Runs something on a thread that is no loop's.
private func elsewhere(_ body: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}

private final class Resident: LoopResident {
    var numbers: [Int] = []
    private let life: Life

    init(_ life: Life = Life()) {
        self.life = life
    }

    deinit {
        life.end()
    }

    func beginTurn() {}
    func proceed(_ token: UInt64, _ readiness: Readiness) {}
    func endTurn() -> CInt { -1 }
}

/// Outlives a resident, and knows whether that is gone.
private final class Life: Sendable {
    private let ended = Atomic(false)

    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    func end() {
        ended.store(true, ordering: .releasing)
    }
}
