import XCTest

@testable import Goals

final class StatisticsCasesTests: XCTestCase {
    func testCalculatesTheWorkedCasesFromSingleTransactions() throws {
        let cases = try StatisticsCase.all()

        XCTAssertEqual(cases.count, 54)
        for (number, worked) in cases.enumerated() {
            let statistics = try worked.history().statisticsFromRows(worked.statisticsQuery())

            XCTAssertEqual(
                StatisticsCase.Expected(statistics),
                worked.expected,
                "case \(number): \(worked.why)"
            )
        }
    }

    func testCalculatesTheWorkedCasesFromTotalsOfMonths() throws {
        for (number, worked) in try StatisticsCase.all().enumerated() {
            let statistics = try worked.history().statisticsFromTotals(worked.statisticsQuery())

            XCTAssertEqual(
                StatisticsCase.Expected(statistics),
                worked.expected,
                "case \(number): \(worked.why)"
            )
        }
    }
}
