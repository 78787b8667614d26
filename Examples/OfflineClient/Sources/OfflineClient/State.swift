import Foundation

/// All that the client remembers.
///
/// It changes as one value, in one write to the disk.
struct State: Codable, Hashable, Sendable {
    /// What the server had when the client last looked.
    var replica = Replica()

    /// The place in the server's order of changes that the replica has come to.
    var since: String?

    /// What was done here and the server has not confirmed, in its order.
    var queue: [Command] = []

    /// The part of the queue, counted from its front, that the server may or may not have got.
    ///
    /// While there is one, the replica is not moved on: the answer to a piece, which may come days late,
    /// is then always newer than what the replica has.
    var piece: Piece?

    /// What the server would not do, until somebody has looked at it.
    var refusals: [Refusal] = []
}

extension State {
    /// What is to be shown: what the server had, and what was done here since.
    var view: Replica {
        queue.reduce(into: replica) { $0.apply($1) }
    }

    /// Starts anew with the server's things, when it can no longer tell what has changed.
    ///
    /// What was done here is kept.
    mutating func forgetReplica() {
        replica = Replica()
        since = nil
    }

    /// Takes over what has changed on the server, and the place that this leads to.
    mutating func apply(_ changes: [Change], next: String) {
        for change in changes {
            replica.apply(change)
        }
        since = next
    }
}

// What a person does.

extension State {
    mutating func create(_ resource: Resource) {
        queue.append(Command(resource.thing, .create(resource)))
    }

    /// Changes something; one command in the queue does for several changes of the same thing.
    mutating func edit(_ thing: Thing, _ edit: (inout Resource) -> Void) throws(NoSuchThing) {
        guard let seen = view[thing] else { throw NoSuchThing(thing: thing) }
        var edited = seen
        edit(&edited)
        let changes = edited.fields.changes(since: seen.fields)
        guard !changes.isEmpty else { return }

        // A status has its place among the transactions: an archived goal takes none.
        if changes["status"] == nil, let index = waiting.last(where: { queue[$0].thing == thing }) {
            switch queue[index].action {
            case .create(var resource):
                resource.fields = resource.fields.applying(changes)
                queue[index].action = .create(resource)
                return
            case .edit(let base, let mine):
                queue[index].action = .edit(base: base, mine: mine.applying(changes))
                return
            case .delete:
                preconditionFailure("What is to be deleted is not in the view")
            }
        }
        queue.append(Command(thing, .edit(base: seen.fields, mine: edited.fields)))
    }

    /// Deletes something, and takes back what was to be done with it.
    mutating func delete(_ thing: Thing) throws(NoSuchThing) {
        guard let seen = view[thing] else { throw NoSuchThing(thing: thing) }
        var base = seen.fields
        var isUnknownToServer = false
        for index in waiting.reversed() where queue[index].concerns(thing) {
            let command = queue.remove(at: index)
            guard command.thing == thing else { continue }
            switch command.action {
            case .create: isUnknownToServer = true
            case .edit(let seenBefore, _): base = seenBefore
            case .delete: preconditionFailure("What is to be deleted is not in the view")
            }
        }
        guard !isUnknownToServer else { return }
        queue.append(Command(thing, .delete(base: base)))
    }

    /// The commands that are not on their way, and may therefore be changed.
    private var waiting: Range<Int> {
        (piece?.count ?? 0)..<queue.count
    }
}

extension Command {
    /// Whether it is about a thing, or about a transaction of a goal.
    fileprivate func concerns(_ other: Thing) -> Bool {
        switch other {
        case .goal(let id): thing.goal == id
        case .transaction: thing == other
        }
    }
}

/// There is no such goal or transaction, or no longer.
public struct NoSuchThing: Error, Hashable {
    public let thing: Thing
}

// What becomes of it on the server.

extension State {
    /// Makes a piece of the first commands, if there are any.
    mutating func makePiece(limits: PieceLimits, encoder: JSONEncoder) throws {
        var commands: [Data] = []
        var bytes = 0
        var touched: Set<Thing> = []
        var created: Set<Thing> = []
        for command in queue.prefix(limits.commands) {
            var revision: Int?
            switch command.action {
            case .create:
                created.insert(command.thing)
            case .edit, .delete:
                // What this piece creates nobody else can have changed: a batch is one transaction.
                if created.contains(command.thing) { break }
                // Which revision a thing has after the commands before, only their answer can tell.
                guard !touched.contains(command.thing) else { return try send(commands) }
                revision = replica[command.thing]?.revision
            }
            let json = try encoder.encode(command.wire(ifMatch: revision))
            bytes += json.count
            guard commands.isEmpty || bytes <= limits.bytes else { return try send(commands) }
            commands.append(json)
            // A transaction is a change of its goal, too.
            touched.formUnion([command.thing, .goal(command.thing.goal)])
        }
        try send(commands)

        func send(_ commands: [Data]) throws {
            guard !commands.isEmpty else { return }
            let list = Data(commands.joined(separator: Data(",".utf8)))
            piece = Piece(
                key: UUID(),
                count: commands.count,
                body: Data(#"{"commands":["#.utf8) + list + Data("]}".utf8)
            )
        }
    }

    /// Takes over what the server made of the piece.
    mutating func confirm(_ results: [Resource?]) {
        guard let count = piece?.count else { return }
        let done = queue.prefix(count)
        queue.removeFirst(count)
        piece = nil
        for (command, resource) in zip(done, results) {
            if let resource {
                replica.put(resource)
            } else {
                replica.remove(command.thing)
            }
        }
        for thing in Set(done.map(\.thing)) {
            rebase(thing)
        }
    }

    /// Leaves the commands of a refused piece, which has done nothing, to the next ones.
    mutating func takeBack() {
        piece = nil
    }

    /// Takes a command out of the piece that the server refused because of it; the rest goes back to the
    /// queue.
    mutating func refuse(_ index: Int, because problem: Problem) {
        takeBack()
        guard queue.indices.contains(index) else { return }
        switch (queue[index].action, problem.status) {
        case (.delete, 404), (.delete, 410):
            // Somebody else was faster.
            replica.remove(queue.remove(at: index).thing)
        default:
            withdraw(index, because: problem)
        }
    }

    private mutating func withdraw(_ index: Int, because problem: Problem) {
        let command = queue.remove(at: index)
        refusals.append(Refusal(command: command, problem: problem))
        if case .create = command.action {
            // Without it, there is nothing that these could be done to.
            refusals += queue.filter { $0.concerns(command.thing) }
                .map { Refusal(command: $0, problem: problem) }
            queue.removeAll { $0.concerns(command.thing) }
        }
        rebase(command.thing)
    }

    /// Bases what is still to be done with a thing on what the replica has.
    private mutating func rebase(_ thing: Thing) {
        guard var fields = replica[thing]?.fields else { return }
        for index in queue.indices where queue[index].thing == thing {
            queue[index] = queue[index].rebased(onto: fields)
            if case .edit(_, let mine) = queue[index].action { fields = mine }
        }
    }
}

// When others have changed the same.

extension State {
    /// The first command that was meant for something else than the server has now.
    ///
    /// Drops on its way what the server has already. That only the revision has moved on, because
    /// somebody recorded a transaction, is no conflict.
    mutating func nextConflict() -> Conflict? {
        var seen: Set<Thing> = []
        var index = 0
        while index < queue.count {
            let command = queue[index]
            // Later commands are based on what the first one does.
            guard seen.insert(command.thing).inserted, let theirs = replica[command.thing]?.fields
            else {
                index += 1
                continue
            }
            switch command.action {
            case .edit(let base, let mine)
            where theirs.applying(mine.changes(since: base)) == theirs:
                queue.remove(at: index)
                rebase(command.thing)
                seen.remove(command.thing)
                continue
            case .edit(let base, let mine) where base != theirs:
                return Conflict(command: command, base: base, mine: mine, theirs: theirs)
            case .delete(let base) where base != theirs:
                return Conflict(command: command, base: base, mine: nil, theirs: theirs)
            case .create, .edit, .delete:
                index += 1
            }
        }
        return nil
    }

    /// Does with a conflict what was chosen, unless something has changed since it was asked about.
    mutating func settle(_ conflict: Conflict, by resolution: Resolution) {
        guard
            let index = queue.firstIndex(of: conflict.command),
            replica[conflict.command.thing]?.fields == conflict.theirs
        else { return }
        switch resolution {
        case .keepMine:
            queue[index] = conflict.command.rebased(onto: conflict.theirs)
        case .takeTheirs:
            queue.remove(at: index)
        case .merge(let fields):
            let merged = conflict.theirs.applying(fields)
            queue[index].action = .edit(base: conflict.theirs, mine: merged)
        }
        rebase(conflict.command.thing)
    }
}

/// How much is sent at once.
public struct PieceLimits: Hashable, Sendable {
    public var commands: Int
    public var bytes: Int

    /// - Parameters:
    ///   - commands: At most so many, of the 1,000 that the server takes: one that is refused sends
    ///     all of them back.
    ///   - bytes: About so much; the server takes a MiB.
    public init(commands: Int = 100, bytes: Int = 256 * 1024) {
        self.commands = commands
        self.bytes = bytes
    }
}
