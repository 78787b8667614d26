extension Money {
    /// What is wrong with a text that should be an amount.
    public enum ReadingMistake: Error, Hashable, Sendable {
        /// Not digits with at most one point between them.
        case notDecimal
        case tooManyDecimals(allowed: Int)
        /// More than ``Money/largestAmount``.
        case tooLarge
        /// A decimal number, but with a minus in front.
        case negative
    }

    /// Reads decimal text as a request may hold it.
    ///
    /// Taken are ASCII digits with at most one point that has digits on both sides, such as `1250`
    /// or `1250.00`; no sign, no blank, no exponent, and no more decimals than the currency has,
    /// zeros included.
    public init(decimal text: String, in currency: Currency) throws(ReadingMistake) {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative {
            digits.removeFirst()
        }
        let point = digits.firstIndex(of: UInt8(ascii: "."))
        let whole = digits[..<(point ?? digits.endIndex)]
        let decimals = point.map { digits[digits.index(after: $0)...] }
        guard
            !whole.isEmpty, whole.allSatisfy(\.isDecimalDigit),
            decimals.map({ !$0.isEmpty && $0.allSatisfy(\.isDecimalDigit) }) ?? true
        else { throw .notDecimal }
        guard !isNegative else { throw .negative }
        let decimalCount = decimals?.count ?? 0
        guard decimalCount <= currency.decimals else {
            throw .tooManyDecimals(allowed: currency.decimals)
        }

        var minorUnits: Int64 = 0
        func append(_ digit: Int64) throws(ReadingMistake) {
            minorUnits = minorUnits * 10 + digit
            guard minorUnits <= Money.largestAmount.minorUnits else { throw .tooLarge }
        }
        for byte in whole {
            try append(Int64(byte - UInt8(ascii: "0")))
        }
        for byte in decimals ?? digits[digits.endIndex...] {
            try append(Int64(byte - UInt8(ascii: "0")))
        }
        for _ in decimalCount..<currency.decimals {
            try append(0)
        }
        self.init(minorUnits: minorUnits)
    }

    /// The amount with exactly the decimals of the currency, such as `-12.05`.
    public func text(in currency: Currency) -> String {
        let bytes = [UInt8](capacity: Money.maximumCharacters) { write(in: currency, to: &$0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// More characters than the text never has: the digits of 64 bits, a sign and a point.
    public static var maximumCharacters: Int { 21 }

    /// Appends the text in a currency, for which there must be room.
    public func write(in currency: Currency, to output: inout OutputSpan<UInt8>) {
        if minorUnits < 0 { output.append("-") }
        guard currency.decimals > 0 else {
            return output.append(decimal: minorUnits.magnitude)
        }
        var unit: UInt64 = 1
        for _ in 0..<currency.decimals {
            unit *= 10
        }
        let (whole, decimals) = minorUnits.magnitude.quotientAndRemainder(dividingBy: unit)
        output.append(decimal: whole)
        output.append(".")
        if currency.decimals == 2 {
            output.append(twoDigits: Int(decimals))
        } else {
            output.append(decimal: decimals, width: currency.decimals)
        }
    }
}
