import Goals
import HTTP

/// The members of a JSON object, or the parameters of a query, that a client sent.
///
/// Fields are read one after the other, but what is wrong with them is kept until ``end(refusing:)``,
/// so that a client learns of every mistake in one answer.
///
///     var fields = try call.body()
///     let title = fields.read(.required("title", .title))
///     let note = fields.read(.optional("note", .note, default: .empty))
///     try fields.end()
///     rename(to: title.value, note.value)
struct Fields {
    private let source: Source

    /// What the client sent, each name once; searched from the first to the last, for most send a few.
    private var members: [Member]
    private var mistakes: [Mistake]

    private struct Member {
        let name: JSON.Name
        let value: JSON
        var isRead = false

        init(_ member: JSON.Member) {
            (name, value) = (member.name, member.value)
        }
    }

    /// Takes the members of a body.
    ///
    /// - Throws: ``Problem`` if the body is no JSON object.
    init(body: [UInt8]) throws(Problem) {
        let members: [JSON.Member]?
        do {
            members = try JSON.members(of: body)
        } catch {
            throw Problem(
                .malformedJSON,
                "The body cannot be read as JSON: "
                    + "line \(error.line), column \(error.column): \(error.reason)."
            )
        }
        try self.init(members, at: "")
    }

    /// Takes the members of an object.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - pointer: The JSON Pointer that leads to it.
    /// - Throws: ``Problem`` if it is no JSON object.
    init(_ json: JSON, at pointer: String) throws(Problem) {
        var list: [JSON.Member]?
        if case .object(let members) = json {
            list = members.map { JSON.Member(name: $0.key, value: $0.value) }
        }
        try self.init(list, at: pointer)
    }

    private init(_ members: [JSON.Member]?, at pointer: String) throws(Problem) {
        let source = Source.body(at: pointer)
        guard let members else {
            throw source.problem([
                Mistake(
                    pointer: pointer,
                    detail: #"must be a JSON object, such as {"title": "Bike"}"#
                )
            ])
        }
        self.source = source
        self.members = members.map(Member.init)
        mistakes = []
    }

    /// Takes the parameters of a query.
    ///
    /// - Throws: ``Problem`` if the query cannot be decoded.
    init(query: String?) throws(Problem) {
        source = .query
        var members: [Member] = []
        do {
            for item in try QueryItems(parsing: query ?? "") {
                guard !item.name.hasEndlessAccents, !item.value.hasEndlessAccents else {
                    throw QueryItems.Malformed()
                }
                let member = JSON.Member(name: JSON.Name(item.name), value: .string(item.value))
                members.append(Member(member))
            }
        } catch {
            throw Problem(
                .malformedQuery,
                "The query cannot be decoded: a percent sign must be followed by two hexadecimal "
                    + "digits, and what they encode must be UTF-8 text without NUL or more than "
                    + "200 accents in a row."
            )
        }
        let byName = members.count > 1 ? Dictionary(grouping: members, by: \.name) : [:]
        let repeated = byName.values.filter { $0.count > 1 }.map { $0[0].name }
        self.members = repeated.isEmpty ? members : byName.values.map { $0[$0.count - 1] }
        mistakes = repeated.sorted().map {
            Mistake(pointer: $0.text, detail: "must not be given more than once")
        }
    }

    /// Reads a field.
    ///
    /// - Returns: What was read; what it is can be asked for once ``end(refusing:)`` has not thrown.
    mutating func read<Value>(_ field: Field<Value>) -> Reading<Value> {
        let name = JSON.Name(field.name)
        let index = members.firstIndex { $0.name == name }
        if let index { members[index].isRead = true }
        switch field.read(index.map { members[$0].value }) {
        case .success(let value):
            return Reading(sound: value)
        case .failure(let demand):
            mistakes.append(
                Mistake(pointer: source.pointer(to: field.name), detail: demand.sentence)
            )
            return Reading(sound: nil)
        }
    }

    /// Objects to what was wrong, and to fields that were not read.
    ///
    /// - Parameter refused: Fields that exist, but not for this request, and what to say of them.
    /// - Throws: ``Problem`` with all the mistakes there are.
    consuming func end(refusing refused: [String: String] = [:]) throws(Problem) {
        for name in members.filter({ !$0.isRead }).map(\.name).sorted() {
            let text = shortened(name.text)
            let mistake = Mistake(
                pointer: source.pointer(to: text),
                detail: refused[text] ?? source.unknown
            )
            mistakes.append(mistake)
        }
        guard mistakes.isEmpty else { throw source.problem(bounded(mistakes)) }
    }
}

/// What came of reading a field.
struct Reading<Value> {
    /// The value; `nil` if there is a mistake in its place.
    ///
    /// For what depends on it: that can say no more then than that the mistake is there.
    let sound: Value?

    /// The value.
    ///
    /// - Precondition: ``Fields/end(refusing:)`` has found no mistake.
    var value: Value {
        guard let sound else { preconditionFailure("A mistake ends a request before its values") }
        return sound
    }
}

/// A name that nobody knows, with its end left out if it is a long one.
private func shortened(_ name: String) -> String {
    let most = 100
    guard name.utf8.count > most, name.unicodeScalars.count > most else { return name }
    return String(name.unicodeScalars.prefix(most)) + "…"
}

/// As many mistakes as a person would read: an answer must not be larger than what it answers.
private func bounded(_ mistakes: [Mistake]) -> [Mistake] {
    let most = 100
    guard mistakes.count > most else { return mistakes }
    let rest = mistakes.count - most
    return mistakes.prefix(most) + [Mistake(pointer: "", detail: "has \(rest) more mistakes")]
}

extension Fields {
    /// Where fields come from, which decides how their mistakes are reported.
    private enum Source {
        case body(at: String)
        case query

        var unknown: String {
            switch self {
            case .body: "is not a member that this request may have"
            case .query: "is not a parameter of this resource"
            }
        }

        func pointer(to name: String) -> String {
            switch self {
            case .body(let pointer): "\(pointer)/\(escapedForPointer(name))"
            case .query: name
            }
        }

        func problem(_ mistakes: [Mistake]) -> Problem {
            switch self {
            case .body: .invalidBody(mistakes)
            case .query:
                Problem(
                    .malformedQuery,
                    "The query is not as it should be; errors says where and what is right.",
                    mistakes: mistakes
                )
            }
        }
    }
}

extension Problem {
    /// A body that can be read, but is not valid.
    static func invalidBody(_ mistakes: [Mistake]) -> Problem {
        Problem(
            .validationFailed,
            "The body is not as it should be; errors says where and what is right.",
            mistakes: mistakes
        )
    }
}

/// Escapes a name as a JSON Pointer needs it (RFC 6901 §3).
private func escapedForPointer(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
        return name
    }
    var bytes: [UInt8] = []
    for byte in name.utf8 {
        switch byte {
        case UInt8(ascii: "~"): bytes += Array("~0".utf8)
        case UInt8(ascii: "/"): bytes += Array("~1".utf8)
        default: bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

// MARK: - One field

/// A member or parameter by name, and the rule it must keep.
struct Field<Value> {
    let name: String
    fileprivate let read: (JSON?) -> Result<Value, Demand>

    private init(_ name: String, _ read: @escaping (JSON?) -> Result<Value, Demand>) {
        self.name = name
        self.read = read
    }
}

extension Field {
    static func required(_ name: String, _ rule: Rule<Value>) -> Field {
        Field(name) { json in
            json.map(rule.read) ?? .failure(Demand("is required and " + rule.demand()))
        }
    }

    static func optional(_ name: String, _ rule: Rule<Value>, default value: Value) -> Field {
        Field(name) { json in json.map(rule.read) ?? .success(value) }
    }

    static func optional<Wrapped>(_ name: String, _ rule: Rule<Wrapped>) -> Field
    where Value == Wrapped? {
        Field(name) { json in json.map { rule.read($0).map(Optional.some) } ?? .success(nil) }
    }
}

// MARK: - Members of a merge patch

extension Field {
    /// A member of a merge patch (RFC 7396) which may not be cleared.
    static func change<Content>(_ name: String, _ rule: Rule<Content>) -> Field
    where Value == Change<Content> {
        optional(name, rule.map(Change.set), default: .keep)
    }

    /// A member of a merge patch which `null` sets to a value that stands for none.
    static func change<Content>(
        _ name: String,
        _ rule: Rule<Content>,
        clearedTo cleared: Content
    ) -> Field
    where Value == Change<Content> {
        change(name, Rule.orNull(rule).map { $0 ?? cleared })
    }
}
