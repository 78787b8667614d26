internal import Goals
internal import SQLite

// How the domain's values stand in the columns: identifiers as blobs of 16 bytes, days and moments as
// their count since the epoch, amounts as minor units, all of which sort and compare in SQL as they
// do in Swift. A value that no command can have written is damage: an error, and no reason to stop.
// Texts are taken as they are: they were checked when they were written, and to do it again would cost
// more than all the rest. `DataCheck` does.

extension Goal {
    /// Reads a goal from the columns `id, title, note, currency, target_amount, starting_amount,
    /// planned_day, status, completed_at, saved_amount, transaction_count, revision, created_at,
    /// updated_at`, the first of the row.
    init(_ row: borrowing Row) throws {
        let id = ID(stored: try row[0])
        self.init(
            id: id,
            title: Title(checked: try row[1]),
            note: Note(checked: try row[2]),
            currency: try sound(Currency(try row[3] as String), "currency of goal", id),
            targetAmount: (try row[4] as Int64?).map { Money(minorUnits: $0) },
            startingAmount: Money(minorUnits: try row[5]),
            plannedCompletionDate: try (try row[6] as Int?).map {
                try sound(CalendarDay(daysSinceEpoch: $0), "planned day of goal", id)
            },
            status: try sound(Status(rawValue: try row[7]), "status of goal", id),
            completedAt: (try row[8] as Int64?).map { Moment(millisecondsSinceEpoch: $0) },
            savedAmount: Money(minorUnits: try row[9]),
            transactionCount: try row[10],
            revision: try row[11],
            createdAt: Moment(millisecondsSinceEpoch: try row[12]),
            updatedAt: Moment(millisecondsSinceEpoch: try row[13])
        )
    }
}

extension Currency {
    /// Reads the currency of a goal from the first column.
    init(ofGoal id: Goal.ID, in row: borrowing Row) throws {
        self = try sound(Currency(try row[0] as String), "currency of goal", id)
    }
}

extension Transaction {
    /// Reads a transaction from the columns `id, type, amount, day, category, note, revision,
    /// created_at, updated_at`, the first of the row.
    init(_ row: borrowing Row, in goal: Goal.ID) throws {
        let id = ID(stored: try row[0])
        self.init(
            id: id,
            goalID: goal,
            type: try sound(Kind(rawValue: try row[1]), "type of transaction", id),
            amount: Money(minorUnits: try row[2]),
            date: try sound(CalendarDay(daysSinceEpoch: try row[3]), "day of transaction", id),
            category: (try row[4] as String?).map { Category(checked: $0) },
            note: Note(checked: try row[5]),
            revision: try row[6],
            createdAt: Moment(millisecondsSinceEpoch: try row[7]),
            updatedAt: Moment(millisecondsSinceEpoch: try row[8])
        )
    }
}

extension CalendarDay {
    /// Reads the day of a transaction of a goal from the first column.
    init(storedIn row: borrowing Row, in goal: Goal.ID) throws {
        self = try sound(
            CalendarDay(daysSinceEpoch: try row[0]),
            "day of a transaction of goal",
            goal
        )
    }
}

extension CalendarMonth {
    /// Reads the month of a goal's totals from the first column.
    init(storedIn row: borrowing Row, in goal: Goal.ID) throws {
        self = try sound(
            CalendarMonth(monthsSinceYearZero: try row[0]),
            "month of a total of goal",
            goal
        )
    }
}

extension MonthTotals {
    /// Reads the totals of a month of a goal from the second column.
    init(_ row: borrowing Row, of month: CalendarMonth, in goal: Goal.ID) throws {
        do {
            try self.init(row[1])
        } catch is Unreadable {
            throw DamagedRow(totalsOf: goal, in: month)
        }
    }
}

extension MonthTotals.Group {
    /// Reads the type and the category of some transactions of a goal from the first two columns.
    init(_ row: borrowing Row, in goal: Goal.ID) throws {
        self.init(
            type: try sound(
                Transaction.Kind(rawValue: try row[0]),
                "type of a transaction of goal",
                goal
            ),
            category: (try row[1] as String?).map { Category(checked: $0) }
        )
    }
}

extension DamagedRow {
    /// Says that the totals of a month cannot be read.
    init(totalsOf goal: Goal.ID, in month: CalendarMonth) {
        self.init(
            description: "The totals of goal \(goal) for \(month) in the data file are none there "
                + "can be."
        )
    }
}

extension TransactionTotal {
    /// Reads the total of a day from the columns `day, type, category, count, sum of the high parts,
    /// sum of the low parts, largest amount`.
    init(ofDay row: borrowing Row, in goal: Goal.ID) throws {
        let day = try CalendarDay(storedIn: row, in: goal)
        // In two parts, since not every sum of whole amounts has 64 bits.
        let (high, low): (Int64, Int64) = (try row[4], try row[5])
        self.init(
            days: day...day,
            type: try sound(
                Transaction.Kind(rawValue: try row[1]),
                "type of a transaction of goal",
                goal
            ),
            category: (try row[2] as String?).map { Category(checked: $0) },
            amounts: Amounts(
                count: try row[3],
                sum: Int128(high) << 32 + Int128(low),
                largest: Money(minorUnits: try row[6])
            )
        )
    }
}

/// The value that a column holds, unless it is none that the domain knows.
private func sound<Value, Entity>(
    _ value: Value?,
    _ column: StaticString,
    _ id: Identifier<Entity>
) throws -> Value {
    guard let value else {
        throw DamagedRow(description: "The \(column) \(id) in the data file is none there can be.")
    }
    return value
}

extension Identifier {
    init(stored: Bytes16) {
        self.init(high: stored.high, low: stored.low)
    }

    var stored: Bytes16 {
        Bytes16(high: high, low: low)
    }
}

extension CalendarDay {
    var stored: Int64 {
        Int64(daysSinceEpoch)
    }
}
