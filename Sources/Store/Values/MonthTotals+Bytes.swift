internal import Goals

// Totals as the bytes of a blob: some 20 for each category and 5 for each day, where a row of the table
// takes more than 50 and as long to find as all of these.
//
//     categories count
//         text     length, UTF-8 bytes; none has no bytes, for no category's text is empty
//         income   count, and unless that is 0: amount, largest
//         expense  likewise
//     days, to the end
//         number, count, net
//
// All numbers are LEB128 without signs: 7 bits a byte, the lowest first, the eighth set if more follow.
// The net, which has a sign, is doubled before, and what is below 0 is turned over (“ZigZag”).

extension MonthTotals {
    /// What the bytes cannot mean.
    struct Unreadable: Error {}

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24 * categories.count + 8 * days.count + 1)
        bytes.append(number: categories.count)
        for totals in categories {
            let text = totals.category?.text ?? ""
            bytes.append(number: text.utf8.count)
            bytes += text.utf8
            bytes.append(totals.income)
            bytes.append(totals.expense)
        }
        for day in days {
            bytes.append(number: day.number)
            bytes.append(number: day.count)
            bytes.append(number: (day.net << 1) ^ (day.net >> 127))
        }
        return bytes
    }

    init(_ bytes: [UInt8]) throws(Unreadable) {
        var known = KnownCategories()
        var categories: [CategoryTotals] = []
        var reader = MonthTotalsReader(bytes)
        for _ in 0..<(try reader.categoryCount()) {
            categories.append(try reader.category(&known))
        }
        self.init(days: try reader.days(), categories: categories)
    }
}

/// Categories that were read from some rows, and are likely to be in the next, in the same order.
struct KnownCategories {
    /// A goal may have any number of them, and to look for one must stay cheap.
    private static let most = 32

    private var categories: [Category] = []

    /// Where the next one is looked for first.
    private var next = 0

    mutating func first(where isMeant: (Category) -> Bool) -> Category? {
        for _ in categories.indices {
            if next >= categories.count { next = 0 }
            let category = categories[next]
            next += 1
            if isMeant(category) { return category }
        }
        return nil
    }

    mutating func append(_ category: Category) {
        guard categories.count < KnownCategories.most else { return }
        categories.append(category)
        next = categories.count
    }
}

/// Reads totals from their bytes, which may be anything.
struct MonthTotalsReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads how many categories there are, which comes first.
    mutating func categoryCount() throws(MonthTotals.Unreadable) -> Int {
        try number()
    }

    /// Reads the next category.
    ///
    /// If it is known from other rows it is taken from there: most months have the same, and need no texts
    /// of their own. Else it becomes known.
    mutating func category(
        _ known: inout KnownCategories
    ) throws(MonthTotals.Unreadable) -> MonthTotals.CategoryTotals {
        MonthTotals.CategoryTotals(
            category: try text(&known),
            income: try amounts(),
            expense: try amounts()
        )
    }

    /// Reads the days, which come after the categories.
    mutating func days() throws(MonthTotals.Unreadable) -> [MonthTotals.Day] {
        var days: [MonthTotals.Day] = []
        while position < bytes.count {
            let day = MonthTotals.Day(
                number: try number(),
                count: try count(),
                net: try signedNumber()
            )
            guard 1...31 ~= day.number, day.count > 0 else { throw MonthTotals.Unreadable() }
            days.append(day)
        }
        return days
    }

    private mutating func text(
        _ known: inout KnownCategories
    ) throws(MonthTotals.Unreadable) -> Category? {
        let count = try number()
        guard count > 0 else { return nil }
        guard count <= bytes.count - position else { throw MonthTotals.Unreadable() }
        let range = position..<position + count
        position += count
        if let category = known.first(where: { isText(of: $0, at: range) }) { return category }
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw MonthTotals.Unreadable()
        }
        let category = Category(checked: text)
        known.append(category)
        return category
    }

    private func isText(of category: Category, at range: Range<Int>) -> Bool {
        let text = category.text.utf8.span
        guard text.count == range.count else { return false }
        for index in text.indices where text[index] != bytes[range.lowerBound + index] {
            return false
        }
        return true
    }

    private mutating func amounts() throws(MonthTotals.Unreadable) -> TransactionTotal.Amounts {
        let count = try count()
        guard count > 0 else { return TransactionTotal.Amounts() }
        return TransactionTotal.Amounts(
            count: count,
            sum: Int128(try magnitude()),
            largest: Money(minorUnits: Int64(try number()))
        )
    }

    private mutating func signedNumber() throws(MonthTotals.Unreadable) -> Int128 {
        let turned = try magnitude()
        let half = Int128(turned >> 1)
        return turned & 1 == 0 ? half : ~half
    }

    /// Reads how many transactions there are, which 32 bits hold.
    private mutating func count() throws(MonthTotals.Unreadable) -> Int {
        let count = try number()
        guard count < 1 << 32 else { throw MonthTotals.Unreadable() }
        return count
    }

    /// Reads a number that 50 bits hold, as all do that are no sums.
    private mutating func number() throws(MonthTotals.Unreadable) -> Int {
        if position < bytes.count, bytes[position] < 0x80 {
            position += 1
            return Int(bytes[position - 1])
        }
        let magnitude = try magnitude()
        guard magnitude < 1 << 50 else { throw MonthTotals.Unreadable() }
        return Int(magnitude)
    }

    /// Reads a number that 84 bits hold, as the sum of so many amounts does: those of all that a file has
    /// room for can be added up in 128.
    private mutating func magnitude() throws(MonthTotals.Unreadable) -> UInt128 {
        var low: UInt64 = 0
        var shift: UInt64 = 0
        // Nearly all end here: 64 bits take a fraction of the time.
        while shift < 63, position < bytes.count {
            let byte = bytes[position]
            position += 1
            low |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return UInt128(low) }
            shift += 7
        }
        var number = UInt128(low)
        while shift < 84, position < bytes.count {
            let byte = bytes[position]
            position += 1
            number |= UInt128(byte & 0x7F) << UInt128(shift)
            if byte < 0x80 { return number }
            shift += 7
        }
        throw MonthTotals.Unreadable()
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ amounts: TransactionTotal.Amounts) {
        append(number: amounts.count)
        guard amounts.count > 0 else { return }
        append(number: amounts.sum)
        append(number: amounts.largest.minorUnits)
    }

    /// Appends a number that is not negative.
    fileprivate mutating func append(number: some BinaryInteger) {
        var rest = UInt128(truncatingIfNeeded: number)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
