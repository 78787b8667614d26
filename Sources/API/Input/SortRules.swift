import Store

/// How many rows a page has if the client does not say.
let defaultPageLimit = 50

/// An order of a list, as the client names it and as the store does.
struct NamedSort<Sort: Sendable>: Sendable {
    let text: String
    let sort: Sort
}

extension NamedSort<GoalSort> {
    static let newestChangeFirst = NamedSort(
        text: "-updatedAt",
        sort: GoalSort(.updatedAt, descending: true)
    )
}

extension NamedSort<TransactionSort> {
    static let latestFirst = NamedSort(
        text: "-date",
        sort: TransactionSort(.date, descending: true)
    )
}

extension Rule<NamedSort<GoalSort>> {
    static let goalSort = Rule.sort(
        by: [
            "createdAt": .createdAt,
            "plannedCompletionDate": .plannedCompletionDate,
            "title": .title,
            "updatedAt": .updatedAt,
        ],
        GoalSort.init
    )
}

extension Rule<NamedSort<TransactionSort>> {
    static let transactionSort = Rule.sort(
        by: ["amount": .amount, "createdAt": .createdAt, "date": .date],
        TransactionSort.init
    )
}

extension Rule {
    /// One of the fields to sort by, for the other direction with a hyphen before it.
    fileprivate static func sort<Field: Sendable, Sort>(
        by fields: KeyValuePairs<String, Field>,
        _ makeSort: (Field, Bool) -> Sort
    ) -> Rule where Value == NamedSort<Sort> {
        var sorts: [String: NamedSort<Sort>] = [:]
        for (name, field) in fields {
            sorts[name] = NamedSort(text: name, sort: makeSort(field, false))
            sorts["-" + name] = NamedSort(text: "-" + name, sort: makeSort(field, true))
        }
        let names = fields.map { "\"\($0.key)\"" }.joined(separator: ", ")
        return Rule(
            "must be one of \(names), or one of these after a hyphen for the other direction",
            text: { [sorts] in sorts[$0] }
        )
    }
}
