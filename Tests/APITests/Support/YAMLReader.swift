/// Reads the part of YAML that `openapi.yaml` keeps to.
///
/// That is: block mappings and sequences, each level indented by two; plain and quoted scalars;
/// block scalars `>-` and `|-`; sequences of scalars in brackets on one line; comments on lines of
/// their own. Anything else is refused rather than guessed at, and so is a key that comes twice.
struct YAMLReader {
    private var lines: [Line]
    private var position = 0

    /// What is wrong with a text, and in which line, counted from 1.
    struct Mistake: Error, CustomStringConvertible {
        let line: Int
        let sentence: String

        var description: String { "line \(line): \(sentence)" }
    }

    private struct Line {
        let number: Int
        var indent: Int
        var text: Substring

        /// Whether there is nothing to read here but, perhaps, in a block scalar.
        var isBlank: Bool { text.isEmpty || text.hasPrefix("#") }
    }

    static func read(_ text: String) throws -> JSONTree {
        var reader = YAMLReader(text)
        let value = try reader.block(indent: 0)
        if let line = reader.nextLine() {
            throw Mistake(line: line.number, sentence: "is indented otherwise than what it follows")
        }
        return value
    }

    private init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
            let content = $1.drop { $0 == " " }
            return Line(number: $0 + 1, indent: $1.count - content.count, text: content)
        }
    }
}

// MARK: - Blocks

extension YAMLReader {
    /// The next line with something on it, which stays the next.
    private mutating func nextLine() -> Line? {
        while position < lines.count, lines[position].isBlank {
            position += 1
        }
        return position < lines.count ? lines[position] : nil
    }

    private mutating func block(indent: Int) throws -> JSONTree {
        guard let line = nextLine(), line.indent == indent else {
            let number = position < lines.count ? lines[position].number : lines.count
            throw Mistake(line: number, sentence: "has no block indented by \(indent)")
        }
        return line.text.isItem ? try sequence(indent: indent) : try mapping(indent: indent)
    }

    private mutating func sequence(indent: Int) throws -> JSONTree {
        var items: [JSONTree] = []
        while let line = nextLine(), line.indent == indent, line.text.isItem {
            let content = line.text.dropFirst(2)
            if YAMLReader.split(content) != nil {
                // A mapping that begins beside the hyphen goes on below it.
                lines[position].indent += 2
                lines[position].text = content
                items.append(try mapping(indent: indent + 2))
            } else {
                position += 1
                items.append(try scalar(content, line: line.number))
            }
        }
        return .array(items)
    }

    private mutating func mapping(indent: Int) throws -> JSONTree {
        var members: [String: JSONTree] = [:]
        while let line = nextLine(), line.indent == indent, !line.text.isItem {
            guard let (rawKey, content) = YAMLReader.split(line.text) else {
                throw Mistake(line: line.number, sentence: "is no `key: value`")
            }
            let key = rawKey.isQuoted ? try unquoted(rawKey, line: line.number) : String(rawKey)
            guard members[key] == nil else {
                throw Mistake(line: line.number, sentence: "names \(key) again")
            }
            position += 1
            members[key] =
                switch content {
                case "": try block(indent: indent + 2)
                case ">-": .string(inset(below: indent).joined(separator: " "))
                case "|-": .string(inset(below: indent).joined(separator: "\n"))
                default: try scalar(content, line: line.number)
                }
        }
        return .object(members)
    }

    /// The lines of a block scalar, without their indentation and the blank ones at the end.
    private mutating func inset(below indent: Int) -> [String] {
        var texts: [String] = []
        while position < lines.count {
            let line = lines[position]
            guard line.text.isEmpty || line.indent > indent else { break }
            let inner = String(repeating: " ", count: max(line.indent - indent - 2, 0))
            texts.append(inner + line.text)
            position += 1
        }
        while texts.last?.isEmpty == true {
            texts.removeLast()
        }
        return texts
    }

    /// Takes `key: value` or `key:` apart; `nil` if a line is neither.
    private static func split(_ line: Substring) -> (key: Substring, content: Substring)? {
        guard !line.hasPrefix("[") else { return nil }
        let start =
            line.isQuoted
            ? line.dropFirst().firstIndex(of: line[line.startIndex]) ?? line.endIndex
            : line.startIndex
        guard let colon = line[start...].firstIndex(of: ":") else { return nil }
        let rest = line[line.index(after: colon)...]
        guard rest.isEmpty || rest.hasPrefix(" ") else { return nil }
        return (line[..<colon], rest.drop { $0 == " " })
    }
}

// MARK: - Scalars

extension YAMLReader {
    private func scalar(_ text: Substring, line: Int) throws -> JSONTree {
        if text.isQuoted {
            return .string(try unquoted(text, line: line))
        }
        if text == "{}" { return .object([:]) }
        if text.hasPrefix("[") {
            guard text.hasSuffix("]"), !text.dropFirst().contains(where: "[{}".contains) else {
                throw Mistake(line: line, sentence: "has more in brackets than scalars")
            }
            let items = text.dropFirst().dropLast().split(separator: ",")
            return .array(try items.map { try scalar($0.trimmed, line: line) })
        }
        guard let first = text.first, !"{}&*!|>%@`".contains(first), !text.contains(" #"),
            !text.contains(": "), !text.hasSuffix(":")
        else {
            throw Mistake(line: line, sentence: "has a plain scalar that needs quotes: \(text)")
        }
        return switch text {
        case "null": .null
        case "true": .bool(true)
        case "false": .bool(false)
        default: Double(text).map(JSONTree.number) ?? .string(String(text))
        }
    }

    private func unquoted(_ text: Substring, line: Int) throws -> String {
        guard let quote = text.first, text.count >= 2, text.last == quote else {
            throw Mistake(line: line, sentence: "has a quote that does not close: \(text)")
        }
        var inner = text.dropFirst().dropLast()
        var result = ""
        while let character = inner.popFirst() {
            switch (character, quote) {
            case ("'", "'"):
                guard inner.popFirst() == "'" else {
                    throw Mistake(line: line, sentence: "has a quote within quotes: \(text)")
                }
                result.append("'")
            case ("\\", "\""):
                guard let escaped = inner.popFirst(), "\\\"".contains(escaped) else {
                    throw Mistake(line: line, sentence: "has an escape not read here: \(text)")
                }
                result.append(escaped)
            case ("\"", "\""):
                throw Mistake(line: line, sentence: "has a quote within quotes: \(text)")
            default:
                result.append(character)
            }
        }
        return result
    }
}

extension Substring {
    /// Whether this line is an item of a sequence.
    fileprivate var isItem: Bool { hasPrefix("- ") }

    fileprivate var isQuoted: Bool { hasPrefix("\"") || hasPrefix("'") }

    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " }
        while text.last == " " {
            text.removeLast()
        }
        return text
    }
}
