/// Writes JSON text as bytes, member after member, without building a tree first.
///
///     var json = JSONWriter()
///     json.object { json in
///         json.member("month", "2027-01")
///         json.member("count", 3)
///     }
struct JSONWriter {
    /// What has been written so far.
    private(set) var bytes: [UInt8] = []

    /// Whether the next value or member needs a comma before it.
    private var needsComma = false

    init(reserving capacity: Int = 640) {
        bytes.reserveCapacity(capacity)
    }

    mutating func object(_ content: (inout JSONWriter) -> Void) {
        nested(UInt8(ascii: "{"), UInt8(ascii: "}"), content)
    }

    mutating func array(_ elements: some Sequence<some JSONWritable>) {
        nested(UInt8(ascii: "["), UInt8(ascii: "]")) { json in
            for element in elements {
                json.separate()
                element.write(to: &json)
                json.needsComma = true
            }
        }
    }

    /// Writes a member of the object that is being written.
    ///
    /// Its name is plain ASCII, without anything to escape.
    mutating func member(_ name: String, _ value: some JSONWritable) {
        append(name, upTo: 0) { _ in }
        needsComma = false
        value.write(to: &self)
        needsComma = true
    }

    /// Writes a member whose value is short: with its name in one go.
    mutating func member(_ name: String, _ value: some JSONToken) {
        append(name, upTo: value.maximumBytes) { output in value.writeJSON(to: &output) }
        needsComma = true
    }

    /// Appends a name, and what a function adds to it.
    @inline(__always)
    private mutating func append(
        _ name: String,
        upTo valueBytes: Int,
        _ addValue: (inout OutputSpan<UInt8>) -> Void
    ) {
        let name = name.utf8.span
        let mustSeparate = needsComma
        bytes.append(addingCapacity: name.count + 4 + valueBytes) { output in
            if mustSeparate { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            for index in name.indices { output.append(name[index]) }
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
            addValue(&output)
        }
    }

    /// Writes a member whose value is an array of short values, which is written in one go.
    mutating func member(_ name: String, array elements: some Collection<some JSONToken>) {
        let mostBytes = elements.reduce(2) { $0 + $1.maximumBytes + 1 }
        append(name, upTo: mostBytes) { output in
            output.append(UInt8(ascii: "["))
            var isFirst = true
            for element in elements {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                element.writeJSON(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        }
        needsComma = true
    }

    /// Writes a member whose value is an array.
    mutating func member(_ name: String, array elements: some Sequence<some JSONWritable>) {
        member(name, JSONArray(elements: elements))
    }

    private mutating func nested(
        _ start: UInt8,
        _ end: UInt8,
        _ content: (inout JSONWriter) -> Void
    ) {
        bytes.append(start)
        needsComma = false
        content(&self)
        bytes.append(end)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }
}

// MARK: - Plain values

extension JSONWriter {
    /// Writes text that is known to need no escapes, such as a word or a number.
    mutating func verbatim(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes what is JSON already.
    mutating func verbatim(_ json: [UInt8]) {
        bytes.append(contentsOf: json)
    }

    /// Writes a value that is short.
    mutating func token(_ value: some JSONToken) {
        bytes.append(addingCapacity: value.maximumBytes) { output in value.writeJSON(to: &output) }
    }

    /// Writes any text.
    ///
    /// Only what RFC 8259 §7 asks for is escaped: quotes, backslashes and control characters.
    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        guard text.needsEscapes else { return bytes.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
            case UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
            case 0x08: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "b")]
            case 0x09: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case 0x0A: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case 0x0C: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "f")]
            case 0x0D: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case ..<0x20:
                bytes += Array("\\u00".utf8)
                bytes += [hexadecimal(byte >> 4), hexadecimal(byte & 0xF)]
            default: bytes.append(byte)
            }
        }
    }
}

extension String {
    /// Whether the text has a character that must not stand for itself in JSON.
    fileprivate var needsEscapes: Bool {
        let bytes = utf8.span
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return true
            }
        }
        return false
    }
}

private func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
}

// MARK: - What can be written

/// A thing that has a form in JSON.
protocol JSONWritable {
    /// About how many bytes it takes; what is far off only costs time.
    var likelyBytes: Int { get }

    /// Appends the value, once, as one JSON value.
    func write(to json: inout JSONWriter)
}

extension JSONWritable {
    var likelyBytes: Int { 640 }

    /// The value as a JSON text of its own.
    var jsonBytes: [UInt8] {
        var json = JSONWriter(reserving: likelyBytes)
        write(to: &json)
        return json.bytes
    }
}

extension String: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.string(self)
    }
}

/// A value that was written before.
struct JSONText: JSONWritable {
    let bytes: [UInt8]

    var likelyBytes: Int { bytes.count }

    func write(to json: inout JSONWriter) {
        json.verbatim(bytes)
    }
}

/// A value of which it is known how long it can be: a number, a day, an amount.
protocol JSONToken: JSONWritable {
    /// More bytes than the value never takes.
    var maximumBytes: Int { get }

    /// Appends the value, for which there must be room.
    func writeJSON(to output: inout OutputSpan<UInt8>)
}

extension JSONToken {
    func write(to json: inout JSONWriter) {
        json.token(self)
    }
}

extension Bool: JSONToken {
    var maximumBytes: Int { 5 }

    func writeJSON(to output: inout OutputSpan<UInt8>) {
        for byte in (self ? "true" : "false").utf8 { output.append(byte) }
    }
}

extension Int: JSONToken {
    var maximumBytes: Int { 20 }

    func writeJSON(to output: inout OutputSpan<UInt8>) {
        if self < 0 { output.append(UInt8(ascii: "-")) }
        output.append(decimal: magnitude)
    }
}

extension OutputSpan<UInt8> {
    /// Appends a member of an object, behind the brace or the comma that comes before it.
    ///
    /// Its name is plain ASCII, without anything to escape.
    mutating func append(_ mark: Unicode.Scalar, _ name: String, _ value: some JSONToken) {
        append(UInt8(ascii: mark))
        append(UInt8(ascii: "\""))
        let name = name.utf8.span
        for index in name.indices { append(name[index]) }
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
        value.writeJSON(to: &self)
    }

    /// Appends a number in decimal digits, the first of them first.
    fileprivate mutating func append(decimal number: UInt) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    fileprivate mutating func appendNull() {
        append(UInt8(ascii: "n"))
        append(UInt8(ascii: "u"))
        append(UInt8(ascii: "l"))
        append(UInt8(ascii: "l"))
    }
}

extension Optional: JSONToken where Wrapped: JSONToken {
    var maximumBytes: Int { self?.maximumBytes ?? 4 }

    func writeJSON(to output: inout OutputSpan<UInt8>) {
        switch self {
        case nil: output.appendNull()
        case let value?: value.writeJSON(to: &output)
        }
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    func write(to json: inout JSONWriter) {
        switch self {
        case nil: json.verbatim("null")
        case let value?: value.write(to: &json)
        }
    }
}

private struct JSONArray<Elements: Sequence>: JSONWritable where Elements.Element: JSONWritable {
    let elements: Elements

    func write(to json: inout JSONWriter) {
        json.array(elements)
    }
}
