import Foundation
import OfflineClient

/// A few commands over a file of goals, to see the library at work.
///
///     offline-client goals
///     offline-client add "A bike" EUR 1200
///     offline-client income "A bike" 50
///     offline-client sync
let usage = """
    usage: offline-client COMMAND
      goals                             shows all goals
      add TITLE CURRENCY [TARGET]       creates a goal
      income | expense TITLE AMOUNT     records a transaction of today
      rename TITLE NEW-TITLE            changes a goal
      delete TITLE                      deletes a goal
      sync                              tells the server, and learns from it
      follow                            the same, until it is stopped

    Reads GOALPOST_URL (http://127.0.0.1:8080), GOALPOST_TOKEN and OFFLINE_CLIENT_FILE (goals.json).
    """

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
}

func show(_ client: OfflineClient) async {
    for view in await client.goals {
        let target = view.goal.targetAmount.map { " of \($0)" } ?? ""
        let mark = view.isPending ? " *" : ""
        print("\(view.goal.title): \(view.saved)\(target) \(view.goal.currency)\(mark)")
    }
}

/// Asks whoever sits in front of it.
func ask(_ conflict: Conflict) async -> Resolution {
    print("Changed by you and by somebody else, who now has:")
    for name in conflict.theirs.names {
        print("  \(name): \(conflict.theirs[name] ?? "none")")
    }
    print("Keep your change (m) or theirs (t)? ", terminator: "")
    return readLine() == "m" ? .keepMine : .takeTheirs
}

func today() -> String {
    let parts = Calendar(identifier: .gregorian).dateComponents(
        [.year, .month, .day],
        from: Date()
    )
    return [(parts.year, 4), (parts.month, 2), (parts.day, 2)].map { number, digits in
        let text = "\(number ?? 0)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }.joined(separator: "-")
}

let environment = ProcessInfo.processInfo.environment
guard let address = URL(string: environment["GOALPOST_URL"] ?? "http://127.0.0.1:8080") else {
    fail("GOALPOST_URL is no URL.")
}

do {
    let client = try OfflineClient(
        file: URL(filePath: environment["OFFLINE_CLIENT_FILE"] ?? "goals.json"),
        address: address,
        token: environment["GOALPOST_TOKEN"],
        resolve: ask
    )
    func goal(_ title: String) async -> Goal.ID {
        guard let view = await client.goals.first(where: { $0.goal.title == title }) else {
            fail("There is no goal \"\(title)\".")
        }
        return view.goal.id
    }

    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.count) {
    case ("goals", 1):
        break
    case ("add", 3...4):
        try await client.createGoal(
            title: words[1],
            currency: words[2],
            targetAmount: words.dropFirst(3).first
        )
    case ("income", 3), ("expense", 3):
        try await client.record(
            words[0] == "income" ? .income : .expense,
            amount: words[2],
            for: goal(words[1]),
            date: today()
        )
    case ("rename", 3):
        try await client.edit(goal: goal(words[1])) { $0.title = words[2] }
    case ("delete", 2):
        try await client.delete(.goal(goal(words[1])))
    case ("sync", 1):
        try await client.sync()
    case ("follow", 1):
        let following = Task { try await client.follow() }
        let showing = Task {
            for await _ in client.updates {
                await show(client)
            }
        }
        defer { showing.cancel() }
        try await following.value
    default:
        fail(usage)
    }

    await show(client)
    for refusal in await client.refusals {
        let mistakes = refusal.problem.errors?.map { "\($0.pointer) \($0.detail)" } ?? []
        print("Refused: " + mistakes.joined(separator: "; "))
        try await client.dismiss(refusal)
    }
} catch let problem as Problem {
    fail("\(problem.title): \(problem.detail)")
} catch {
    fail("\(error)")
}
