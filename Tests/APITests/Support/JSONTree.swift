import Foundation

/// A JSON value, read by a reader other than the one under test.
indirect enum JSONTree: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])
}

extension JSONTree {
    /// Reads JSON text.
    init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(JSONTree.self, from: Data(json))
    }

    /// The member of an object; `nil` if this is none, or has no such member.
    subscript(_ name: String) -> JSONTree? {
        members?[name]
    }

    var members: [String: JSONTree]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    var items: [JSONTree]? {
        guard case .array(let items) = self else { return nil }
        return items
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}

extension JSONTree: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }
}
