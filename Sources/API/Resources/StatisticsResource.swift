import Goals

/// How a goal stands, as clients see it.
struct StatisticsResource: JSONWritable {
    /// Changes whenever the same figures would be written in another form, so that nobody takes
    /// bytes of the old form for those of the new one.
    static let representationVersion: UInt8 = 1

    let statistics: GoalStatistics

    var likelyBytes: Int {
        640 + 88 * statistics.series.count
            + 80 * statistics.categories.count + 64 * statistics.projection.count
    }

    func write(to json: inout JSONWriter) {
        let currency = statistics.currency
        json.object { json in
            json.member("goalId", statistics.goalID)
            json.member("revision", statistics.revision)
            json.member("asOf", statistics.asOf)
            json.member("timeZone", statistics.timeZone)
            json.member("currency", currency)
            json.member("targetAmount", statistics.targetAmount?.amount(in: currency))
            json.member("savedAmount", statistics.savedAmount.amount(in: currency))
            json.member("remainingAmount", statistics.remainingAmount?.amount(in: currency))
            json.member("progress", statistics.progress)
            json.member("daysUntilCompletion", statistics.daysUntilCompletion)
            json.member(
                "requiredMonthlySaving",
                statistics.requiredMonthlySaving?.amount(in: currency)
            )
            json.member("outlook", statistics.outlook.rawValue)
            json.member(
                "averageMonthlySaving",
                statistics.averageMonthlySaving.amount(in: currency)
            )
            json.member("projectedCompletionDate", statistics.projectedCompletionDate)
            json.member("transactionCount", statistics.transactionCount)
            json.member("incomeCount", statistics.incomeCount)
            json.member("expenseCount", statistics.expenseCount)
            json.member("incomeTotal", statistics.incomeTotal.amount(in: currency))
            json.member("expenseTotal", statistics.expenseTotal.amount(in: currency))
            json.member("maxExpenseAmount", statistics.maxExpenseAmount.amount(in: currency))
            json.member(
                "series",
                array: statistics.series.lazy.map { MonthResource(month: $0, currency: currency) }
            )
            json.member(
                "categories",
                array: statistics.categories.lazy.map {
                    CategoryResource(total: $0, currency: currency)
                }
            )
            json.member(
                "projection",
                array: statistics.projection.lazy.map {
                    InstalmentResource(instalment: $0, currency: currency)
                }
            )
        }
    }
}

/// A month of the series, which is most of a report: as a token, it is written in one go.
private struct MonthResource: JSONToken {
    let month: GoalStatistics.Month
    let currency: Currency

    var maximumBytes: Int {
        // The names with what is around them, and the values.
        42 + month.month.maximumBytes + 3 * month.balance.amount(in: currency).maximumBytes
    }

    func writeJSON(to output: inout OutputSpan<UInt8>) {
        output.append("{", "month", month.month)
        output.append(",", "income", month.income.amount(in: currency))
        output.append(",", "expense", month.expense.amount(in: currency))
        output.append(",", "balance", month.balance.amount(in: currency))
        output.append(UInt8(ascii: "}"))
    }
}

private struct CategoryResource: JSONWritable {
    let total: GoalStatistics.CategoryTotal
    let currency: Currency

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("category", total.category?.text)
            json.member("income", total.income.amount(in: currency))
            json.member("expense", total.expense.amount(in: currency))
            json.member("count", total.count)
        }
    }
}

private struct InstalmentResource: JSONToken {
    let instalment: GoalStatistics.Instalment
    let currency: Currency

    var maximumBytes: Int {
        30 + instalment.date.maximumBytes
            + 2 * instalment.balance.amount(in: currency).maximumBytes
    }

    func writeJSON(to output: inout OutputSpan<UInt8>) {
        output.append("{", "date", instalment.date)
        output.append(",", "saving", instalment.saving.amount(in: currency))
        output.append(",", "balance", instalment.balance.amount(in: currency))
        output.append(UInt8(ascii: "}"))
    }
}
