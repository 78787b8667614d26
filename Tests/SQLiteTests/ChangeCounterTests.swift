import Foundation
import SQLite
import XCTest

final class ChangeCounterTests: XCTestCase {
    func testTellsOfAChangeThroughTheFile() throws {
        let path = try temporaryFolder() + "/a.lock"
        let lock = try XCTUnwrap(LockFile.acquire(at: path))
        let before = lock.changes.value
        XCTAssertTrue(before.isSettled)

        let other = try XCTUnwrap(ChangeCounter.open(at: path))
        let change = other.beginChange()
        XCTAssertFalse(lock.changes.value.isSettled)
        other.endChange(change)

        XCTAssertTrue(lock.changes.value.isSettled)
        XCTAssertNotEqual(lock.changes.value, before)
        XCTAssertEqual(lock.changes.value, other.value)
    }

    func testIsNotSettledBeforeTheLastChangeIs() throws {
        let path = try temporaryFolder() + "/a.lock"
        let lock = try XCTUnwrap(LockFile.acquire(at: path))
        let first = lock.changes.beginChange()
        let second = lock.changes.beginChange()

        lock.changes.endChange(first)
        let between = lock.changes.value
        XCTAssertFalse(between.isSettled)
        lock.changes.endChange(second)

        XCTAssertTrue(lock.changes.value.isSettled)
        XCTAssertNotEqual(lock.changes.value, between)
    }

    func testStaysUnsettledForSomebodyWhoWasKilled() throws {
        let path = try temporaryFolder() + "/a.lock"
        let lock = try XCTUnwrap(LockFile.acquire(at: path))
        _ = try ChangeCounter.open(at: path)?.beginChange()
        XCTAssertFalse(lock.changes.value.isSettled)

        let next = lock.changes.beginChange()
        lock.changes.endChange(next)

        XCTAssertTrue(lock.changes.value.isSettled)
    }

    func testIsSettledByTheNextOwner() throws {
        let path = try temporaryFolder() + "/a.lock"
        // A counter with an odd number, as a crash leaves it.
        try Data([7, 0, 0, 0, 0, 0, 0, 0]).write(to: URL(filePath: path))

        let lock = try XCTUnwrap(LockFile.acquire(at: path))

        XCTAssertTrue(lock.changes.value.isSettled)
    }

    func testAChangeThatBeganOnAnEarlierFileIsToldOfOnTheNext() throws {
        let path = try temporaryFolder() + "/a.lock"
        var first = try LockFile.acquire(at: path)
        let change = try XCTUnwrap(ChangeCounter.open(at: path)).beginChange()
        XCTAssertNotNil(first)
        first = nil
        let second = try XCTUnwrap(LockFile.acquire(at: path))
        let before = second.changes.value

        try XCTUnwrap(ChangeCounter.open(at: path)).endChange(change)

        XCTAssertTrue(second.changes.value.isSettled)
        XCTAssertNotEqual(second.changes.value, before)
    }

    func testOpensNothingWhereThereIsNone() throws {
        let path = try temporaryFolder() + "/a.lock"
        XCTAssertNil(try ChangeCounter.open(at: path))

        // The lock of a program that had none yet.
        try Data().write(to: URL(filePath: path))

        XCTAssertNil(try ChangeCounter.open(at: path))
    }

    func testCountsForOneProcessAlone() {
        let counter = ChangeCounter()
        let before = counter.value

        counter.endChange(counter.beginChange())

        XCTAssertTrue(counter.value.isSettled)
        XCTAssertNotEqual(counter.value, before)
    }
}
