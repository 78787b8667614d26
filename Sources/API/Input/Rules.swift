import Goals
import Store

// MARK: - Texts

extension Rule<Title> {
    static let title = Rule(
        "must be text of 1 to 200 characters, without control characters",
        text: { Title($0) }
    ).limited(toBytes: Title.maximumBytes)
}

extension Rule<Note> {
    static let note = Rule(
        "must be text of at most 2000 characters, without control characters but tabs and line breaks",
        text: { Note($0) }
    ).limited(toBytes: Note.maximumBytes)
}

extension Rule<Goals.Category> {
    static let category = Rule(
        "must be text of 1 to 100 characters, without control characters",
        text: { Category($0) }
    ).limited(toBytes: Category.maximumBytes)
}

extension Rule<CategoryCondition> {
    static let categoryCondition = Rule(
        "must be a category of at most 100 characters, or empty for what has none",
        text: { $0.isEmpty ? .uncategorized : Category($0).map(CategoryCondition.equals) }
    )
}

extension Rule<String?> {
    /// What to search for, without the white space at its ends; nothing but that is no condition.
    ///
    /// The bounds leave room for a cursor in the same target.
    static let search = Rule("must be text of at most 200 characters") { json in
        guard case .string(let text) = json else { return nil }
        let term = text.trimmingWhiteSpace()
        guard term.utf8.count <= 1_000, term.count <= 200 else { return nil }
        return .some(term.isEmpty ? nil : String(term))
    }
}

extension String {
    fileprivate func trimmingWhiteSpace() -> Substring {
        guard
            let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return self[first...last]
    }
}

extension Rule<String> {
    /// Text that is checked later, when what it depends on has been read.
    static let text = Rule("must be text", text: { $0 })
}

// MARK: - Amounts

extension Rule<Currency> {
    static let currency = Rule(
        #"must be a currency's code in ISO 4217, such as "EUR""#,
        text: { Currency($0) }
    )
}

extension Rule<Money> {
    /// An amount above zero.
    ///
    /// There is no currency if the client named one that does not exist. That is the mistake to
    /// report, and the amount only has to look like one.
    static func amount(in currency: Currency?) -> Rule {
        money(in: currency, "above 0") { $0 > .zero }
    }

    /// An amount that may be zero.
    static func amountOrZero(in currency: Currency?) -> Rule {
        money(in: currency, "0 or more") { $0 >= .zero }
    }

    private static func money(
        in currency: Currency?,
        _ bound: String,
        isWithin: @escaping @Sendable (Money) -> Bool
    ) -> Rule {
        Rule(moneyDemand(in: currency, bound)) { json in
            guard let digits = json.digits else { return nil }
            guard let currency else { return looksLikeMoney(digits) ? .zero : nil }
            guard let money = try? Money(decimal: digits, in: currency), isWithin(money) else {
                return nil
            }
            return money
        }
    }
}

/// What an amount must be.
private func moneyDemand(in currency: Currency?, _ bound: String) -> String {
    let form =
        switch currency {
        case nil: #"must be a decimal number such as "1250.00""#
        case let currency? where currency.decimals == 0:
            #"must be a whole number such as "1250", without decimals (\#(currency.code))"#
        case let currency?:
            #"must be a decimal number such as "\#(example(in: currency))" with at most "#
                + "\(currency.decimals) decimals (\(currency.code))"
        }
    let limit = currency.map { ", at most " + Money.largestAmount.text(in: $0) } ?? ""
    return "\(form), \(bound)\(limit)"
}

extension JSON {
    /// What an amount is read from: the text of a string, or the digits of a number.
    fileprivate var digits: String? {
        switch self {
        case .string(let text): text
        case .number(let text): plainDigits(ofNumber: text)
        case .null, .bool, .array, .object: nil
        }
    }
}

/// The digits of a JSON number without its exponent, which only moves the point.
///
/// - Returns: `nil` if the point is moved further than any amount has digits.
private func plainDigits(ofNumber text: String) -> String? {
    let parts = text.utf8.split { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    guard parts.count == 2 else { return text }
    guard let exponent = Int(Substring(parts[1])), (-100...100).contains(exponent) else {
        return nil
    }
    let decimal = parts[0].split(separator: UInt8(ascii: "."), maxSplits: 1)
    let fraction = decimal.count == 2 ? Array(decimal[1]) : []
    var digits = Array(decimal[0]) + fraction
    var point = digits.count - fraction.count + exponent
    if point < 1 {
        digits.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: 1 - point), at: 0)
        point = 1
    }
    if point > digits.count {
        digits += repeatElement(UInt8(ascii: "0"), count: point - digits.count)
    }
    // A number begins with no zero that is not its only whole digit.
    let zeros = min(digits.prefix { $0 == UInt8(ascii: "0") }.count, point - 1)
    let whole = digits[zeros..<point]
    let rest = digits[point...]
    let bytes = rest.isEmpty ? Array(whole) : whole + [UInt8(ascii: ".")] + rest
    return String(decoding: bytes, as: UTF8.self)
}

private func example(in currency: Currency) -> String {
    "1250." + String(repeating: "0", count: currency.decimals)
}

/// Whether text is a decimal number, in whatever currency.
private func looksLikeMoney(_ text: String) -> Bool {
    let parts = text.utf8.split(
        separator: UInt8(ascii: "."),
        maxSplits: 1,
        omittingEmptySubsequences: false
    )
    return parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}

// MARK: - Days and zones

extension Rule<CalendarDay> {
    static let day = Rule(
        #"must be a day such as "2027-01-31", from \#(CalendarDay.earliest) to "#
            + "\(CalendarDay.latest)",
        text: { CalendarDay($0) }
    )

    /// A day that ends what another one begins.
    static func day(from first: CalendarDay?) -> Rule {
        guard let first else { return .day }
        return Rule("must be a day that is not before the one in from, \(first)") { text in
            CalendarDay(text).flatMap { $0 >= first ? $0 : nil }
        }
    }
}

extension Rule<Zone> {
    static func zone(in zones: Zones) -> Rule {
        Rule(#"must be the name of an IANA time zone, such as "Europe/Warsaw""#) { json in
            guard case .string(let name) = json else { return nil }
            return zones.zone(named: name)
        }
    }
}

// MARK: - Words

extension Rule<Goal.Status> {
    static let status = Rule.word()
}

extension Rule<Set<Goal.Status>> {
    /// One or more statuses, with commas between them.
    static let statuses = Rule(
        "must be one or more of \(alternatives(Goal.Status.self)), with commas between them",
        text: { text in
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            let statuses = words.compactMap { Goal.Status(rawValue: String($0)) }
            return statuses.count == words.count ? Set(statuses) : nil
        }
    )
}

extension Rule<Transaction.Kind> {
    static let transactionType = Rule.word()
}

extension Rule where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
    /// One of the words of an enumeration.
    fileprivate static func word() -> Rule {
        Rule("must be " + alternatives(Value.self), text: { Value(rawValue: $0) })
    }
}

private func alternatives<Words>(_ words: Words.Type) -> String
where Words: RawRepresentable<String> & CaseIterable {
    let quoted = words.allCases.map { "\"\($0.rawValue)\"" }
    return quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
}

extension Rule<Bool> {
    static let flag = Rule(
        #"must be "true" or "false""#,
        text: { ["true": true, "false": false][$0] }
    )
}

// MARK: - Numbers and ids

extension Rule<Int> {
    /// How many rows a page may have.
    static let pageLimit = Rule("must be a whole number from 1 to 200") { json in
        guard
            case .string(let text) = json,
            (1...3).contains(text.utf8.count),
            text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Int(text),
            (1...200).contains(number)
        else { return nil }
        return number
    }
}

extension Rule<Goal.ID> {
    static let goalID = Rule.id()
}

extension Rule<Transaction.ID> {
    static let transactionID = Rule.id()
}

extension Rule where Value: LosslessStringConvertible {
    /// An id that a client made.
    fileprivate static func id<Entity>() -> Rule where Value == Identifier<Entity> {
        Rule(
            #"must be a UUID such as "01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70""#,
            text: { Value($0) }
        )
    }
}
