/// Header fields, in order.
///
/// Kept as the bytes of the wire, with a small range for each name and value: reading a request
/// makes no `String` per field, and writing a response copies the bytes as they are. A dozen
/// fields are searched from the first to the last.
public struct HeaderFields: Sendable {
    /// What the ranges point into; between them stands whatever the message had there.
    private(set) var bytes: [UInt8]

    private(set) var fields: [Field]

    /// Whether the bytes are the fields' lines and nothing else, and none of them is the writer's
    /// own: a response can then be written by copying them.
    private(set) var areLines: Bool

    /// Where a field's name and value stand in the bytes, which are never 4 GiB.
    struct Field: Sendable {
        private let nameStart, nameEnd, valueStart, valueEnd: UInt32

        init(name: Range<Int>, value: Range<Int>) {
            nameStart = UInt32(name.lowerBound)
            nameEnd = UInt32(name.upperBound)
            valueStart = UInt32(value.lowerBound)
            valueEnd = UInt32(value.upperBound)
        }

        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    /// Creates an empty list.
    public init() {
        bytes = []
        fields = []
        areLines = true
    }

    /// Takes over fields that were found in the bytes of a message.
    init(bytes: [UInt8], fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
        areLines = false
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral fields: (FieldName, String)...) {
        self.init()
        for (name, value) in fields {
            append(value, for: name)
        }
    }
}

// MARK: - Reading

extension HeaderFields {
    public var count: Int { fields.count }

    public var isEmpty: Bool { fields.isEmpty }

    /// The value of a field, those of a repeated field joined by `, ` (RFC 9110 §5.3).
    ///
    /// Bytes that are no UTF-8 read as U+FFFD. Setting a value replaces all the field's values;
    /// setting `nil` removes them.
    public subscript(_ name: FieldName) -> String? {
        get {
            if let only = onlyValue(of: name) { return String(decoding: only, as: UTF8.self) }
            let values = values(of: name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            remove(name)
            if let newValue {
                append(newValue, for: name)
            }
        }
    }

    public func contains(_ name: FieldName) -> Bool {
        fields.contains { matches($0, name) }
    }

    /// How many times a field occurs.
    public func count(of name: FieldName) -> Int {
        fields.count { matches($0, name) }
    }

    /// The values of a field, one for each time that it occurs.
    public func values(of name: FieldName) -> [String] {
        fields.lazy
            .filter { matches($0, name) }
            .map { String(decoding: valueBytes($0), as: UTF8.self) }
    }

    /// The bytes of a field's first value, without a copy.
    public func firstValue(of name: FieldName) -> ArraySlice<UInt8>? {
        fields.first { matches($0, name) }.map(valueBytes)
    }

    /// The bytes of the value of a field that occurs once, without a copy.
    public func onlyValue(of name: FieldName) -> ArraySlice<UInt8>? {
        guard let index = fields.firstIndex(where: { matches($0, name) }),
            !fields[(index + 1)...].contains(where: { matches($0, name) })
        else { return nil }
        return valueBytes(fields[index])
    }

    func nameBytes(_ field: Field) -> ArraySlice<UInt8> {
        bytes[field.name]
    }

    func valueBytes(_ field: Field) -> ArraySlice<UInt8> {
        bytes[field.value]
    }

    private func matches(_ field: Field, _ name: FieldName) -> Bool {
        nameBytes(field).equalsIgnoringCase(name.lowercase)
    }
}

extension HeaderFields: Sequence {
    public typealias Element = (name: FieldName, value: String)

    public func makeIterator() -> AnyIterator<Element> {
        var rest = fields.makeIterator()
        return AnyIterator {
            guard let field = rest.next() else { return nil }
            guard let name = FieldName(bytes: nameBytes(field)) else {
                preconditionFailure("A field got in under a name that is no token")
            }
            return (name, String(decoding: valueBytes(field), as: UTF8.self))
        }
    }
}

extension HeaderFields: Equatable {
    /// Whether two lists have the same fields in the same order, the case of names aside.
    public static func == (one: HeaderFields, other: HeaderFields) -> Bool {
        one.fields.elementsEqual(other.fields) { mine, theirs in
            one.valueBytes(mine) == other.valueBytes(theirs)
                && one.nameBytes(mine).lazy.map(\.lowercased)
                    .elementsEqual(other.nameBytes(theirs).lazy.map(\.lowercased))
        }
    }
}

// MARK: - Writing

extension HeaderFields {
    /// Adds a field after those there are.
    ///
    /// A value can't end its field: control bytes in it become blanks.
    public mutating func append(_ value: String, for name: FieldName) {
        append(bytes: value.utf8, for: name)
    }

    /// Adds a field, its value given as bytes.
    public mutating func append(bytes value: some Sequence<UInt8>, for name: FieldName) {
        bytes.reserveCapacity(bytes.count + name.wire.count + value.underestimatedCount + 4)
        areLines = areLines && !name.isWritersOwn
        let nameStart = bytes.count
        bytes.append(contentsOf: name.wire)
        let nameEnd = bytes.count
        bytes.append(UInt8(ascii: ":"))
        bytes.append(.space)
        let valueStart = bytes.count
        bytes.append(contentsOf: value)
        for index in valueStart..<bytes.count where !bytes[index].isFieldByte {
            bytes[index] = .space
        }
        fields.append(Field(name: nameStart..<nameEnd, value: valueStart..<bytes.count))
        bytes.append(.carriageReturn)
        bytes.append(.lineFeed)
    }

    /// Removes a field, however often it occurs.
    public mutating func remove(_ name: FieldName) {
        let count = fields.count
        fields.removeAll { [self] in matches($0, name) }
        // Its bytes stay behind, where no range points any more.
        areLines = areLines && fields.count == count
    }
}
