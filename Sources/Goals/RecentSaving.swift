/// What the pace of saving follows from: what has come and gone of late, and since when.
public struct RecentSaving: Hashable, Sendable {
    /// Income less expenses in the days of ``StatisticsQuery/recentDays``, whatever the filter.
    public let net: Int128

    /// The day of the first transaction dated no later than `asOf`, however long ago.
    public let firstDay: CalendarDay?

    public init(net: Int128, firstDay: CalendarDay?) {
        self.net = net
        self.firstDay = firstDay
    }
}

extension StatisticsQuery {
    /// The longest stretch of days that tells the pace of saving, up to and including `asOf`.
    static let longestPaceWindow = 90

    /// That stretch.
    public var recentDays: ClosedRange<CalendarDay> {
        (asOf.adding(days: 1 - StatisticsQuery.longestPaceWindow) ?? .earliest)...asOf
    }
}
