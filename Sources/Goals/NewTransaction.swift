/// A transaction to be recorded.
public struct NewTransaction: Hashable, Sendable {
    public let id: Transaction.ID
    public let type: Transaction.Kind

    /// From one minor unit to ``Money/largestAmount``.
    public let amount: Money

    /// The day it is dated; `nil` for the day on which it is recorded.
    public let date: CalendarDay?

    public let category: Category?
    public let note: Note

    /// The category as it is searched; made here for the reason that ``NewGoal/titleSearch`` is.
    public let categorySearch: String?

    /// The note as it is searched.
    public let noteSearch: String

    public init(
        id: Transaction.ID,
        type: Transaction.Kind,
        amount: Money,
        date: CalendarDay? = nil,
        category: Category? = nil,
        note: Note = .empty
    ) {
        self.id = id
        self.type = type
        self.amount = amount
        self.date = date
        self.category = category
        self.note = note
        categorySearch = (category?.text).map(TextFolding.fold)
        noteSearch = TextFolding.fold(note.text)
    }
}

extension NewTransaction {
    /// Tells a repeated creation from another one under the same identifier, as that of a
    /// ``NewGoal`` does.
    ///
    /// A missing date stays missing in it: sent again a day later, it is the same creation.
    public var fingerprint: UInt64 {
        var fingerprint = Fingerprint()
        fingerprint.combine(type.rawValue)
        fingerprint.combine(amount.minorUnits)
        fingerprint.combine(date.map { Int64($0.daysSinceEpoch) })
        fingerprint.combine(category?.text)
        fingerprint.combine(note.text)
        return fingerprint.value
    }
}
