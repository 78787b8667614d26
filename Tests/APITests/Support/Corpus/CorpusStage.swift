import Foundation
import Synchronization
import TestClient

/// A server that cases are played at.
struct CorpusStage: Sendable {
    let port: UInt16
    var limits = CorpusPlay.Limits()
}

extension CorpusStage {
    /// Plays cases, several at a time: most of their time they wait.
    ///
    /// - Returns: A line for each case that failed, in the order of the cases.
    func failures(of cases: [CorpusCase]) -> [String] {
        inParallel(cases, on: 8) { example in
            let mistakes = mistakes(playing: example)
            guard !mistakes.isEmpty else { return nil }
            return "\(example.id) (\(example.rule)): \(mistakes.joined(separator: "; ")). "
                + example.why
        }
        .compactMap(\.self)
    }

    /// Plays a case as often as it says.
    ///
    /// - Returns: The mistakes of the first time that there were some.
    func mistakes(playing example: CorpusCase) -> [String] {
        let times = Array(repeating: example, count: example.times * example.connections)
        return inParallel(times, on: example.connections, playOnce).first { !$0.isEmpty } ?? []
    }

    private func playOnce(_ example: CorpusCase) -> [String] {
        do {
            // Eight digits: cases count with its length.
            let nonce = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
            let text = CorpusText(
                values: ["HOST": "127.0.0.1:\(port)", "AUTH": "", "NONCE": nonce],
                blocks: example.blocks
            )
            let play = try CorpusPlay(example, text: text, port: port, limits: limits)
            let (mistakes, answers) = play.play()
            guard mistakes.isEmpty else { return mistakes }
            if let effect = example.expectation.effect {
                let isMade = answers.final.first.map { 200..<300 ~= $0.status } ?? false
                let title = String(decoding: try text.bytes(of: effect.title), as: UTF8.self)
                return try self.mistakes(in: effect, titled: title, nonce: nonce, isMade: isMade)
            }
            return try get("/healthz").status == 200 ? [] : ["Afterwards the server does not serve"]
        } catch {
            return ["\(error)"]
        }
    }

    /// Looks up whether a goal is there, if it should be.
    private func mistakes(
        in effect: CorpusCase.Effect,
        titled title: String,
        nonce: String,
        isMade: Bool
    ) throws -> [String] {
        let list = try get("/goals?search=\(nonce)")
        guard list.status == 200, let goals = try JSONTree(json: list.body)["items"]?.items else {
            return ["The list of goals is no list afterwards"]
        }
        let isThere = goals.contains { $0["title"]?.text?.contains(title) ?? false }
        let isWanted =
            switch effect.mode {
            case .present: true
            case .absent: false
            case .iffSuccessful: isMade
            }
        return isThere == isWanted
            ? [] : [isThere ? "A goal was made that must not be" : "No goal was made"]
    }

    private func get(_ target: String) throws -> TestClient.Answer {
        let client = try TestClient(port: port)
        try client.send("GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return try client.answer()
    }
}

/// Does something for each of many things, on threads of its own: it may wait.
///
/// - Returns: The results, in the order of the things.
func inParallel<Thing: Sendable, Result: Sendable>(
    _ things: [Thing],
    on threads: Int,
    _ body: @escaping @Sendable (Thing) -> Result
) -> [Result] {
    let next = Atomic(0)
    let results = Mutex<[Int: Result]>([:])
    let group = DispatchGroup()
    let work: @Sendable () -> Void = {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < things.count else { break }
            let result = body(things[index])
            results.withLock { $0[index] = result }
        }
        group.leave()
    }
    for _ in 0..<min(threads, things.count) {
        group.enter()
        Thread.detachNewThread(work)
    }
    group.wait()
    return results.withLock { results in results.sorted { $0.key < $1.key }.map(\.value) }
}
