import TestRandom
import XCTest

@testable import Goals

final class TallyTests: XCTestCase {
    func testIsWhatADictionaryIsInWhateverOrderKeysCome() {
        var random = SplitMix64(seed: 3)
        let inTurn = (0..<300).map { $0 % 7 }
        let twice = (0..<300).map { $0 / 2 % 5 }
        let atRandom = (0..<300).map { _ in Int.random(in: 0..<40, using: &random) }
        for keys in [inTurn, twice, atRandom, [1, 1, 2, 1, 3, 3, 2], []] {
            var tally = Tally<Int, [Int]>(of: [])
            var dictionary: [Int: [Int]] = [:]
            var order: [Int] = []
            for (index, key) in keys.enumerated() {
                tally.update(key) { $0.append(index) }
                if dictionary[key] == nil { order.append(key) }
                dictionary[key, default: []].append(index)
            }

            XCTAssertEqual(tally.entries.map(\.key), order)
            XCTAssertEqual(
                Dictionary(uniqueKeysWithValues: tally.entries.map { ($0.key, $0.value) }),
                dictionary
            )
        }
    }
}
