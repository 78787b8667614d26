import Foundation
import XCTest

@testable import Goals

/// One of the worked cases that an independent program made, shared with the tests of the API.
struct StatisticsCase: Decodable {
    let why: String
    let goal: GoalFields
    let transactions: [TransactionFields]
    let query: QueryFields
    let expected: Expected

    struct GoalFields: Decodable {
        let currency: String
        let targetAmount: String?
        let startingAmount: String
        let plannedCompletionDate: String?
    }

    struct TransactionFields: Decodable {
        let transactionType: String
        let amount: String
        let date: String
        let category: String?
    }

    struct QueryFields: Decodable {
        let asOf: String
        let onlyExpenses: Bool?
        let from: String?
        let to: String?
        let category: String?
    }

    /// What the API would say, but for what names the goal.
    struct Expected: Decodable, Hashable {
        let asOf: String
        let currency: String
        let targetAmount: String?
        let savedAmount: String
        let remainingAmount: String?
        let progress: Decimal?
        let daysUntilCompletion: Int?
        let requiredMonthlySaving: String?
        let outlook: String
        let averageMonthlySaving: String
        let projectedCompletionDate: String?
        let transactionCount: Int
        let incomeCount: Int
        let expenseCount: Int
        let incomeTotal: String
        let expenseTotal: String
        let maxExpenseAmount: String
        let series: [Month]
        let categories: [CategoryTotal]
        let projection: [Instalment]

        struct Month: Decodable, Hashable {
            let month: String
            let income: String
            let expense: String
            let balance: String
        }

        struct CategoryTotal: Decodable, Hashable {
            let category: String?
            let income: String
            let expense: String
            let count: Int
        }

        struct Instalment: Decodable, Hashable {
            let date: String
            let saving: String
            let balance: String
        }
    }
}

extension StatisticsCase {
    static func all() throws -> [StatisticsCase] {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent()
            .appendingPathComponent("../APITests/Fixtures/statistics.json")
        return try JSONDecoder().decode([StatisticsCase].self, from: Data(contentsOf: file))
    }

    /// Opens the goal and records the transactions, by the rules.
    func history() throws -> History {
        let currency = try XCTUnwrap(Currency(goal.currency))
        return try History(
            NewGoal(
                id: Goal.ID(high: 1, low: 2),
                title: XCTUnwrap(Title(why)),
                currency: currency,
                targetAmount: goal.targetAmount.map { try Money(decimal: $0, in: currency) },
                startingAmount: Money(decimal: goal.startingAmount, in: currency),
                plannedCompletionDate: goal.plannedCompletionDate.map { try day($0) }
            ),
            transactions: transactions.enumerated().map { index, transaction in
                try NewTransaction(
                    id: Transaction.ID(high: 3, low: UInt64(index)),
                    type: XCTUnwrap(Transaction.Kind(rawValue: transaction.transactionType)),
                    amount: Money(decimal: transaction.amount, in: currency),
                    date: day(transaction.date),
                    category: transaction.category.map { try XCTUnwrap(Category($0)) }
                )
            }
        )
    }

    func statisticsQuery() throws -> StatisticsQuery {
        let category: CategoryCondition? =
            switch query.category {
            case nil: nil
            case ""?: .uncategorized
            case let name?: .equals(try XCTUnwrap(Category(name)))
            }
        return try StatisticsQuery(
            asOf: day(query.asOf),
            timeZone: "UTC",
            filter: StatisticsFilter(
                onlyExpenses: query.onlyExpenses ?? false,
                from: query.from.map { try day($0) },
                to: query.to.map { try day($0) },
                category: category
            )
        )
    }
}

extension StatisticsCase.Expected {
    /// Writes statistics as the cases do.
    init(_ statistics: GoalStatistics) {
        let currency = statistics.currency
        asOf = statistics.asOf.description
        self.currency = currency.code
        targetAmount = statistics.targetAmount?.text(in: currency)
        savedAmount = statistics.savedAmount.text(in: currency)
        remainingAmount = statistics.remainingAmount?.text(in: currency)
        progress = statistics.progress.flatMap { Decimal(string: $0.description) }
        daysUntilCompletion = statistics.daysUntilCompletion
        requiredMonthlySaving = statistics.requiredMonthlySaving?.text(in: currency)
        outlook = statistics.outlook.rawValue
        averageMonthlySaving = statistics.averageMonthlySaving.text(in: currency)
        projectedCompletionDate = statistics.projectedCompletionDate?.description
        transactionCount = statistics.transactionCount
        incomeCount = statistics.incomeCount
        expenseCount = statistics.expenseCount
        incomeTotal = statistics.incomeTotal.text(in: currency)
        expenseTotal = statistics.expenseTotal.text(in: currency)
        maxExpenseAmount = statistics.maxExpenseAmount.text(in: currency)
        series = statistics.series.map { month in
            Month(
                month: month.month.description,
                income: month.income.text(in: currency),
                expense: month.expense.text(in: currency),
                balance: month.balance.text(in: currency)
            )
        }
        categories = statistics.categories.map { total in
            CategoryTotal(
                category: total.category?.text,
                income: total.income.text(in: currency),
                expense: total.expense.text(in: currency),
                count: total.count
            )
        }
        projection = statistics.projection.map { instalment in
            Instalment(
                date: instalment.date.description,
                saving: instalment.saving.text(in: currency),
                balance: instalment.balance.text(in: currency)
            )
        }
    }
}
