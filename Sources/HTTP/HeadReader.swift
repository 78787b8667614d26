/// Reads the head of a request in one pass over its bytes, which may come in any pieces.
///
/// A state machine in the manner of nginx and llhttp: what is scanned is never scanned again, and
/// all places are counted from the first byte of the head, so that the bytes may move between two
/// calls.
struct HeadReader: Sendable {
    private var state = State.method

    /// How far the head is scanned.
    private var index = 0

    /// Where the part that is being scanned began.
    private var start = 0

    private var targetRange = 0..<0

    /// Whether the target is, so far, a path without anything to take apart or to check further.
    private var isPlainPath = true

    /// The name of the field whose value is being scanned.
    private var name = 0..<0

    /// The method; `nil` until it is read, or if it is not known here.
    private(set) var method: Method?
    private(set) var version = HTTPVersion.http11
    private(set) var target = RequestTarget.Places(path: 0..<0)
    private(set) var fields: [HeaderFields.Field] = []
    private(set) var framing = FramingFields()

    /// What the next byte is part of.
    private enum State {
        case method, target, version
        case lineStart, name, blanksBeforeValue, value, lineFeed
        case lastLineFeed, end
    }

    /// Goes on reading.
    ///
    /// - Parameters:
    ///   - arrived: What has arrived, that of earlier calls included.
    ///   - offset: Where in it the head begins.
    ///   - limits: How long the target and the head may be.
    /// - Returns: The length of the head, or `nil` if its end has not arrived.
    /// - Throws: ``Refusal`` if what has arrived can never become a head.
    mutating func read(
        _ arrived: [UInt8],
        from offset: Int,
        limits: RequestParser.Limits
    ) throws(Refusal) -> Int? {
        let head = arrived.span.extracting(droppingFirst: offset)
            .extracting(first: limits.headBytes)
        while index < head.count, state != .end {
            switch state {
            case .method: try readMethod(head, limits)
            case .target: try readTarget(head, limits)
            case .version: try readVersion(head)
            case .lineStart: try readLineStart(head)
            case .name: try readName(head)
            case .blanksBeforeValue: skipBlanks(head)
            case .value: try readValue(head)
            case .lineFeed: try readLineFeed(head, then: .lineStart)
            case .lastLineFeed: try readLineFeed(head, then: .end)
            case .end: break
            }
        }
        guard state != .end else { return index }
        guard index < limits.headBytes else {
            throw state == .method || state == .target ? .targetTooLong : .headTooLarge
        }
        return nil
    }
}

// MARK: - The request line

extension HeadReader {
    private mutating func readMethod(
        _ head: Span<UInt8>,
        _ limits: RequestParser.Limits
    ) throws(Refusal) {
        skip(in: head) { $0.isTokenByte }
        // A method that long is a line that has no end.
        guard index <= limits.targetBytes else { throw .targetTooLong }
        guard index < head.count else { return }
        guard index > 0, head[index] == .space else {
            throw .malformed("The request does not begin with a method and a blank.")
        }
        method = Method(head.extracting(..<index))
        index += 1
        start = index
        state = .target
    }

    private mutating func readTarget(
        _ head: Span<UInt8>,
        _ limits: RequestParser.Limits
    ) throws(Refusal) {
        if head[start] == UInt8(ascii: "/") {
            if isPlainPath { skip(in: head) { $0.isPlainPathByte } }
            if index < head.count, head[index] != .space {
                isPlainPath = false
                skip(in: head) { $0.isTargetByte }
            }
        } else {
            isPlainPath = false
            // An absolute form, in which brackets may stand around an address.
            skip(in: head) { $0.isTargetByte || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        }
        guard index - start <= limits.targetBytes else { throw .targetTooLong }
        guard index < head.count else { return }
        guard head[index] == .space, index > start else {
            throw .malformed(complaint(aboutTargetAt: head[index]))
        }
        targetRange = start..<index
        index += 1
        start = index
        state = .version
    }

    private func complaint(aboutTargetAt byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "#"): "The target has a fragment, which is not for servers."
        case .carriageReturn, .lineFeed: "The request line does not end in a version."
        case .space: "The request line has a blank too many."
        default: "The target has a byte that must be percent-encoded."
        }
    }

    /// Reads `HTTP/1.1` and the CR, each byte as it comes.
    private mutating func readVersion(_ head: Span<UInt8>) throws(Refusal) {
        while index < head.count {
            let byte = head[index]
            let isExpected =
                switch index - start {
                case 0: byte == UInt8(ascii: "H")
                case 1, 2: byte == UInt8(ascii: "T")
                case 3: byte == UInt8(ascii: "P")
                case 4: byte == UInt8(ascii: "/")
                case 5, 7: byte.isDigit
                case 6: byte == UInt8(ascii: ".")
                default: byte == .carriageReturn
                }
            guard isExpected else {
                throw .malformed("The request line does not end in a version, CR and LF.")
            }
            index += 1
            guard byte != .carriageReturn else {
                return try finishRequestLine(head, major: head[index - 4], minor: head[index - 2])
            }
        }
    }

    private mutating func finishRequestLine(
        _ head: Span<UInt8>,
        major: UInt8,
        minor: UInt8
    ) throws(Refusal) {
        guard major == UInt8(ascii: "1") else { throw .versionUnsupported }
        version = minor == UInt8(ascii: "0") ? .http10 : .http11
        guard let method else { throw .methodNotImplemented }
        target =
            isPlainPath
            ? RequestTarget.Places(path: targetRange)
            : try RequestTarget.Places(of: targetRange, in: head, for: method)
        state = .lineFeed
    }
}

// MARK: - The field lines

extension HeadReader {
    private mutating func readLineStart(_ head: Span<UInt8>) throws(Refusal) {
        let byte = head[index]
        if byte == .carriageReturn {
            index += 1
            state = .lastLineFeed
        } else if byte.isBlank {
            // Obsolete line folding; RFC 9112 §5.2 lets a server refuse it.
            throw .malformed("A header line begins with white space.")
        } else {
            start = index
            state = .name
        }
    }

    private mutating func readName(_ head: Span<UInt8>) throws(Refusal) {
        skip(in: head) { $0.isTokenByte }
        guard index < head.count else { return }
        guard index > start, head[index] == UInt8(ascii: ":") else {
            throw .malformed(
                head[index].isBlank
                    ? "There is white space in or after the name of a header field."
                    : "A header line does not begin with a name and a colon."
            )
        }
        name = start..<index
        index += 1
        state = .blanksBeforeValue
    }

    private mutating func skipBlanks(_ head: Span<UInt8>) {
        skip(in: head) { $0.isBlank }
        guard index < head.count else { return }
        start = index
        state = .value
    }

    private mutating func readValue(_ head: Span<UInt8>) throws(Refusal) {
        skip(in: head) { $0.isFieldByte }
        guard index < head.count else { return }
        guard head[index] == .carriageReturn else {
            throw .malformed(
                head[index] == .lineFeed
                    ? "A line ends in LF without CR."
                    : "The value of a header field has a control byte."
            )
        }
        var end = index
        while end > start, head[end - 1].isBlank {
            end -= 1
        }
        if fields.isEmpty {
            // Saves the array from growing in steps; most requests have no more fields.
            fields.reserveCapacity(16)
        }
        fields.append(HeaderFields.Field(name: name, value: start..<end))
        try framing.note(head.extracting(name), head.extracting(start..<end))
        index += 1
        state = .lineFeed
    }

    private mutating func readLineFeed(
        _ head: Span<UInt8>,
        then next: State
    ) throws(Refusal) {
        guard head[index] == .lineFeed else {
            throw .malformed("There is a CR without LF after it.")
        }
        index += 1
        state = next
    }

    /// Moves on over bytes of a class.
    @inline(__always)
    private mutating func skip(in head: Span<UInt8>, while belongs: (UInt8) -> Bool) {
        var end = index
        while end < head.count, belongs(head[end]) {
            end += 1
        }
        index = end
    }
}
