internal import Goals
internal import SQLite

// The totals by month, type and category follow every change of a transaction, within the same
// transaction of the database.

extension Database {
    /// Adds a transaction, which is there already, to the total that it belongs to.
    func addToTotal(_ transaction: Transaction, of account: AccountID) throws {
        try run(
            """
            INSERT INTO monthly_totals (
                account, goal, month, type, category, count, sum_high, sum_low, largest
            ) VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6 >> 32, ?6 & 4294967295, ?6)
            ON CONFLICT DO UPDATE
            SET count = count + 1, sum_high = sum_high + excluded.sum_high,
                sum_low = sum_low + excluded.sum_low, largest = max(largest, excluded.largest)
            """,
            account.rawValue,
            transaction.goalID.stored,
            transaction.date.month.monthsSinceYearZero,
            transaction.type.rawValue,
            transaction.category?.text ?? "",
            transaction.amount.minorUnits
        )
    }

    /// Takes a transaction, which is gone already, out of the total that it belonged to.
    ///
    /// If it was the only one of the largest, the next is looked for among the transactions of the
    /// month, which takes the longer the more there are.
    func takeFromTotal(_ transaction: Transaction, of account: AccountID) throws {
        let month = transaction.date.month
        try run(
            """
            UPDATE monthly_totals
            SET count = count - 1, sum_high = sum_high - (?6 >> 32),
                sum_low = sum_low - (?6 & 4294967295),
                largest = CASE
                    WHEN largest > ?6 THEN largest
                    WHEN EXISTS (
                        SELECT 1
                        FROM transactions INDEXED BY transactions_by_amount
                        WHERE account = ?1 AND goal = ?2 AND amount = ?6 AND day BETWEEN ?7 AND ?8
                            AND type = ?4 AND ifnull(category, '') = ?5
                    ) THEN largest
                    ELSE ifnull(
                        (
                            SELECT max(amount)
                            FROM transactions INDEXED BY transactions_by_day
                            WHERE account = ?1 AND goal = ?2 AND day BETWEEN ?7 AND ?8
                                AND type = ?4 AND ifnull(category, '') = ?5
                        ),
                        0
                    )
                END
            WHERE account = ?1 AND goal = ?2 AND month = ?3 AND type = ?4 AND category = ?5
            """,
            account.rawValue,
            transaction.goalID.stored,
            month.monthsSinceYearZero,
            transaction.type.rawValue,
            transaction.category?.text ?? "",
            transaction.amount.minorUnits,
            month.firstDay.stored,
            month.lastDay.stored
        )
        try run(
            """
            DELETE FROM monthly_totals
            WHERE account = ? AND goal = ? AND month = ? AND type = ? AND category = ? AND count = 0
            """,
            account.rawValue,
            transaction.goalID.stored,
            month.monthsSinceYearZero,
            transaction.type.rawValue,
            transaction.category?.text ?? ""
        )
    }
}
