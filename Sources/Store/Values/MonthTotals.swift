internal import Goals

/// What a goal's transactions of one month come to: by category for a report, and by day for the pace
/// of saving, which is of days that cut months.
struct MonthTotals: Hashable {
    /// The days that have transactions, the earliest first.
    private(set) var days: [Day] = []

    /// The categories that have transactions, in the order in which they came.
    private(set) var categories: [CategoryTotals] = []

    init() {}

    /// Makes totals of what was stored.
    init(days: [Day], categories: [CategoryTotals]) {
        self.days = days
        self.categories = categories
    }

    struct Day: Hashable {
        /// The day of the month, from 1 on.
        let number: Int

        /// How many transactions it has; never 0, for the day would not be there.
        var count: Int

        /// Income less expenses in minor units.
        var net: Int128
    }

    /// The transactions of one category, or of none.
    struct CategoryTotals: Hashable {
        let category: Category?
        var income = TransactionTotal.Amounts()
        var expense = TransactionTotal.Amounts()

        subscript(type: Transaction.Kind) -> TransactionTotal.Amounts {
            get {
                switch type {
                case .income: income
                case .expense: expense
                }
            }
            set {
                switch type {
                case .income: income = newValue
                case .expense: expense = newValue
                }
            }
        }
    }

    /// Says that a transaction was to be taken out of totals that it cannot have been in.
    struct Missing: Error {}
}

extension MonthTotals {
    /// Adds a transaction of the month.
    mutating func add(_ transaction: Transaction) {
        addToDay(transaction)
        addToCategory(transaction)
    }

    mutating func addToDay(_ transaction: Transaction) {
        let number = transaction.date.dayOfMonth
        let index = days.firstIndex { $0.number >= number } ?? days.endIndex
        if index == days.endIndex || days[index].number != number {
            days.insert(Day(number: number, count: 0, net: 0), at: index)
        }
        days[index].count += 1
        days[index].net += transaction.net
    }

    mutating func addToCategory(_ transaction: Transaction) {
        let index = self.index(of: transaction.category) ?? categories.endIndex
        if index == categories.endIndex {
            categories.append(CategoryTotals(category: transaction.category))
        }
        categories[index][transaction.type].add(transaction.amount)
    }

    /// Takes a transaction out of its day, and the day out if it was the only one.
    mutating func takeFromDay(_ transaction: Transaction) throws(Missing) {
        let number = transaction.date.dayOfMonth
        guard let index = days.firstIndex(where: { $0.number == number }) else { throw Missing() }
        days[index].count -= 1
        days[index].net -= transaction.net
        if days[index].count == 0 { days.remove(at: index) }
    }

    /// Takes a transaction out of its category, and the category out if it was the only one.
    ///
    /// - Returns: Whether it was the largest of its type and category, of which others are left. Until the
    ///   next is found, it stands for it.
    mutating func takeFromCategory(_ transaction: Transaction) throws(Missing) -> Bool {
        guard
            let index = self.index(of: transaction.category),
            categories[index][transaction.type].count > 0
        else { throw Missing() }
        let wasLargest = categories[index][transaction.type].take(transaction.amount)
        if categories[index].income.count == 0, categories[index].expense.count == 0 {
            categories.remove(at: index)
        }
        return wasLargest
    }

    /// The largest amount of a type and category; `nil` if there is none.
    subscript(largestOf group: Group) -> Money? {
        get {
            guard let index = index(of: group.category) else { return nil }
            let amounts = categories[index][group.type]
            return amounts.count > 0 ? amounts.largest : nil
        }
        set {
            guard let index = index(of: group.category) else { return }
            categories[index][group.type].largest = newValue ?? .zero
        }
    }

    /// The transactions of one type and category.
    struct Group: Hashable {
        let type: Transaction.Kind
        let category: Category?
    }

    func index(of category: Category?) -> Int? {
        categories.firstIndex { $0.category == category }
    }
}

extension TransactionTotal.Amounts {
    fileprivate mutating func add(_ amount: Money) {
        count += 1
        sum += Int128(amount.minorUnits)
        largest = max(largest, amount)
    }

    /// - Returns: Whether the largest of those that are left is to be found.
    fileprivate mutating func take(_ amount: Money) -> Bool {
        count -= 1
        sum -= Int128(amount.minorUnits)
        guard count > 0 else {
            largest = .zero
            return false
        }
        return largest == amount
    }
}

// MARK: - In the table

extension MonthTotals {
    // Further categories, and those of long texts, have a row each, so that no transaction makes SQLite
    // write many pages.

    /// How many categories the row of a month holds.
    private static let mostCategories = 24

    /// How long the text of each may be, in UTF-8.
    private static let mostCategoryBytes = 64

    /// Whether the row of the month has room for one more category; there always is for none at all.
    func hasRoom(for category: Category?) -> Bool {
        guard let category else { return true }
        return categories.count < MonthTotals.mostCategories
            && category.text.utf8.count <= MonthTotals.mostCategoryBytes
    }

    /// The row of the month, and what has a row of its own.
    func split() -> (month: MonthTotals, categories: [CategoryTotals]) {
        var month = MonthTotals(days: days, categories: [])
        var others: [CategoryTotals] = []
        for totals in categories {
            if month.hasRoom(for: totals.category) {
                month.categories.append(totals)
            } else {
                others.append(totals)
            }
        }
        return (month, others)
    }

    /// Adds what another row of the month holds.
    mutating func join(_ other: MonthTotals) {
        days += other.days
        categories += other.categories
    }

    /// Whether two say the same of the month, if their categories came in another order.
    func isSame(as other: MonthTotals?) -> Bool {
        guard let other else { return false }
        return days == other.days && categories.count == other.categories.count
            && Set(categories) == Set(other.categories)
    }
}

extension CalendarMonth {
    /// The day of the month with a number from 1 on; `nil` if it has none.
    func day(_ number: Int) -> CalendarDay? {
        guard 1 <= number, let day = firstDay.adding(days: number - 1), day <= lastDay else {
            return nil
        }
        return day
    }
}

extension CalendarDay {
    /// The day of its month, from 1 on.
    fileprivate var dayOfMonth: Int {
        month.firstDay.days(until: self) + 1
    }
}

extension Transaction {
    /// What it adds to the saved amount: negative for expenses.
    fileprivate var net: Int128 {
        type == .income ? Int128(amount.minorUnits) : -Int128(amount.minorUnits)
    }
}
