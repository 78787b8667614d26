import Foundation

@testable import HTTP

/// Checks what is made of a request's target: the path in the routing table, and the query.
///
/// The bytes are tried twice: as a client sends them, and as they are, without the parser that
/// would refuse most of them.
func check(_ bytes: [UInt8]) {
    if let request = request(for: bytes) {
        checkRouting(of: request)
        if let query = request.query {
            checkQuery(query)
        }
    }
    if let text = String(validating: bytes, as: UTF8.self) {
        checkQuery(text)
    }
    checkEscapes(bytes)
}

/// The request for a target; `nil` if the parser refuses it.
private func request(for target: [UInt8]) -> Request? {
    var parser = RequestParser()
    parser.append(Array("GET ".utf8) + target + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    guard case .request(let request)? = try? parser.next() else { return nil }
    return request
}

// MARK: - Paths

/// The paths of the API, and what a path segment may be taken for.
private let patterns: [PathPattern] = [
    "/", "/goals", "/goals/:goal", "/goals/:goal/statistics", "/goals/:goal/transactions",
    "/goals/:goal/transactions/:transaction", "/batch", "/changes", "/livez", "/problems/:name",
]

private let router = Router(patterns.map { Route(.get, $0, $0) })

/// Checks that a path is found where a plain reading of the table has it, with the same parameters.
private func checkRouting(of request: Request) {
    let expected = plainMatch(request.target)
    guard case .found(let pattern, let parameters) = router.match(request) else {
        expect(expected == nil, "\(request.path) is not found")
        return
    }
    expect(pattern == expected?.pattern, "\(request.path) is taken for \(pattern)")
    for (name, value) in zip(pattern.parameterNames, expected?.values ?? []) {
        let parameter = parameters[name] ?? ""
        expect(Array(parameter.utf8) == value, "\(name) of \(request.path) is “\(parameter)”")
    }
    let path = pathText(of: pattern) { escaped(parameters[$0] ?? "") }
    guard case .found(pattern, let again) = router.match(.get, path) else {
        return expect(false, "\(path) is not found, \(request.path) is")
    }
    for name in pattern.parameterNames {
        expect(again[name] == parameters[name], "Escaping changes \(name) of \(request.path)")
    }
}

/// Cuts a path at its slashes, undoes the escapes of each segment, and compares them one by one.
private func plainMatch(_ target: RequestTarget) -> (pattern: PathPattern, values: [[UInt8]])? {
    guard target.form == .origin else { return nil }
    let segments = target.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        .map { plainlyDecoded(Array($0.utf8)) }
    for pattern in patterns {
        let parts = pattern.text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == segments.count else { continue }
        var values: [[UInt8]] = []
        let fits = zip(parts, segments).allSatisfy { part, segment in
            guard let segment else { return false }
            guard part.hasPrefix(":") else { return segment == Array(part.utf8) }
            values.append(segment)
            return !segment.isEmpty && !segment.contains(UInt8(ascii: "/"))
                && String(validating: segment, as: UTF8.self) != nil
        }
        if fits { return (pattern, values) }
    }
    return nil
}

/// The path of a pattern with something in the place of each name.
private func pathText(of pattern: PathPattern, _ value: (String) -> String) -> String {
    pattern.text.split(separator: "/", omittingEmptySubsequences: false)
        .map { $0.hasPrefix(":") ? value(String($0.dropFirst())) : String($0) }
        .joined(separator: "/")
}

// MARK: - Queries

/// Checks that a query's items come back when they are written anew, and that what is refused
/// deserves it.
private func checkQuery(_ query: String) {
    let blank = UInt8(ascii: " ")
    let parts = query.utf8.split(separator: UInt8(ascii: "&")).map { part in
        part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            .map { plainText($0.map { $0 == UInt8(ascii: "+") ? blank : $0 }) }
    }
    let isSound = parts.joined().allSatisfy { $0 != nil }
    guard let items = try? QueryItems(parsing: query) else {
        return expect(!isSound, "“\(query)” is refused")
    }
    expect(isSound, "“\(query)” is not refused")
    expect(items.count == parts.count, "“\(query)” has \(items.count) items")
    for (item, part) in zip(items, parts) {
        expect(same(item.name, part.first ?? nil), "A name of “\(query)” is “\(item.name)”")
        expect(
            same(item.value, part.count == 2 ? part[1] : ""),
            "A value of “\(query)” is “\(item.value)”"
        )
    }
    let written = items.map { escaped($0.name) + "=" + escaped($0.value) }.joined(separator: "&")
    expect((try? QueryItems(parsing: written)) == items, "“\(query)” changes when it is written")
}

private func plainText(_ bytes: [UInt8]) -> String? {
    plainlyDecoded(bytes).flatMap { String(validating: $0, as: UTF8.self) }
}

/// Whether texts are the same byte for byte, and not only to the eye.
private func same(_ one: String, _ other: String?) -> Bool {
    other.map { one.utf8.elementsEqual($0.utf8) } ?? false
}

// MARK: - Escapes

/// Checks that undoing escapes undoes them and nothing else.
private func checkEscapes(_ bytes: [UInt8]) {
    let escaped = bytes.flatMap { Array(escape($0).utf8) }
    expect(
        PercentEncoding.decode(escaped) == (bytes.contains(0) ? nil : bytes),
        "Undoing escapes does not give what was escaped"
    )
    if !bytes.contains(UInt8(ascii: "%")), !bytes.contains(0) {
        expect(PercentEncoding.decode(bytes) == bytes, "Bytes change that are not escaped")
    }
    expect(
        PercentEncoding.decode(bytes) == plainlyDecoded(bytes),
        "Escapes are undone in another way than plainly"
    )
}

/// Undoes escapes by the book: everything between percent signs begins with two digits.
private func plainlyDecoded(_ bytes: [UInt8]) -> [UInt8]? {
    guard !bytes.contains(0) else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
    var decoded = Array(parts.first ?? [])
    for part in parts.dropFirst() {
        let digits = part.prefix(2)
        guard
            digits.count == 2, digits.allSatisfy({ $0 < 0x80 && isxdigit(Int32($0)) != 0 }),
            let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), byte != 0
        else { return nil }
        decoded.append(byte)
        decoded += part.dropFirst(2)
    }
    return decoded
}

private func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "%" + (digits.count < 2 ? "0" : "") + digits
}

private func escaped(_ text: String) -> String {
    text.utf8.map(escape).joined()
}
