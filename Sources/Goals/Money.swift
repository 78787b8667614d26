/// An amount of money in whole minor units of the currency that its owner names.
///
/// An amount itself, a goal's saved amount and every figure that `statistics.md` bounds are exact.
/// A sum that would leave 64 bits stays at their end, so that no history, however absurd, can stop
/// the process: it takes more than nine thousand transactions of the largest amount to get there.
public struct Money: Hashable, Sendable {
    public let minorUnits: Int64

    @inlinable
    public init(minorUnits: Int64) {
        self.minorUnits = minorUnits
    }

    /// The nearest amount that there is.
    init(clamping minorUnits: Int128) {
        self.minorUnits = Int64(clamping: minorUnits)
    }
}

extension Money {
    /// The most that a target, a starting amount or a transaction may be.
    public static let largestAmount = Money(minorUnits: 999_999_999_999_999)

    /// What a goal's saved amount may be.
    public static let savedAmounts =
        Money(minorUnits: -100_000_000_000_000_000)...Money(minorUnits: 100_000_000_000_000_000)
}

extension Money: Comparable {
    @inlinable
    public static func < (first: Money, second: Money) -> Bool {
        first.minorUnits < second.minorUnits
    }
}

extension Money: AdditiveArithmetic {
    public static let zero = Money(minorUnits: 0)

    public static func + (first: Money, second: Money) -> Money {
        let (sum, overflow) = first.minorUnits.addingReportingOverflow(second.minorUnits)
        guard overflow else { return Money(minorUnits: sum) }
        return Money(minorUnits: second < .zero ? .min : .max)
    }

    public static func - (first: Money, second: Money) -> Money {
        let (difference, overflow) =
            first.minorUnits.subtractingReportingOverflow(second.minorUnits)
        guard overflow else { return Money(minorUnits: difference) }
        return Money(minorUnits: second < .zero ? .max : .min)
    }
}
