public import Foundation

/// Something a person did that the server has yet to be told of.
public struct Command: Codable, Hashable, Sendable, Identifiable {
    public let id: UUID
    public let thing: Thing
    public internal(set) var action: Action

    public enum Action: Codable, Hashable, Sendable {
        case create(Resource)

        /// `base` is what the person saw, `mine` what they made of it.
        ///
        /// The server is told of the difference alone, and only if it still has the base: what somebody
        /// else has changed meanwhile is never overwritten unseen.
        case edit(base: Fields, mine: Fields)

        /// `base` is what the person saw when they chose to delete it.
        case delete(base: Fields)
    }

    init(_ thing: Thing, _ action: Action) {
        id = .version7()
        self.thing = thing
        self.action = action
    }
}

extension Command {
    /// The command in the form that `POST /batch` takes.
    func wire(ifMatch revision: Int?) -> WireCommand {
        let ifMatch = revision.map { "\"\($0)\"" }
        return switch action {
        case .create(let resource):
            switch thing {
            case .goal:
                WireCommand(method: "POST", path: "/goals", body: resource.creation)
            case .transaction(_, let goal):
                WireCommand(
                    method: "POST",
                    path: "/goals/\(goal)/transactions",
                    body: resource.creation
                )
            }
        case .edit(let base, let mine):
            WireCommand(
                method: "PATCH",
                path: thing.path,
                body: mine.changes(since: base),
                ifMatch: ifMatch
            )
        case .delete:
            WireCommand(method: "DELETE", path: thing.path, ifMatch: ifMatch)
        }
    }

    /// The command as it would have been, had the person seen something else before it.
    func rebased(onto fields: Fields) -> Command {
        var command = self
        switch action {
        case .create: break
        case .edit(let base, let mine):
            command.action = .edit(base: fields, mine: fields.applying(mine.changes(since: base)))
        case .delete:
            command.action = .delete(base: fields)
        }
        return command
    }
}

/// The first commands of the queue on their way to the server.
///
/// It is on the disk before it is sent, and stays there until the server has answered. Whatever happens
/// in between, it is sent again with the same key and the same bytes; the server does it once.
struct Piece: Codable, Hashable, Sendable {
    let key: UUID
    let count: Int
    let body: Data
}

/// A command that the server would not carry out, taken out of the queue.
public struct Refusal: Codable, Hashable, Sendable, Identifiable {
    public let command: Command

    /// Why: the server's words, to be shown to whoever gave the command.
    public let problem: Problem

    public var id: UUID { command.id }
}

/// A command that was meant for what somebody else has changed meanwhile.
public struct Conflict: Hashable, Sendable {
    public let command: Command

    /// What the person saw.
    public let base: Fields

    /// What they made of it; `nil` if they deleted it.
    public let mine: Fields?

    /// What the server has now.
    public let theirs: Fields

    /// Both: their version with what the person changed; `nil` if the person deleted it.
    public var merged: Fields? {
        mine.map { theirs.applying($0.changes(since: base)) }
    }

    /// The fields that both have changed, and differently.
    public var disputed: [String] {
        guard let mine else { return theirs.changes(since: base).names }
        let changed = Set(theirs.changes(since: base).names)
        return mine.changes(since: base).changes(since: theirs).names.filter(changed.contains)
    }
}

/// What becomes of a conflict.
public enum Resolution: Hashable, Sendable {
    /// The person's change is made to what the others have made of it; a deletion stands.
    case keepMine

    /// The person's change is dropped.
    case takeTheirs

    /// Something else is to be there; also instead of a deletion.
    case merge(Fields)
}
