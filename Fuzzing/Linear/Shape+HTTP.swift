@testable import API
@testable import HTTP

extension Shape {
    static var requests: [Shape] {
        [
            Shape("head: one long field", "\(line)X: ", repeating: "a", "\r\n\r\n", read: whole),
            Shape(
                "head: one long field, byte by byte",
                "\(line)X: ",
                repeating: "a",
                read: bytewise
            ),
            Shape("head: many fields", line, repeating: "A:\r\n", "\r\n", read: whole),
            Shape(
                "head: many fields, byte by byte",
                line,
                repeating: "A:\r\n",
                "\r\n",
                read: bytewise
            ),
            Shape(
                "head: blanks before a value",
                "\(line)X:",
                repeating: " ",
                "a\r\n\r\n",
                read: whole
            ),
            Shape(
                "head: blanks after a value",
                "\(line)X:a",
                repeating: " ",
                "\r\n\r\n",
                read: whole
            ),
            Shape(
                "head: blanks among bytes",
                "\(line)X:",
                repeating: "a ",
                "\r\n\r\n",
                read: whole
            ),
            Shape(
                "head: Connection of commas",
                "\(line)Connection:",
                repeating: ",",
                end,
                read: whole
            ),
            Shape(
                "head: Connection of words",
                "\(line)Connection:",
                repeating: "a, ",
                end,
                read: whole
            ),
            Shape(
                "head: Transfer-Encoding of many",
                "\(line)Transfer-Encoding: ",
                repeating: "chunked, ",
                "chunked\r\n\r\n",
                read: whole
            ),
            Shape("head: a name without end", line, repeating: "a", read: bytewise),
            Shape("head: a method without end", repeating: "A", read: bytewise),
            Shape(
                "head: a host of escapes",
                "GET / HTTP/1.1\r\nHost: ",
                repeating: "%61",
                end,
                read: whole
            ),
            Shape(
                "head: an address",
                "GET / HTTP/1.1\r\nHost: [",
                repeating: "a:",
                "]\(end)",
                read: whole
            ),
            Shape(
                "head: a host in the target",
                "GET http://",
                repeating: "a",
                "/ \(line)",
                read: whole
            ),
            Shape("head: fields by name", line, repeating: "Accept: a\r\n", "\r\n", read: lookUp),
            Shape(
                "head: a type of accents",
                "\(line)Content-Type: a",
                repeating: "\u{301}\u{316}",
                end,
                read: lookUp
            ),
            Shape("body: byte by byte", "", repeating: "a", read: bodyBytewise),
            Shape("requests: many at once", repeating: "\(line)\r\n", read: whole),
            Shape("requests: many, byte by byte", repeating: "\(line)\r\n", read: bytewise),
            Shape(
                "requests: many, 1,000 bytes at a time",
                repeating: "\(line)\r\n",
                read: inPackets
            ),
            Shape(
                "requests: a long one, then many",
                "\(line)X: ",
                repeating: "a",
                end + line,
                read: inPackets
            ),
        ]
    }

    static var chunks: [Shape] {
        [
            Shape("chunks: of one byte", repeating: "1\r\na\r\n", "0\r\n\r\n", read: chunked),
            Shape(
                "chunks: of one byte, byte by byte",
                repeating: "1\r\na\r\n",
                read: chunkedBytewise
            ),
            Shape("chunks: a size of zeros", repeating: "0", read: chunked),
            Shape(
                "chunks: extensions",
                "1",
                repeating: ";a=b",
                "\r\na\r\n0\r\n\r\n",
                read: chunked
            ),
            Shape(
                "chunks: a quoted extension",
                "1;a=\"",
                repeating: "\\\"",
                "\"\r\n",
                read: chunked
            ),
            Shape(
                "chunks: trailer fields",
                "0\r\n",
                repeating: "A:\r\n",
                "\r\n",
                read: chunkedBytewise
            ),
        ]
    }

    static var paths: [Shape] {
        [
            Shape("path: slashes", repeating: "/", read: route),
            Shape("path: a parameter of escapes", "/goals/", repeating: "%61", read: route),
            Shape("path: escaped slashes", "/goals/", repeating: "%2F", read: route),
            Shape("path: dots", repeating: "/..", read: route),
            Shape("query: items", repeating: "a=b&", read: query),
            Shape("query: items with numbers", "", numbering: { "a\($0)=\($0)&" }, "", read: query),
            Shape("query: nothing but &", repeating: "&", read: query),
            Shape("query: nothing but =", repeating: "=", read: query),
            Shape("query: a value of escapes", "a=", repeating: "%D0%BE", read: query),
            Shape("query: plus signs", "a=", repeating: "+", read: query),
            Shape("query: escapes, the last broken", "a=", repeating: "%61", "%4", read: query),
        ]
    }
}

private let line = "GET / HTTP/1.1\r\nHost: a\r\n"
private let end = "\r\n\r\n"

/// Limits that none of the inputs reaches, since what lies beyond a limit costs nothing.
private let limits = {
    var limits = RequestParser.Limits()
    limits.headBytes = 1 << 30
    limits.targetBytes = 1 << 30
    limits.bodyBytes = 1 << 30
    limits.chunkExtensionBytes = 1 << 30
    limits.trailerBytes = 1 << 30
    return limits
}()

private func read(_ bytes: [UInt8], pieces length: Int) {
    var parser = RequestParser(limits: limits)
    var rest = bytes[...]
    while !rest.isEmpty {
        parser.append(rest.prefix(length))
        rest = rest.dropFirst(length)
        // What is refused has been read as far as it matters.
        while let event = try? parser.next() {
            use(event)
        }
    }
}

private func whole(_ bytes: [UInt8]) {
    read(bytes, pieces: bytes.count)
}

private func bytewise(_ bytes: [UInt8]) {
    read(bytes, pieces: 1)
}

private func inPackets(_ bytes: [UInt8]) {
    read(bytes, pieces: 1_000)
}

private func bodyBytewise(_ bytes: [UInt8]) {
    bytewise(
        Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(bytes.count)\(end)".utf8) + bytes
    )
}

private func lookUp(_ bytes: [UInt8]) {
    var parser = RequestParser(limits: limits)
    parser.append(bytes)
    guard case .request(let request)? = try? parser.next() else { return }
    use(request.headers[.accept])
    use(request.headers[.ifMatch])
    use(try? request.headers.checkContent(isOneOf: [.json]))
    for field in request.headers {
        use(field)
    }
}

private func readChunks(_ bytes: [UInt8], pieces length: Int) {
    var reader = ChunkReader()
    var body: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        var offset = 0
        let piece = Array(rest.prefix(length))
        let hasEnded = try? reader.read(piece, from: &offset, into: &body, limits: limits)
        guard hasEnded == false else { return }
        rest = rest.dropFirst(length)
    }
}

private func chunked(_ bytes: [UInt8]) {
    readChunks(bytes, pieces: bytes.count)
}

private func chunkedBytewise(_ bytes: [UInt8]) {
    readChunks(bytes, pieces: 1)
}

private let router = Router<Int>([
    Route(.get, "/goals", 0), Route(.get, "/goals/:goal", 1),
    Route(.get, "/goals/:goal/transactions/:transaction", 2),
])

private func route(_ bytes: [UInt8]) {
    guard
        case .found(_, let parameters) = router.match(.get, String(decoding: bytes, as: UTF8.self))
    else { return }
    use(parameters["goal"])
}

private func query(_ bytes: [UInt8]) {
    use(try? QueryItems(parsing: String(decoding: bytes, as: UTF8.self)))
}
