import Foundation

extension OfflineClient {
    /// Tells the server what was done here, and learns what others have done.
    ///
    /// - Throws: ``Unreachable`` when it has failed too often in a row: try again when there is a
    ///   network. A ``Problem`` when only a person can help, with a token that is revoked for instance.
    ///   Nothing is lost either way.
    public func sync() async throws {
        if let running {
            do {
                return try await running.value
            } catch is CancellationError {
                // It was somebody else's, and so was the wish to end it.
                try Task.checkCancellation()
                return try await sync()
            }
        }
        let task = Task {
            defer { running = nil }
            try await syncNow()
        }
        running = task
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func syncNow() async throws {
        // Two who move the replica on would get into each other's way.
        reading?.cancel()
        var failures = 0
        while true {
            do {
                guard try await takeStep() else { return }
                failures = 0
            } catch let failure as Unreachable {
                failures += 1
                guard failures < retries.attempts else { throw failure }
                try await retries.wait(
                    retries.pause(afterFailures: failures, retryAfter: failure.retryAfter)
                )
            }
        }
    }

    /// Does the one thing that is to be done next.
    ///
    /// What that is, the file says: after a crash it goes on where it was.
    ///
    /// - Returns: Whether there may be more to do.
    private func takeStep() async throws -> Bool {
        if let piece = store.state.piece {
            try await deliver(piece)
            return true
        }
        let page = try await nextPage()
        try change { $0.apply(page.changes, next: page.next) }
        if page.hasMore { return true }
        try await settleConflicts()
        let limits = PieceLimits(commands: nextCount, bytes: limits.bytes)
        try change { try $0.makePiece(limits: limits, encoder: Store.encoder) }
        return store.state.piece != nil
    }

    /// Sends a piece, until the server has said what becomes of it.
    private func deliver(_ piece: Piece) async throws {
        do {
            let results = try await server.carryOut(piece)
            try change { $0.confirm(results) }
            nextCount = limits.commands
            overtaken = 0
        } catch let problem as Problem {
            switch (problem.status, problem.commandIndex) {
            case (412, _):
                // The change that is in the way comes with the next page, and is settled then.
                overtaken += 1
                try change { state in
                    state.takeBack()
                    // Nobody is always faster: what we have is not what the server has.
                    if overtaken % 5 == 0 { state.forgetReplica() }
                }
            case (413, _) where piece.count > 1:
                nextCount = piece.count / 2
                try change { $0.takeBack() }
            case (_, let index?) where problem.code == "batch-too-large" && index > 0:
                // Up to there it was not.
                nextCount = index
                try change { $0.takeBack() }
            case (_, let index?):
                try change { $0.refuse(index, because: problem) }
            case (_, nil):
                throw problem
            }
        }
    }

    private func nextPage() async throws -> ChangePage {
        do {
            return try await server.changes(since: store.state.since)
        } catch let problem as Problem
            where problem.code == "resync-required" || problem.code == "malformed-cursor"
        {
            // We were away for too long, or this is not the data that we knew: a backup, perhaps.
            guard store.state.since != nil else { throw problem }
            try change { $0.forgetReplica() }
            return try await server.changes(since: nil)
        }
    }

    private func settleConflicts() async throws {
        while true {
            var conflict: Conflict?
            try change { conflict = $0.nextConflict() }
            guard let conflict else { return }
            // A person may take their time, and meanwhile do other things.
            let resolution = await resolve(conflict)
            try Task.checkCancellation()
            try change { $0.settle(conflict, by: resolution) }
        }
    }
}

extension OfflineClient {
    /// Keeps up with the server until the task is cancelled: syncs, then reads changes as they happen,
    /// and syncs again whenever something is done here or the connection is lost.
    ///
    /// - Throws: What ``sync()`` throws, but for ``Unreachable``; and `CancellationError`.
    public func follow() async throws {
        var failures = 0
        while true {
            do {
                try await sync()
                // Nothing comes between this look and the start: both are on the actor.
                guard store.state.queue.isEmpty else { continue }
                try await readEvents { failures = 0 }
            } catch let failure as Unreachable {
                failures += 1
                try await retries.wait(
                    retries.pause(afterFailures: failures, retryAfter: failure.retryAfter)
                )
            }
            try Task.checkCancellation()
        }
    }

    /// Takes over events, from the place where the last sync ended.
    ///
    /// - Parameter opened: Called when the server has let us in.
    /// - Throws: ``Unreachable`` when the stream ends; returns when ``reading`` is cancelled.
    private func readEvents(opened: () -> Void) async throws {
        let stream = server.stream(server.eventRequest(since: store.state.since))
        let (openings, opening) = AsyncStream<Void>.makeStream()
        let task = Task {
            defer { opening.finish() }
            var parser = EventParser()
            for try await data in stream {
                opening.yield()
                // Whoever cancelled this may have moved the replica on already.
                try Task.checkCancellation()
                try take(parser.read(data))
            }
        }
        reading = task
        defer { reading = nil }
        try await withTaskCancellationHandler {
            for await _ in openings { opened() }
            do {
                try await task.value
            } catch is CancellationError {
                return
            }
        } onCancel: {
            task.cancel()
        }
        guard task.isCancelled else { throw Unreachable() }
    }

    private func take(_ events: [Event]) throws {
        guard let last = events.last else { return }
        guard last.name != "resync" else {
            try change { $0.forgetReplica() }
            throw Unreachable()
        }
        let changes: [Change]
        do {
            changes = try events.map {
                try JSONDecoder().decode(Change.self, from: Data($0.data.utf8))
            }
        } catch {
            throw Unreachable(cause: error)
        }
        try change { $0.apply(changes, next: last.id) }
    }
}
