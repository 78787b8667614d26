/// What a field must be, and the words that say so.
struct Rule<Value>: Sendable {
    /// What the field must be, to follow its name: “must be …”.
    ///
    /// The words are put together only for those who need them.
    let demand: @Sendable () -> String

    /// Makes the value, or says what it must be instead.
    let read: @Sendable (JSON) -> Result<Value, Demand>

    /// Creates a rule which has one demand, whatever is wrong.
    ///
    /// To parse is to make the value, or to return `nil` if the demand is not met.
    init(
        _ demand: @autoclosure @escaping @Sendable () -> String,
        parse: @escaping @Sendable (JSON) -> Value?
    ) {
        self.demand = demand
        read = { json in parse(json).map(Result.success) ?? .failure(Demand(demand())) }
    }

    /// Creates a rule over text, which has one demand, whatever is wrong.
    init(
        _ demand: @autoclosure @escaping @Sendable () -> String,
        text parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(demand()) { json in
            guard case .string(let text) = json else { return nil }
            return parse(text)
        }
    }

    private init(
        _ demand: @escaping @Sendable () -> String,
        reading read: @escaping @Sendable (JSON) -> Result<Value, Demand>
    ) {
        self.demand = demand
        self.read = read
    }
}

/// What a field must be and was not, to follow its name.
struct Demand: Error {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}

extension Rule {
    /// A rule, or `null` for no value.
    static func orNull<Wrapped>(_ rule: Rule<Wrapped>) -> Rule where Value == Wrapped? {
        Rule(
            { rule.demand() + ", or null" },
            reading: { json in
                guard json != .null else { return .success(nil) }
                return rule.read(json)
                    .map(Optional.some)
                    .mapError { Demand($0.sentence + ", or null") }
            }
        )
    }

    /// The same rule for text, which speaks of its bytes if there are too many of them.
    ///
    /// Else a person who counts the characters would not see what is wrong.
    func limited(toBytes limit: Int) -> Rule {
        Rule(
            demand,
            reading: { json in
                guard case .string(let text) = json, text.utf8.count > limit else {
                    return read(json)
                }
                return .failure(Demand("must be text of at most \(limit) bytes in UTF-8"))
            }
        )
    }

    /// The same rule for another form of its value.
    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Rule<Other> {
        Rule<Other>(demand, reading: { read($0).map(transform) })
    }
}
