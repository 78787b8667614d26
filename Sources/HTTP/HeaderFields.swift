/// Header fields, in order.
///
/// Kept as the bytes of the wire, with a small range for each name and value: reading a request
/// makes no `String` per field, and writing a response copies the bytes as they are. A dozen
/// fields are searched from the first to the last.
public struct HeaderFields: Sendable {
    /// What the ranges point into; between them stands whatever the message had there.
    private(set) var bytes: [UInt8]

    private(set) var fields: [Field]

    /// Where in the bytes the fields' lines begin, if nothing else follows and none of them is the
    /// writer's own: a response can then be written by copying them.
    private var linesStart: Int?

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
        linesStart = 0
    }

    /// Takes over fields that were found in the bytes of a message.
    init(bytes: [UInt8], fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
        linesStart = nil
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
        var only: Field?
        for field in fields where matches(field, name) {
            guard only == nil else { return nil }
            only = field
        }
        return only.map(valueBytes)
    }

    /// The lines as they are written, if a response can be written by copying them.
    var lines: ArraySlice<UInt8>? {
        linesStart.map { bytes[$0...] }
    }

    func nameBytes(_ field: Field) -> ArraySlice<UInt8> {
        bytes[field.name]
    }

    func valueBytes(_ field: Field) -> ArraySlice<UInt8> {
        bytes[field.value]
    }

    private func matches(_ field: Field, _ name: FieldName) -> Bool {
        // The length alone rules nearly every other field out.
        let place = field.name
        return place.count == name.lowercase.count
            && bytes.span.extracting(place).equalsIgnoringCase(name.lowercase)
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
        append(bytes: value.utf8.span, for: name)
    }

    /// Adds a field, its value given as bytes.
    public mutating func append(bytes value: Span<UInt8>, for name: FieldName) {
        if name.isWritersOwn { linesStart = nil }
        let nameStart = bytes.count
        let nameEnd = nameStart + name.wire.count
        let valueStart = nameEnd + 2
        let valueEnd = valueStart + value.count
        bytes.append(addingCapacity: name.wire.count + value.count + 4) { output in
            for index in name.wire.indices { output.append(name.wire[index]) }
            output.append(UInt8(ascii: ":"))
            output.append(.space)
            for index in value.indices {
                output.append(value[index].isFieldByte ? value[index] : .space)
            }
            output.append(.carriageReturn)
            output.append(.lineFeed)
        }
        fields.append(Field(name: nameStart..<nameEnd, value: valueStart..<valueEnd))
    }

    /// Removes the first field, at less cost than any other.
    ///
    /// - Precondition: That is its name.
    public mutating func removeFirst(_ name: FieldName) {
        precondition(fields.first.map { matches($0, name) } == true, "\(name) is not the first")
        fields.removeFirst()
        if linesStart != nil { linesStart = fields.first?.name.lowerBound ?? bytes.count }
    }

    /// Removes a field, however often it occurs.
    public mutating func remove(_ name: FieldName) {
        let count = fields.count
        fields.removeAll { [self] in matches($0, name) }
        // Its bytes stay behind, where no range points any more.
        if fields.count != count { linesStart = nil }
    }
}
