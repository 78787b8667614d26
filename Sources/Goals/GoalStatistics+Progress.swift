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

extension GoalStatistics.Progress: CustomStringConvertible {
    /// The share in decimal with no more decimals than it needs, such as `0.9995`, `1.2` or `0`.
    public var description: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the description, which is a number in JSON, without making a string of it.
    public func write(to bytes: inout [UInt8]) {
        let (whole, decimals) = tenThousandths.quotientAndRemainder(dividingBy: 10_000)
        bytes.append(contentsOf: whole.description.utf8)
        guard decimals != 0 else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.appendDecimal(UInt64(decimals.magnitude), width: 4)
        while bytes.last == UInt8(ascii: "0") {
            bytes.removeLast()
        }
    }
}
