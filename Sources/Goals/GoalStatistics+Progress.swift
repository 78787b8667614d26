extension GoalStatistics {
    /// The share of a target that is saved, to four decimals.
    ///
    /// Rounded down, so that less than the whole target is never shown as 1. It may be far more than 1,
    /// and is exact even then: hence the 128 bits.
    public struct Progress: Hashable, Sendable {
        public let tenThousandths: Int128

        public init(tenThousandths: Int128) {
            self.tenThousandths = tenThousandths
        }
    }
}

extension GoalStatistics.Progress: Comparable {
    public static func < (first: Self, second: Self) -> Bool {
        first.tenThousandths < second.tenThousandths
    }
}

extension GoalStatistics.Progress: ASCIIWritable {
    /// The digits of 128 bits, a sign and a point.
    public static var maximumCharacters: Int { 41 }

    /// Appends the share in decimal with no more decimals than it needs, such as `0.9995`, `1.2` or
    /// `0`, which is a number in JSON.
    public func write(to output: inout OutputSpan<UInt8>) {
        if tenThousandths < 0 { output.append("-") }
        var (whole, decimals) = tenThousandths.magnitude.quotientAndRemainder(dividingBy: 10_000)
        output.append(decimal: whole)
        guard decimals != 0 else { return }
        output.append(".")
        var digits = 4
        while decimals.isMultiple(of: 10) {
            decimals /= 10
            digits -= 1
        }
        output.append(decimal: decimals, width: digits)
    }
}
