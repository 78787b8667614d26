/// What a person can change of a goal or a transaction, under the names that the API has for it.
///
/// A value that is `nil` says that there is none (no target, no category). A name that is missing says
/// nothing, as in a JSON Merge Patch (RFC 7396), which is what the differences of two are.
public struct Fields: Hashable, Sendable {
    private var values: [String: String?]

    init(_ values: [String: String?] = [:]) {
        self.values = values
    }

    public var isEmpty: Bool { values.isEmpty }

    /// The names, in alphabetical order.
    public var names: [String] { values.keys.sorted() }

    /// The value under a name; `nil` if there is none.
    public subscript(name: String) -> String? {
        values[name] ?? nil
    }

    /// Those that are not the same in an earlier version.
    public func changes(since base: Fields) -> Fields {
        Fields(values.filter { base.values[$0.key] != .some($0.value) })
    }

    /// With some of them changed.
    public func applying(_ changes: Fields) -> Fields {
        Fields(values.merging(changes.values) { $1 })
    }

    /// Without one of them.
    func without(_ name: String) -> Fields {
        Fields(values.filter { $0.key != name })
    }
}

extension Fields: Codable {
    public init(from decoder: any Decoder) throws {
        values = try [String: String?](from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try values.encode(to: encoder)
    }
}

extension Goal {
    var fields: Fields {
        get {
            Fields([
                "title": title,
                "note": note,
                "targetAmount": targetAmount,
                "startingAmount": startingAmount,
                "plannedCompletionDate": plannedCompletionDate,
                "status": status.rawValue,
            ])
        }
        set {
            title = newValue["title"] ?? title
            note = newValue["note"] ?? ""
            targetAmount = newValue["targetAmount"]
            startingAmount = newValue["startingAmount"] ?? "0"
            plannedCompletionDate = newValue["plannedCompletionDate"]
            status = newValue["status"].map(Status.init) ?? status
        }
    }
}

extension Transaction {
    var fields: Fields {
        get {
            Fields([
                "transactionType": transactionType.rawValue,
                "amount": amount,
                "date": date,
                "category": category,
                "note": note,
            ])
        }
        set {
            transactionType = newValue["transactionType"].flatMap(Kind.init) ?? transactionType
            amount = newValue["amount"] ?? amount
            date = newValue["date"] ?? date
            category = newValue["category"]
            note = newValue["note"] ?? ""
        }
    }
}

extension Resource {
    var fields: Fields {
        get {
            switch self {
            case .goal(let goal): goal.fields
            case .transaction(let transaction): transaction.fields
            }
        }
        set {
            switch self {
            case .goal(var goal):
                goal.fields = newValue
                self = .goal(goal)
            case .transaction(var transaction):
                transaction.fields = newValue
                self = .transaction(transaction)
            }
        }
    }

    /// What the server is told to create it: its fields and what is never changed afterwards.
    var creation: Fields {
        switch self {
        case .goal(let goal):
            // A new goal is active.
            goal.fields.without("status")
                .applying(Fields(["id": "\(goal.id)", "currency": goal.currency]))
        case .transaction(let transaction):
            transaction.fields.applying(Fields(["id": "\(transaction.id)"]))
        }
    }
}
