/// A case on its way over a connection: says what the case says, and reads what comes.
final class CorpusPlay {
    private let example: CorpusCase
    private let text: CorpusText
    private let limits: Limits

    /// `nil` after the client has hung up.
    private var wire: Wire?
    private var answers = CorpusCase.Answers()

    /// How long the server may take for things, in seconds.
    struct Limits: Sendable {
        /// The longest wait for an answer.
        var answer = 5.0

        /// The longest wait for the end of a connection after the last answer.
        var close = 8.0

        /// The longest wait for a time-out of the server's, for the cases that are about them.
        var slow = 45.0

        /// The pause between two steps, so that they arrive one by one.
        var pause = 0.03
    }

    /// A way in which the server did not behave.
    struct Misbehavior: Error, CustomStringConvertible {
        let description: String
    }

    init(_ example: CorpusCase, text: CorpusText, port: UInt16, limits: Limits) throws {
        self.example = example
        self.text = text
        self.limits = limits
        wire = try Wire(port: port)
    }
}

extension CorpusPlay {
    /// Plays the case once.
    ///
    /// - Returns: In which ways the server did not behave, and what it answered.
    func play() -> (mistakes: [String], answers: CorpusCase.Answers) {
        let start = ContinuousClock.now
        var mistakes: [String] = []
        do {
            try converse()
        } catch {
            mistakes.append("\(error)")
        }
        do {
            mistakes += try example.expectation.mistakes(
                in: answers,
                headPositions: example.headPositions
            )
            if mistakes.isEmpty, let wire { try seeEnd(of: wire) }
        } catch {
            mistakes.append("\(error)")
        }
        let time = ContinuousClock.now - start
        if let most = example.expectation.maximumSeconds, time > .seconds(most) {
            mistakes.append("It took \(time), at most \(most) s are allowed")
        }
        wire = nil
        return (mistakes, answers)
    }
}

// MARK: - The conversation

extension CorpusPlay {
    private func converse() throws {
        for (index, step) in example.steps.enumerated() {
            guard let wire else { return }
            // Hanging up follows at once, so that it arrives with the last bytes.
            if index > 0, !step.isHangingUp { _ = try wire.wait(limits.pause) { false } }
            guard try take(step, on: wire) else { break }
        }
        guard let wire else { return }
        while answers.final.count < example.expectation.answers {
            let hasNews = try wire.wait(patience) { wire.hasNews }
            guard hasNews else { throw Misbehavior(description: "\(progress), then silence") }
            guard !wire.received.isEmpty else {
                if example.expectation.allowsSilence, answers.final.isEmpty { return }
                throw Misbehavior(description: "\(progress), then the server hung up")
            }
            try readAnswer(on: wire)
        }
    }

    private var progress: String {
        "\(answers.final.count) of \(example.expectation.answers) answers"
    }

    /// Does what a step says.
    ///
    /// - Returns: Whether the next step follows.
    private func take(_ step: CorpusCase.Step, on wire: Wire) throws -> Bool {
        switch step {
        case .send(let pieces):
            return try wire.send(try text.bytes(of: pieces), within: 20)
        case .pause(let seconds):
            _ = try wire.wait(seconds) { false }
        case .trickle(let letters, let gap):
            for byte in try text.bytes(of: letters) {
                guard try wire.send([byte], within: limits.answer) else { break }
                _ = try wire.wait(gap) { false }
            }
        case .drip(let letters, let gap):
            try drip(try text.bytes(of: letters), gap: gap, on: wire)
        case .awaitAnswer:
            try readAnswer(on: wire)
        case .awaitContinue:
            return try awaitContinue(on: wire)
        case .quiet(let seconds):
            if try wire.wait(seconds, until: { wire.hasNews }) {
                throw Misbehavior(description: "The server did not wait: \(excerpt(wire.received))")
            }
        case .halfClose:
            wire.finishSending()
        case .close:
            self.wire = nil
        case .reset:
            try wire.endWithReset()
            self.wire = nil
        }
        return true
    }

    private func drip(_ bytes: [UInt8], gap: Double, on wire: Wire) throws {
        let deadline = ContinuousClock.now + .seconds(limits.slow)
        while !(try wire.wait(gap, until: { wire.hasNews })) {
            guard ContinuousClock.now < deadline else {
                throw Misbehavior(description: "The server still listens after \(limits.slow) s")
            }
            try wire.send(bytes, within: limits.answer)
        }
    }

    private func awaitContinue(on wire: Wire) throws -> Bool {
        guard try wire.wait(patience, until: { wire.hasNews }) else {
            throw Misbehavior(description: "There is neither 100 nor an answer")
        }
        guard !wire.received.isEmpty else { return false }
        let answer = try nextAnswer(on: wire)
        guard answer.status == 100 else {
            if answer.status < 200 { throw Misbehavior(description: "\(answer.status) for 100") }
            answers.final.append(answer)
            return false
        }
        answers.interim.append(answer)
        return true
    }

    /// Reads a final answer, and those of 1xx before it.
    private func readAnswer(on wire: Wire) throws {
        while true {
            let answer = try nextAnswer(on: wire)
            guard answer.status < 200 else {
                answers.final.append(answer)
                return
            }
            answers.interim.append(answer)
        }
    }

    private func nextAnswer(on wire: Wire) throws -> StrictAnswer {
        let isHead = example.headPositions.contains(answers.final.count)
        return try wire.nextAnswer(toHead: isHead, within: patience)
    }

    private var patience: Double {
        let usual = example.patience ?? limits.answer
        return example.isSlow ? max(usual, limits.slow) : usual
    }
}

// MARK: - The end

extension CorpusPlay {
    /// Sees what becomes of the connection after the last answer.
    private func seeEnd(of wire: Wire) throws {
        let fate = example.expectation.fate(after: answers)
        // Nothing is wanted of a connection on which nothing was to be answered.
        guard example.expectation.answers > 0 || fate != .any else { return }
        if fate != .close { try askOnceMore(on: wire, mayEnd: fate == .any) }

        let seconds = example.isSlow ? limits.slow : limits.close
        guard try wire.wait(seconds, until: { wire.hasNews }) else {
            throw Misbehavior(description: "The connection stays open after the last answer")
        }
        guard wire.received.isEmpty else {
            throw Misbehavior(description: "After the last answer came \(excerpt(wire.received))")
        }
        if example.expectation.isClean, wire.isRefused || wire.ending == .reset {
            throw Misbehavior(description: "The connection ended with RST")
        }
    }

    /// Asks for something that is known, as the last thing on this connection.
    ///
    /// Answers come in order. So whatever nobody asked for comes before this answer, or after it and
    /// before the end; there is no need to watch an idle connection for a while.
    private func askOnceMore(on wire: Wire, mayEnd: Bool) throws {
        let id = "after-\(example.id)"
        let head = "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: \(id)\r\n"
        try wire.send(Array((head + "Connection: close\r\n\r\n").utf8), within: limits.answer)
        guard try wire.wait(limits.answer, until: { wire.hasNews }) else {
            throw Misbehavior(description: "A request after the last gets no answer")
        }
        if wire.received.isEmpty {
            guard mayEnd else { throw Misbehavior(description: "The server did not stay") }
            return
        }
        let answer = try wire.nextAnswer(within: limits.answer)
        guard answer.status == 200, answer["x-request-id"] == id else {
            throw Misbehavior(
                description: "The answer to a request after the last is another's: \(answer.status)"
            )
        }
    }
}

extension Wire {
    /// Waits for an answer, and takes it.
    func nextAnswer(
        toHead isHead: Bool = false,
        within seconds: Double
    ) throws -> StrictAnswer {
        var found: (answer: StrictAnswer, length: Int)?
        let isThere = try wait(seconds) {
            found = try StrictAnswer.read(from: received, isAll: ending != nil, toHead: isHead)
            return found != nil
        }
        guard isThere, let found else {
            throw CorpusPlay.Misbehavior(description: "No whole answer came: \(excerpt(received))")
        }
        take(found.length)
        return found.answer
    }
}

extension CorpusCase.Step {
    fileprivate var isHangingUp: Bool {
        switch self {
        case .halfClose, .close, .reset: true
        case .send, .pause, .trickle, .drip, .awaitAnswer, .awaitContinue, .quiet: false
        }
    }
}
