import Goals

// How the domain's values stand in JSON. None of them has anything to escape.

extension Identifier: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.quoted { write(to: &$0) }
    }
}

extension CalendarDay: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.quoted { write(to: &$0) }
    }
}

extension CalendarMonth: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.quoted { write(to: &$0) }
    }
}

extension Moment: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.quoted { write(to: &$0) }
    }
}

extension GoalStatistics.Progress: JSONWritable {
    /// Writes a number with at most four decimals.
    func write(to json: inout JSONWriter) {
        json.verbatim { write(to: &$0) }
    }
}

/// Money with the currency that says where its point stands.
struct Amount: JSONWritable {
    fileprivate let money: Money
    fileprivate let currency: Currency

    func write(to json: inout JSONWriter) {
        json.quoted { money.write(in: currency, to: &$0) }
    }
}

extension Money {
    func amount(in currency: Currency) -> Amount {
        Amount(money: self, currency: currency)
    }
}
