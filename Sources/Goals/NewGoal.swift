/// What a goal begins with.
public struct NewGoal: Hashable, Sendable {
    public let id: Goal.ID
    public let title: Title
    public let note: Note
    public let currency: Currency

    /// From one minor unit to ``Money/largestAmount``, or `nil`.
    public let targetAmount: Money?

    /// From nothing to ``Money/largestAmount``.
    public let startingAmount: Money

    public let plannedCompletionDate: CalendarDay?

    /// The title and the note as they are searched.
    ///
    /// They are made here, where nobody waits for them, since that can take longer than all the rest.
    public let titleSearch, noteSearch: String

    public init(
        id: Goal.ID,
        title: Title,
        note: Note = .empty,
        currency: Currency,
        targetAmount: Money? = nil,
        startingAmount: Money = .zero,
        plannedCompletionDate: CalendarDay? = nil
    ) {
        self.id = id
        self.title = title
        self.note = note
        self.currency = currency
        self.targetAmount = targetAmount
        self.startingAmount = startingAmount
        self.plannedCompletionDate = plannedCompletionDate
        titleSearch = TextFolding.fold(title.text)
        noteSearch = TextFolding.fold(note.text)
    }
}

extension NewGoal {
    /// Tells a repeated creation from another one under the same identifier.
    ///
    /// Covers everything but the identifier, and is the same in every process and every release, so
    /// that it can be kept: a goal that was edited since still knows how it was created.
    public var fingerprint: UInt64 {
        var fingerprint = Fingerprint()
        fingerprint.combine(title.text)
        fingerprint.combine(note.text)
        fingerprint.combine(currency.code)
        fingerprint.combine(targetAmount?.minorUnits)
        fingerprint.combine(startingAmount.minorUnits)
        fingerprint.combine(plannedCompletionDate.map { Int64($0.daysSinceEpoch) })
        return fingerprint.value
    }
}
