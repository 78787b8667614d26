import Goals

// How the domain's values stand in JSON. None of them has anything to escape.

extension JSONToken where Self: ASCIIWritable {
    var maximumBytes: Int { Self.maximumCharacters + 2 }

    /// Writes the text in quotes.
    func writeJSON(to output: inout OutputSpan<UInt8>) {
        output.append(UInt8(ascii: "\""))
        write(to: &output)
        output.append(UInt8(ascii: "\""))
    }
}

extension Identifier: JSONToken {}
extension CalendarDay: JSONToken {}
extension CalendarMonth: JSONToken {}
extension Currency: JSONToken {}
extension Moment: JSONToken {}

extension GoalStatistics.Progress: JSONToken {
    /// Writes a number with at most four decimals.
    func writeJSON(to output: inout OutputSpan<UInt8>) {
        write(to: &output)
    }
}

/// Money with the currency that says where its point stands.
struct Amount: JSONToken {
    fileprivate let money: Money
    fileprivate let currency: Currency

    var maximumBytes: Int { Money.maximumCharacters + 2 }

    func writeJSON(to output: inout OutputSpan<UInt8>) {
        output.append(UInt8(ascii: "\""))
        money.write(in: currency, to: &output)
        output.append(UInt8(ascii: "\""))
    }
}

extension Money {
    func amount(in currency: Currency) -> Amount {
        Amount(money: self, currency: currency)
    }
}
