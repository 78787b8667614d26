import Goals
import Store

/// A command's place in the body of a batch.
struct BatchPart: Sendable {
    /// The place of the command, counted from 0.
    let index: Int

    /// What the command has for a body.
    let body: JSON?

    /// The currencies of the goals that the commands before it open: they will be there when it runs.
    let openedGoals: [Goal.ID: Currency]

    /// The JSON Pointer to the command.
    var pointer: String { Self.pointer(to: index) }

    /// The JSON Pointer to the command in a place.
    static func pointer(to index: Int) -> String { "/commands/\(index)" }

    /// The JSON Pointer to its body.
    var bodyPointer: String { "\(pointer)/body" }

    /// The problem of a member of the command itself.
    func mistake(_ member: String, _ detail: String) -> Problem {
        .invalidBody([Mistake(pointer: "\(pointer)/\(member)", detail: detail)])
    }

    /// The members of its body.
    ///
    /// - Throws: ``Problem`` if there is no body, or it is no JSON object.
    var fields: Fields {
        get throws(Problem) {
            try Fields(body ?? .null, at: bodyPointer)
        }
    }
}
