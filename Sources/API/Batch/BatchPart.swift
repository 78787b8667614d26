import Goals
import Store

/// A command's place in the body of a batch.
struct BatchPart: Sendable {
    /// The place of the command, counted from 0.
    let index: Int

    /// What the command has for a body.
    let body: JSON?

    /// The JSON Pointer to the command.
    var pointer: String { "/commands/\(index)" }

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

/// What the commands of a batch that were read so far will have done when the next one runs.
struct BatchScope: Sendable {
    /// The currencies of the goals that they open.
    var openedGoals: [Goal.ID: Currency] = [:]
}
