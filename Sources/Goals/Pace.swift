/// How fast money has been saved of late: so much in so many days.
///
/// The days are those from the first transaction through `asOf`, at least 30 and at most 90, so that
/// one early deposit is no pace for ever, and old habits fade. Transactions dated after `asOf` have
/// no part in it.
struct Pace {
    /// Income less expenses in the window, in minor units.
    let net: Int128

    /// The days of the window, which ends with `asOf`.
    let window: Int
}

extension Pace {
    private static let shortestWindow = 30

    /// Takes the pace from what was saved of late.
    ///
    /// The net of the longest window serves for every window: one that is shorter still reaches back
    /// to the first transaction, and before that there is nothing.
    init(of recent: RecentSaving, asOf: CalendarDay) {
        let daysSinceFirst = recent.firstDay.map { $0.days(until: asOf) + 1 } ?? 0
        net = recent.net
        window = min(
            max(daysSinceFirst, Pace.shortestWindow),
            StatisticsQuery.longestPaceWindow
        )
    }

    /// What the pace comes to in 30 days: net × 30 / window, rounded down.
    var monthlySaving: Money {
        Money(clamping: (net * 30).dividedRoundingDown(by: Int128(window)))
    }

    /// The day on which an amount is saved at this pace: ceil(remaining × window / net) days on.
    ///
    /// - Returns: `nil` if nothing remains, the pace leads nowhere, or it takes too long.
    func day(ofSaving remaining: Money?, after asOf: CalendarDay) -> CalendarDay? {
        guard let remaining, remaining > .zero, net > 0 else { return nil }
        let days = (Int128(remaining.minorUnits) * Int128(window)).dividedRoundingUp(by: net)
        return asOf.adding(days: Int(clamping: days))
    }
}
