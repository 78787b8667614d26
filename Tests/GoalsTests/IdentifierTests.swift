import TestRandom
import XCTest

@testable import Goals

final class IdentifierTests: XCTestCase {
    func testReadsEitherCaseAndWritesLowerCase() throws {
        let text = "01234567-89ab-cdef-fedc-ba9876543210"
        let identifier = Goal.ID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

        XCTAssertEqual(Goal.ID(text), identifier)
        XCTAssertEqual(Goal.ID(text.uppercased()), identifier)
        XCTAssertEqual(identifier.description, text)
    }

    func testRefusesWhatIsNotExactlyAnIdentifier() {
        let texts = [
            "",
            "01234567-89ab-cdef-fedc-ba987654321",
            "01234567-89ab-cdef-fedc-ba98765432100",
            "0123456789abcdeffedcba9876543210",
            "0123456789abcdeffedcba98765432100000",
            "{1234567-89ab-cdef-fedc-ba987654321}",
            "01234567-89ab-cdef-fedc-ba987654321g",
            "01234567-89ab-cdef-fedc-ba98765432-0",
            "01234567_89ab_cdef_fedc_ba9876543210",
            " 1234567-89ab-cdef-fedc-ba9876543210",
            "0123456-789ab-cdef-fedc-ba9876543210",
            "０1234567-89ab-cdef-fedc-ba98765432",
        ]
        for text in texts {
            XCTAssertNil(Goal.ID(text), text)
        }
    }

    func testMakesVersionSevenOfTheMomentAndRandomBits() {
        struct AllOnes: RandomNumberGenerator {
            func next() -> UInt64 { .max }
        }
        var ones = AllOnes()
        // The example of RFC 9562, appendix A.6: Tuesday, 22 February 2022, 14:22:22.00 GMT-05:00.
        let moment = Moment(millisecondsSinceEpoch: 0x017F_22E2_79B0)

        XCTAssertEqual(
            Goal.ID.version7(at: moment, using: &ones).description,
            "017f22e2-79b0-7fff-bfff-ffffffffffff"
        )
    }

    func testMarksVersionAndVariantWhateverTheRandomBits() {
        let seed: UInt64 = 7
        var generator = SplitMix64(seed: seed)
        for millisecond in Int64(0)..<1_000 {
            let moment = Moment(millisecondsSinceEpoch: 1_800_000_000_000 + millisecond)

            let identifier = Goal.ID.version7(at: moment, using: &generator)

            XCTAssertEqual(identifier.high >> 12 & 0xF, 7, "seed \(seed)")
            XCTAssertEqual(identifier.low >> 62, 0b10, "seed \(seed)")
            XCTAssertEqual(Int64(identifier.high >> 16), moment.millisecondsSinceEpoch)
            XCTAssertEqual(Goal.ID(identifier.description), identifier)
        }
    }

    func testMakesAnIdentifierEvenBeforeTheEpoch() {
        var generator = SplitMix64(seed: 1)

        let identifier = Goal.ID.version7(
            at: Moment(millisecondsSinceEpoch: -1),
            using: &generator
        )

        XCTAssertEqual(identifier.high >> 16, 0)
    }

    func testSortsAsItsTextDoes() {
        var generator = SplitMix64(seed: 3)
        let identifiers = (0..<200).map { _ in
            Goal.ID(high: generator.next() % 4, low: generator.next())
        }

        XCTAssertEqual(
            identifiers.sorted().map(\.description),
            identifiers.map(\.description).sorted()
        )
    }
}
