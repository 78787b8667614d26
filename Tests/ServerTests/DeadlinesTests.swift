import XCTest

@testable import Server

final class DeadlinesTests: XCTestCase {
    func testGivesEachOutWhenItsTimeHasComeAndNotBefore() {
        var deadlines = Deadlines<String>(now: 1_000_000)
        _ = deadlines.file("soon", at: 1_001_000)
        _ = deadlines.file("later", at: 1_030_000)

        XCTAssertEqual(deadlines.take(until: 1_000_999), [])
        XCTAssertEqual(deadlines.take(until: 1_001_250), ["soon"])
        XCTAssertEqual(deadlines.take(until: 1_029_999), [])
        XCTAssertEqual(deadlines.take(until: 1_030_250), ["later"])
        XCTAssertEqual(deadlines.count, 0)
    }

    func testLooksAtWhatLiesBeyondItsReachAsLateAsItCan() {
        var deadlines = Deadlines<String>(now: 0)

        let time = deadlines.file("tomorrow", at: 86_400_000)

        XCTAssertEqual(time, 63_750)
        XCTAssertEqual(deadlines.take(until: 63_749), [])
        XCTAssertEqual(deadlines.take(until: 63_750), ["tomorrow"])
    }

    func testWhatIsDueAlreadyIsGivenOutNext() {
        var deadlines = Deadlines<String>(now: 10_000)
        _ = deadlines.file("late", at: 0)

        XCTAssertEqual(deadlines.take(until: 10_250), ["late"])
    }

    func testMissesNothingInALongSleep() {
        var deadlines = Deadlines<Int>(now: 0)
        for second in 0..<60 { _ = deadlines.file(second, at: second * 1_000) }

        XCTAssertEqual(deadlines.take(until: 10_000_000).sorted(), Array(0..<60))
        XCTAssertEqual(deadlines.count, 0)
    }
}
