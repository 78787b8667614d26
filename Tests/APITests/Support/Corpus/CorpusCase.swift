import Foundation

/// A case of the corpus: what a client says, and what it may be answered.
///
/// The files of cases are in `Fixtures`. A case names the rule it is about and says why it is there,
/// so a failing one can be understood from the data alone.
struct CorpusCase: Sendable {
    let id: String
    let area: String

    /// The rule, such as `RFC 9112 6.1`.
    let rule: String
    let why: String

    /// What the client does, in order.
    let steps: [Step]

    /// Texts of the case's own, which the others can name.
    let blocks: [String: Piece]
    let expectation: Expectation

    /// Which of the requests, counted from 0, are `HEAD`: their answers have no body.
    let headPositions: Set<Int>

    /// How often it is played, one time after the other.
    let times: Int

    /// On how many connections it is played at a time.
    let connections: Int

    /// How many seconds an answer may take, where that is not as usual.
    let patience: Double?

    /// Whether it waits for one of the server's time-outs.
    let isSlow: Bool

    /// Whether it is about tokens, which this server does not ask for.
    let needsToken: Bool
}

extension CorpusCase {
    /// A text or a repeated text; each code point of it is one byte.
    enum Piece: Sendable {
        /// May name values, as `{{HOST}}` and `{{LEN body}}` do.
        case text(String)
        case repeated(String, times: Int)
    }

    /// Something that a client does.
    ///
    /// Times are in seconds.
    enum Step: Sendable {
        /// Sends the pieces in one write.
        case send([Piece])

        /// Waits.
        case pause(Double)

        /// Sends a text one byte at a time.
        case trickle(String, gap: Double)

        /// Sends a text again and again, until the server has had enough.
        case drip(String, gap: Double)

        /// Reads an answer before it goes on.
        case awaitAnswer

        /// Waits for `100 Continue`; an answer instead of it is the end of the sending.
        case awaitContinue

        /// Insists that nothing comes for so long.
        case quiet(Double)

        /// Says that nothing more will be sent.
        case halfClose

        /// Hangs up.
        case close

        /// Hangs up with a reset.
        case reset
    }

    /// What the server may do.
    struct Expectation: Sendable {
        /// The statuses that every answer may have; 0 lets the server hang up without one.
        let statuses: [Int]

        /// The statuses by the answer's position, which go before the others.
        let statusesInOrder: [[Int]]

        /// How many answers there are, those of 1xx aside.
        let answers: Int
        let connection: Fate

        /// Whether the connection ends if the last answer is an error.
        let endsOnError: Bool
        let interim: Interim?

        /// Regular expressions that fields of each answer match, by name in lower case.
        let fields: [String: String]
        let absentFields: [String]
        let body: Body?

        /// A regular expression that no body matches.
        let bodyNot: String?
        let effect: Effect?

        /// Whether the connection must end with FIN: a reset can take the last answer along.
        let isClean: Bool

        /// How many seconds the case may take.
        let maximumSeconds: Double?
    }

    /// What becomes of the connection after the last answer.
    enum Fate: String, Decodable, Sendable {
        case close
        case keepAlive = "keep-alive"
        case any
    }

    enum Interim: String, Decodable, Sendable {
        case required, forbidden
    }

    enum Body: String, Decodable, Sendable {
        case problem, json
        case jsonList = "json-list"
        case empty, nonempty
    }

    /// Whether a goal is there afterwards.
    struct Effect: Decodable, Sendable {
        let title: String
        let mode: Mode

        enum Mode: String, Decodable, Sendable {
            case present, absent
            case iffSuccessful = "iff-2xx"
        }
    }
}

// MARK: - Reading

extension CorpusCase {
    /// Reads a file of the fixtures.
    static func all(in file: String) throws -> [CorpusCase] {
        guard
            let url = Bundle.module.url(forResource: "Fixtures/\(file)", withExtension: "json")
        else { throw CocoaError(.fileNoSuchFile) }
        return try all(inJSON: Data(contentsOf: url))
    }

    static func all(inJSON data: Data) throws -> [CorpusCase] {
        try JSONDecoder().decode([CorpusCase].self, from: data)
    }
}

extension CorpusCase: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, area, why, blocks, head, parallel, patience, slow, requires, send, expect
        case rule = "rfc"
        case times = "repeat"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        area = try members.decode(String.self, forKey: .area)
        rule = try members.decode(String.self, forKey: .rule)
        why = try members.decode(String.self, forKey: .why)
        steps = try members.decode([Step].self, forKey: .send)
        blocks = try members.decodeIfPresent([String: Piece].self, forKey: .blocks) ?? [:]
        expectation = try members.decode(Expectation.self, forKey: .expect)
        headPositions = try members.decodeIfPresent(Set<Int>.self, forKey: .head) ?? []
        times = try members.decodeIfPresent(Int.self, forKey: .times) ?? 1
        connections = try members.decodeIfPresent(Int.self, forKey: .parallel) ?? 1
        patience = try members.decodeIfPresent(Double.self, forKey: .patience)
        isSlow = try members.decodeIfPresent(Bool.self, forKey: .slow) ?? false
        needsToken = try members.decodeIfPresent(Requirement.self, forKey: .requires) != nil
    }

    private enum Requirement: String, Decodable {
        case auth
    }
}

extension CorpusCase.Piece: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case text = "repeat"
        case times
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            // No text is no mistake yet: it may be an object.
            self = .text(text)
            return
        }
        let members = try decoder.members(CodingKeys.self)
        self = .repeated(
            try members.decode(String.self, forKey: .text),
            times: try members.decode(Int.self, forKey: .times)
        )
    }
}

extension CorpusCase.Step: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case action = "do"
        case text, gap, seconds
    }

    private enum Action: String, Decodable {
        case pause, trickle, drip, quiet, close, reset
        case awaitAnswer = "await"
        case awaitContinue = "await-continue"
        case halfClose = "half-close"
    }

    init(from decoder: any Decoder) throws {
        // A text, a list of pieces or an action: which it is shows in what it can be read as.
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .send([.text(text)])
            return
        }
        if (try? decoder.unkeyedContainer()) != nil {
            self = .send(try [CorpusCase.Piece](from: decoder))
            return
        }
        let members = try decoder.members(CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Double {
            try members.decode(Double.self, forKey: key)
        }
        let action = try members.decode(Action.self, forKey: .action)
        self =
            switch action {
            case .pause: .pause(try number(.seconds))
            case .trickle:
                .trickle(try members.decode(String.self, forKey: .text), gap: try number(.gap))
            case .drip:
                .drip(try members.decode(String.self, forKey: .text), gap: try number(.gap))
            case .quiet: .quiet(try number(.seconds))
            case .close: .close
            case .reset: .reset
            case .awaitAnswer: .awaitAnswer
            case .awaitContinue: .awaitContinue
            case .halfClose: .halfClose
            }
    }
}

extension CorpusCase.Expectation: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case connection, interim, body, effect
        case statuses = "status"
        case statusesInOrder = "statuses"
        case answers = "responses"
        case onError = "on_error"
        case fields = "headers"
        case absentFields = "headers_absent"
        case bodyNot = "body_not"
        case isClean = "clean"
        case maximumSeconds = "max_seconds"
    }

    private enum OnError: String, Decodable {
        case close
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(CodingKeys.self)
        statuses = try members.decode([Int].self, forKey: .statuses)
        statusesInOrder =
            try members.decodeIfPresent([[Int]].self, forKey: .statusesInOrder) ?? []
        answers = try members.decode(Int.self, forKey: .answers)
        connection = try members.decode(CorpusCase.Fate.self, forKey: .connection)
        endsOnError = try members.decodeIfPresent(OnError.self, forKey: .onError) != nil
        interim = try members.decodeIfPresent(CorpusCase.Interim.self, forKey: .interim)
        fields = try members.decodeIfPresent([String: String].self, forKey: .fields) ?? [:]
        absentFields = try members.decodeIfPresent([String].self, forKey: .absentFields) ?? []
        body = try members.decodeIfPresent(CorpusCase.Body.self, forKey: .body)
        bodyNot = try members.decodeIfPresent(String.self, forKey: .bodyNot)
        effect = try members.decodeIfPresent(CorpusCase.Effect.self, forKey: .effect)
        isClean = try members.decodeIfPresent(Bool.self, forKey: .isClean) ?? false
        maximumSeconds = try members.decodeIfPresent(Double.self, forKey: .maximumSeconds)
    }
}

extension Decoder {
    /// The members of an object, none of which may have a name other than these.
    ///
    /// A word that is not understood would otherwise make a case ask for less than it says.
    fileprivate func members<Key: CodingKey & CaseIterable>(
        _: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let unknown = Set(try container(keyedBy: AnyName.self).allKeys.map(\.stringValue))
            .subtracting(Key.allCases.map(\.stringValue))
        guard unknown.isEmpty else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "Unknown words: \(unknown.sorted().joined(separator: ", "))"
                )
            )
        }
        return try container(keyedBy: Key.self)
    }
}

private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
