public import Goals

/// What a list has of a goal, and how much of it is text, which lists bound.
public struct ListedGoal: Sendable {
    /// The goal in the form that the list is in, of which the store knows nothing.
    public let bytes: [UInt8]

    /// The bytes of the goal's texts.
    let textBytes: Int

    public init(_ bytes: [UInt8], of goal: Goal) {
        self.bytes = bytes
        textBytes = goal.title.text.utf8.count + goal.note.text.utf8.count
    }
}
