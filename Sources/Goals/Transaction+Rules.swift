extension Transaction {
    /// Records a transaction of a goal, dated today unless it names another day.
    public init(_ new: NewTransaction, in goal: Goal.ID, today: CalendarDay, at moment: Moment) {
        self.init(
            id: new.id,
            goalID: goal,
            type: new.type,
            amount: new.amount,
            date: new.date ?? today,
            category: new.category,
            note: new.note,
            revision: 1,
            createdAt: moment,
            updatedAt: moment
        )
    }

    /// The transaction with the next revision after changes, or itself if nothing changes.
    public func applying(_ changes: TransactionChanges, at moment: Moment) -> Transaction {
        let type = changes.type.applied(to: type)
        let amount = changes.amount.applied(to: amount)
        let date = changes.date.applied(to: date)
        let category = changes.category.applied(to: category)
        let note = changes.note.applied(to: note)
        guard
            type != self.type || amount != self.amount || date != self.date
                || category != self.category || note != self.note
        else { return self }

        return Transaction(
            id: id,
            goalID: goalID,
            type: type,
            amount: amount,
            date: date,
            category: category,
            note: note,
            revision: revision + 1,
            createdAt: createdAt,
            updatedAt: max(updatedAt, moment)
        )
    }
}
