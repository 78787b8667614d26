import TestRandom

@testable import Goals

/// A random goal with random transactions, and a random question about it.
struct RandomHistory {
    let history: History
    let query: StatisticsQuery

    init(using generator: inout SplitMix64) throws {
        // A narrow stretch of days, so that months and windows are crossed often and dates meet;
        // now and then the whole range.
        let isWide = Int.random(in: 0..<8, using: &generator) == 0
        let middle = isWide ? 20_000 : Int.random(in: -25_000...83_000, using: &generator)
        let reach = isWide ? 60_000 : [40, 200, 900].randomElement(using: &generator) ?? 40
        func day(_ generator: inout SplitMix64) -> CalendarDay {
            let number = middle + Int.random(in: -reach...reach, using: &generator)
            return CalendarDay(daysSinceEpoch: number) ?? (number < 0 ? .earliest : .latest)
        }
        let bounds: [Int64] = [9, 3_000, 5_000_000, 900_000_000_000]
        let largest = bounds.randomElement(using: &generator) ?? 9
        func amount(_ generator: inout SplitMix64) -> Money {
            Money(minorUnits: Int64.random(in: 1...largest, using: &generator))
        }
        let names = ["Gifts", "Ärzte", "交通", "🚗", "Zoo", "a"]
        let categories = names.map { Category($0) } + [nil]

        let new = NewGoal(
            id: Goal.ID(high: 1, low: 2),
            title: RandomHistory.title,
            currency: RandomHistory.currency,
            targetAmount: Bool.random(using: &generator) || Bool.random(using: &generator)
                ? amount(&generator) : nil,
            startingAmount: Bool.random(using: &generator) ? .zero : amount(&generator),
            plannedCompletionDate: Int.random(in: 0..<4, using: &generator) > 0
                ? day(&generator) : nil
        )
        let count = Int.random(in: 0...40, using: &generator)
        history = try History(
            new,
            transactions: (0..<count).map { index in
                NewTransaction(
                    id: Transaction.ID(high: 3, low: UInt64(index)),
                    type: Int.random(in: 0..<3, using: &generator) > 0 ? .income : .expense,
                    amount: amount(&generator),
                    date: day(&generator),
                    category: categories.randomElement(using: &generator) ?? nil
                )
            }
        )
        query = StatisticsQuery(
            asOf: day(&generator),
            timeZone: "UTC",
            filter: StatisticsFilter(
                onlyExpenses: Int.random(in: 0..<4, using: &generator) == 0,
                from: Int.random(in: 0..<3, using: &generator) == 0 ? day(&generator) : nil,
                to: Int.random(in: 0..<3, using: &generator) == 0 ? day(&generator) : nil,
                category: Int.random(in: 0..<3, using: &generator) == 0
                    ? categories.randomElement(using: &generator)?
                        .map(CategoryCondition.equals) ?? .uncategorized : nil
            )
        )
    }

    private static var title: Title {
        guard let title = Title("Random") else { preconditionFailure("This is a title") }
        return title
    }

    private static var currency: Currency {
        guard let currency = Currency("EUR") else { preconditionFailure("The euro is in use") }
        return currency
    }
}
