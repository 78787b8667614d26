import Foundation

/// An answer that has been read as strictly as RFC 9112 allows.
///
/// `TestClient` forgives what no test of an endpoint is about; here the form of the answer is what
/// the tests are about.
struct StrictAnswer: Hashable, Sendable {
    let status: Int
    let fields: [Field]
    let body: [UInt8]

    struct Field: Hashable, Sendable {
        /// The name in lower case.
        let name: String

        /// The value, a code point for each byte.
        let value: String
    }

    /// A way in which what came is no answer.
    struct Violation: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }
}

extension StrictAnswer {
    /// Reads the answer that bytes begin with; one of 1xx is an answer, too.
    ///
    /// - Parameters:
    ///   - bytes: What has come.
    ///   - isAll: Whether the connection has ended, so that no more will come.
    ///   - isHead: Whether a `HEAD` request is answered, and so without a body.
    /// - Returns: The answer and its length in bytes; `nil` if its end has not come yet.
    /// - Throws: ``Violation`` if what has come can't become an answer.
    static func read(
        from bytes: [UInt8],
        isAll: Bool,
        toHead isHead: Bool
    ) throws(Violation) -> (answer: StrictAnswer, length: Int)? {
        guard let headEnd = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard !isAll else {
                throw Violation(description: "The connection ended in a head: \(excerpt(bytes))")
            }
            guard bytes.count <= 65_536 else { throw Violation(description: "The head is endless") }
            return nil
        }
        let (status, fields) = try readHead(bytes[..<headEnd.lowerBound])
        let head = StrictAnswer(status: status, fields: fields, body: [])
        let bodyLength = try head.bodyLength(toHead: isHead)
        let end = headEnd.upperBound + bodyLength
        guard end <= bytes.count else {
            guard !isAll else {
                let count = bytes.count - headEnd.upperBound
                throw Violation(
                    description:
                        "The connection ended after \(count) of \(bodyLength) bytes of a body"
                )
            }
            return nil
        }
        let body = Array(bytes[headEnd.upperBound..<end])
        return (StrictAnswer(status: status, fields: fields, body: body), end)
    }

    private static func readHead(
        _ head: ArraySlice<UInt8>
    ) throws(Violation) -> (status: Int, fields: [Field]) {
        var lines: [String] = []
        var rest = head
        while let end = rest.firstRange(of: Array("\r\n".utf8)) {
            lines.append(latin1(rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        lines.append(latin1(rest))
        guard
            let statusLine = lines[0].wholeMatch(
                of: /HTTP\/1\.1 ([1-5][0-9][0-9]) [\t \x21-\x7e\x80-\xff]*/
            ),
            let status = Int(statusLine.1)
        else { throw Violation(description: "No status line: \(lines[0].debugDescription)") }

        var fields: [Field] = []
        for line in lines.dropFirst() {
            // A value neither begins nor ends with a blank, and has no control byte in it.
            guard
                let field = line.wholeMatch(
                    of: /([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\t \x21-\x7e\x80-\xff]*?)[ \t]*/
                )
            else { throw Violation(description: "No field line: \(line.debugDescription)") }
            fields.append(Field(name: field.1.lowercased(), value: String(field.2)))
        }
        return (status, fields)
    }

    /// The length of the body that follows the head, by what the head says.
    ///
    /// This server knows the length of all that it sends: every body has to have one.
    private func bodyLength(toHead isHead: Bool) throws(Violation) -> Int {
        for name in singletons where fields.count(where: { $0.name == name }) > 1 {
            throw Violation(description: "There is more than one \(name) field")
        }
        if let coding = self["transfer-encoding"] {
            throw Violation(description: "There is a transfer coding: \(coding)")
        }
        if let date = self["date"], date.wholeMatch(of: imfDate) == nil {
            throw Violation(description: "The Date is no IMF-fixdate: \(date)")
        }
        let length = self["content-length"]
        if status < 200 || status == 204 {
            guard length == nil else { throw Violation(description: "\(status) has a length") }
            guard status != 101 else { throw Violation(description: "Nobody asked to switch") }
            return 0
        }
        guard status >= 500 || self["date"] != nil else {
            throw Violation(description: "\(status) has no Date")
        }
        guard let length else {
            guard status == 304 else { throw Violation(description: "\(status) has no length") }
            return 0
        }
        guard length.wholeMatch(of: /[0-9]{1,15}/) != nil, let count = Int(length) else {
            throw Violation(description: "The length is no number: \(length)")
        }
        return isHead || status == 304 ? 0 : count
    }
}

extension StrictAnswer {
    /// What every answer must keep to, whatever it answers.
    func mistakes(toHead isHead: Bool) -> [String] {
        var mistakes: [String] = []
        if status == 405, self["allow"] == nil { mistakes.append("405 has no Allow") }
        if status == 401, self["www-authenticate"] == nil {
            mistakes.append("401 has no WWW-Authenticate")
        }
        if !body.isEmpty, self["content-type"] == nil {
            mistakes.append("A body has no Content-Type")
        }
        guard status >= 400, !isHead else { return mistakes }
        return mistakes + problemMistakes
    }

    /// In which ways the body is not what RFC 9457 wants of a problem.
    private var problemMistakes: [String] {
        guard self["content-type"] == "application/problem+json" else {
            return ["An error is no application/problem+json"]
        }
        guard let problem = try? JSONTree(json: body), problem.members != nil else {
            // Why it can't be read does not matter.
            return ["A problem is no JSON object: \(excerpt(body))"]
        }
        return problem["status"]?.number == Double(status)
            ? [] : ["A problem does not have the status of its answer, \(status)"]
    }
}

/// The beginning of bytes, in a form that can be printed.
func excerpt(_ bytes: [UInt8]) -> String {
    latin1(bytes.prefix(80)).debugDescription + (bytes.count > 80 ? "..." : "")
}

/// A text with a code point for each byte, so that any bytes are text.
private func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
}

private let singletons = [
    "content-length", "content-type", "date", "etag", "location", "retry-after", "server",
]

/// The form of a date (RFC 9110 §5.6.7).
private var imfDate: Regex<Substring> {
    #/
    (?: Mon|Tue|Wed|Thu|Fri|Sat|Sun ), \ [0-3][0-9]
    \ (?: Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec ) \ [0-9]{4}
    \ [0-2][0-9]:[0-5][0-9]:[0-6][0-9] \ GMT
    /#
}
