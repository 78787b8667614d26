/// Transactions of one type and category, taken together for a day or for a month.
///
/// Reports are calculated from totals, so that a long history costs no more than its months do. A
/// single transaction is a total of one.
public struct TransactionTotal: Hashable, Sendable {
    /// One day, or a whole month from its first day to its last.
    public let days: ClosedRange<CalendarDay>

    public let type: Transaction.Kind
    public let category: Category?
    public let amounts: Amounts

    /// What some amounts come to.
    public struct Amounts: Hashable, Sendable {
        public var count: Int

        /// The sum in minor units, which may be more than 64 bits hold, but never more than 128.
        public var sum: Int128

        /// The largest of them; zero if there is none.
        public var largest: Money

        public init(count: Int = 0, sum: Int128 = 0, largest: Money = .zero) {
            self.count = count
            self.sum = sum
            self.largest = largest
        }
    }

    public init(
        days: ClosedRange<CalendarDay>,
        type: Transaction.Kind,
        category: Category?,
        amounts: Amounts
    ) {
        self.days = days
        self.type = type
        self.category = category
        self.amounts = amounts
    }

    public init(_ transaction: Transaction) {
        self.init(
            days: transaction.date...transaction.date,
            type: transaction.type,
            category: transaction.category,
            amounts: Amounts(
                count: 1,
                sum: Int128(transaction.amount.minorUnits),
                largest: transaction.amount
            )
        )
    }
}
