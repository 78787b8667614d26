import Foundation

/// Checks values against the JSON Schemas of a document.
///
/// It knows the keywords that `openapi.yaml` uses. Any other is reported as a mistake, since a
/// keyword that is passed over would make the check blind.
struct SchemaChecker {
    /// What `$ref` leads into.
    let document: JSONTree

    /// What is wrong with a value, one sentence each that begins with the place; empty if nothing.
    func mistakes(in value: JSONTree, by schema: JSONTree, at place: String = "") -> [String] {
        guard let keywords = schema.members else { return ["\(place): its schema is no object"] }
        return keywords.sorted { $0.key < $1.key }.flatMap { keyword, demand in
            mistakes(in: value, keyword, demand, of: schema, at: place)
        }
    }

    /// What a reference stands for; what is none stands for itself.
    func target(of description: JSONTree) -> JSONTree {
        description["$ref"]?.text.flatMap(resolve) ?? description
    }

    /// What a local reference leads to.
    func resolve(_ reference: String) -> JSONTree? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(document as JSONTree?) {
            $0?[String($1)]
        }
    }
}

extension SchemaChecker {
    private func mistakes(
        in value: JSONTree,
        _ keyword: String,
        _ demand: JSONTree,
        of schema: JSONTree,
        at place: String
    ) -> [String] {
        func mistake(unless isRight: Bool?) -> [String] {
            isRight == true ? [] : ["\(place): \(value) is against \(keyword) \(demand)"]
        }
        switch (keyword, value) {
        case ("description", _), ("default", _):
            return []
        case ("$ref", _):
            guard let target = demand.text.flatMap(resolve) else {
                return ["\(place): \(demand) leads nowhere"]
            }
            return mistakes(in: value, by: target, at: place)
        case ("type", _):
            let types = demand.items ?? [demand]
            return mistake(unless: types.compactMap(\.text).contains { value.isOfType($0) })
        case ("enum", _):
            return mistake(unless: demand.items?.contains(value))
        case ("const", _):
            return mistake(unless: demand == value)
        case ("oneOf", _):
            let fitting = demand.items?.filter { mistakes(in: value, by: $0).isEmpty }
            return mistake(unless: fitting?.count == 1)
        case ("anyOf", _):
            return mistake(
                unless: demand.items?.contains { mistakes(in: value, by: $0).isEmpty }
            )
        case ("not", _):
            return mistake(unless: !mistakes(in: value, by: demand).isEmpty)

        case ("pattern", .string(let text)):
            let pattern = demand.text.flatMap { try? Regex($0) }
            return mistake(unless: pattern.map { text.contains($0) })
        case ("format", .string(let text)):
            return mistake(unless: demand.text.flatMap { text.isOfFormat($0) })
        case ("minLength", .string(let text)):
            return mistake(unless: demand.number.map { Double(text.unicodeScalars.count) >= $0 })
        case ("maxLength", .string(let text)):
            return mistake(unless: demand.number.map { Double(text.unicodeScalars.count) <= $0 })
        case ("pattern", _), ("format", _), ("minLength", _), ("maxLength", _):
            return []

        case ("minimum", .number(let number)):
            return mistake(unless: demand.number.map { number >= $0 })
        case ("maximum", .number(let number)):
            return mistake(unless: demand.number.map { number <= $0 })
        case ("exclusiveMinimum", .number(let number)):
            return mistake(unless: demand.number.map { number > $0 })
        case ("minimum", _), ("maximum", _), ("exclusiveMinimum", _):
            return []

        case ("items", .array(let items)):
            return items.enumerated().flatMap {
                mistakes(in: $1, by: demand, at: "\(place)/\($0)")
            }
        case ("minItems", .array(let items)):
            return mistake(unless: demand.number.map { Double(items.count) >= $0 })
        case ("maxItems", .array(let items)):
            return mistake(unless: demand.number.map { Double(items.count) <= $0 })
        case ("items", _), ("minItems", _), ("maxItems", _):
            return []

        case ("required", .object(let members)):
            return (demand.items ?? []).compactMap(\.text).filter { members[$0] == nil }
                .map { "\(place): \($0) is missing" }
        case ("properties", .object(let members)):
            return members.sorted { $0.key < $1.key }.flatMap { name, member in
                demand[name].map { mistakes(in: member, by: $0, at: "\(place)/\(name)") } ?? []
            }
        case ("additionalProperties", .object(let members)):
            guard demand == .bool(false) else { return ["\(place): not read here: \(demand)"] }
            let known = schema["properties"]?.members ?? [:]
            return members.keys.filter { known[$0] == nil }.sorted()
                .map { "\(place): \($0) is not in the schema" }
        case ("required", _), ("properties", _), ("additionalProperties", _):
            return []

        default:
            return ["\(place): the schema has the keyword \(keyword), which is not read here"]
        }
    }
}

extension JSONTree {
    fileprivate func isOfType(_ name: String) -> Bool {
        switch self {
        case .null: name == "null"
        case .bool: name == "boolean"
        case .number(let number):
            name == "number" || name == "integer" && number == number.rounded()
        case .string: name == "string"
        case .array: name == "array"
        case .object: name == "object"
        }
    }
}

extension String {
    /// Whether this is text of a format; `nil` if the format is not known here.
    fileprivate func isOfFormat(_ name: String) -> Bool? {
        switch name {
        case "uuid": UUID(uuidString: self) != nil
        case "uri-reference": URL(string: self) != nil
        case "date-time": isWritten(in: .init(includingFractionalSeconds: true))
        case "date": isWritten(in: .iso8601.year().month().day())
        default: nil
        }
    }

    /// Whether this is how a style writes some date.
    ///
    /// That it can be read proves little: 29 February is read in any year.
    private func isWritten(in style: Date.ISO8601FormatStyle) -> Bool {
        (try? style.parse(self)).map(style.format) == self
    }
}
