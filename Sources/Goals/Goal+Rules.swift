// What commands do to a goal. Amounts, dates and texts come checked; what depends on the goal's own
// state is decided here, without a database.

extension Goal {
    /// Opens a goal.
    public init(_ new: NewGoal, at moment: Moment) {
        self.init(
            id: new.id,
            title: new.title,
            note: new.note,
            currency: new.currency,
            targetAmount: new.targetAmount,
            startingAmount: new.startingAmount,
            plannedCompletionDate: new.plannedCompletionDate,
            status: .active,
            completedAt: nil,
            savedAmount: new.startingAmount,
            transactionCount: 0,
            revision: 1,
            createdAt: moment,
            updatedAt: moment
        )
    }

    /// The goal after changes to its own facts.
    ///
    /// The saved amount follows the starting amount.
    ///
    /// - Returns: The goal with the next revision, or the goal itself if nothing changes.
    public func applying(
        _ changes: GoalChanges,
        at moment: Moment
    ) throws(RuleViolation) -> Goal {
        let status = changes.status.applied(to: status)
        guard status == self.status || self.status.allowedMoves.contains(status) else {
            throw .statusMove(from: self.status, to: status)
        }
        let title = changes.title.applied(to: title)
        let note = changes.note.applied(to: note)
        let targetAmount = changes.targetAmount.applied(to: targetAmount)
        let startingAmount = changes.startingAmount.applied(to: startingAmount)
        let date = changes.plannedCompletionDate.applied(to: plannedCompletionDate)
        guard
            status != self.status || title != self.title || note != self.note
                || targetAmount != self.targetAmount || startingAmount != self.startingAmount
                || date != plannedCompletionDate
        else { return self }

        let updatedAt = max(updatedAt, moment)
        return Goal(
            id: id,
            title: title,
            note: note,
            currency: currency,
            targetAmount: targetAmount,
            startingAmount: startingAmount,
            plannedCompletionDate: date,
            status: status,
            completedAt: status == .completed ? completedAt ?? updatedAt : nil,
            savedAmount: try saving(startingAmount - self.startingAmount),
            transactionCount: transactionCount,
            revision: revision + 1,
            createdAt: createdAt,
            updatedAt: updatedAt
        )
    }

    /// The goal after one of its new transactions.
    public func recording(
        _ transaction: Transaction,
        at moment: Moment
    ) throws(RuleViolation) -> Goal {
        guard status != .archived else { throw .goalIsArchived }
        return try movingLedger(by: transaction.effect, counting: 1, at: moment)
    }

    /// The goal after an edit of one of its transactions, or the goal itself if nothing changes.
    public func replacing(
        _ old: Transaction,
        with new: Transaction,
        at moment: Moment
    ) throws(RuleViolation) -> Goal {
        guard old != new else { return self }
        return try movingLedger(by: new.effect - old.effect, counting: 0, at: moment)
    }

    /// The goal after one of its transactions was deleted.
    public func removing(
        _ transaction: Transaction,
        at moment: Moment
    ) throws(RuleViolation) -> Goal {
        try movingLedger(by: .zero - transaction.effect, counting: -1, at: moment)
    }
}

extension Goal {
    private func movingLedger(
        by amount: Money,
        counting countChange: Int,
        at moment: Moment
    ) throws(RuleViolation) -> Goal {
        Goal(
            id: id,
            title: title,
            note: note,
            currency: currency,
            targetAmount: targetAmount,
            startingAmount: startingAmount,
            plannedCompletionDate: plannedCompletionDate,
            status: status,
            completedAt: completedAt,
            savedAmount: try saving(amount),
            transactionCount: transactionCount + countChange,
            revision: revision + 1,
            createdAt: createdAt,
            updatedAt: max(updatedAt, moment)
        )
    }

    /// The saved amount with some more, or less if negative.
    private func saving(_ amount: Money) throws(RuleViolation) -> Money {
        let sum = savedAmount + amount
        guard Money.savedAmounts.contains(sum) else { throw .savedAmountOutOfBounds(currency) }
        return sum
    }
}
