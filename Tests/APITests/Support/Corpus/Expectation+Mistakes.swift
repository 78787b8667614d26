extension CorpusCase {
    /// What a server said to a case.
    struct Answers {
        var final: [StrictAnswer] = []

        /// Those of 1xx, which come before.
        var interim: [StrictAnswer] = []
    }
}

extension CorpusCase.Expectation {
    /// In which ways answers are not what they should be; what they say is not looked up anywhere.
    func mistakes(
        in answers: CorpusCase.Answers,
        headPositions: Set<Int>
    ) throws -> [String] {
        var mistakes: [String] = []
        for (position, answer) in answers.final.enumerated() {
            let allowed = position < statusesInOrder.count ? statusesInOrder[position] : statuses
            if !allowed.contains(answer.status) {
                mistakes.append(
                    "Answer \(position + 1) is \(answer.status), allowed are \(allowed)"
                )
            }
            mistakes += answer.mistakes(toHead: headPositions.contains(position))
            mistakes += try mistakesInFields(of: answer)
            mistakes += try mistakesInBody(of: answer)
        }
        return mistakes + mistakesInInterim(of: answers)
    }

    private func mistakesInFields(of answer: StrictAnswer) throws -> [String] {
        var mistakes: [String] = []
        for (name, pattern) in fields.sorted(by: { $0.key < $1.key }) {
            let value = answer[name]
            guard let value, try value.firstMatch(of: Regex(pattern)) != nil else {
                mistakes.append("\(name) is \(value ?? "missing"), which is not /\(pattern)/")
                continue
            }
        }
        for name in absentFields where answer[name] != nil {
            mistakes.append("\(name) must not be there")
        }
        return mistakes
    }

    private func mistakesInBody(of answer: StrictAnswer) throws -> [String] {
        let text = String(decoding: answer.body, as: UTF8.self)
        if let bodyNot, try text.firstMatch(of: Regex(bodyNot)) != nil {
            return ["The body shows /\(bodyNot)/: \(excerpt(answer.body))"]
        }
        let isRight =
            switch body {
            case nil: true
            case .empty: answer.body.isEmpty
            case .nonempty: !answer.body.isEmpty
            // Every error is held to be a problem in any case.
            case .problem: answer.status >= 400 && !answer.body.isEmpty
            case .json: (try? JSONTree(json: answer.body)) != nil
            case .jsonList: (try? JSONTree(json: answer.body))?["items"]?.items != nil
            }
        return isRight ? [] : ["The body is not as wanted: \(excerpt(answer.body))"]
    }

    private func mistakesInInterim(of answers: CorpusCase.Answers) -> [String] {
        switch interim {
        case .required:
            // An error instead of the 100 is allowed: the body is then not wanted.
            guard answers.interim.isEmpty, let last = answers.final.last, last.status < 400 else {
                return []
            }
            return ["There is no 100 before the answer"]
        case .forbidden:
            return answers.interim.map { "There is a \($0.status), which must not be" }
        case nil:
            return []
        }
    }

    /// What must become of the connection after these answers.
    func fate(after answers: CorpusCase.Answers) -> CorpusCase.Fate {
        guard endsOnError, let last = answers.final.last, last.status >= 400 else {
            return connection
        }
        return .close
    }

    /// Whether the server may hang up without a word.
    var allowsSilence: Bool { statuses.contains(0) }
}
