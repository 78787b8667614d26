import HTTP

extension Call {
    /// The page of the list at a path as a response, with a link to the next one.
    func response(with page: PageResource<some JSONWritable>, at path: String) throws -> Response {
        var headers = HeaderFields.json
        if let cursor = page.nextCursor {
            headers.append("<\(path)?\(try query(withCursor: cursor))>; rel=\"next\"", for: .link)
        }
        return Response(.ok, headers: headers, body: page.jsonBytes)
    }

    /// The query of this call, but for where its page begins.
    private func query(withCursor cursor: String) throws -> String {
        let parameters = try QueryItems(parsing: request.query ?? "")
            .filter { $0.name != "cursor" }
            .map { "\(escapedForQuery($0.name))=\(escapedForQuery($0.value))" }
        return (parameters + ["cursor=\(cursor)"]).joined(separator: "&")
    }
}

/// Escapes all but what RFC 3986 §2.3 calls unreserved.
private func escapedForQuery(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            bytes.append(byte)
        default:
            bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

private let digits = Array("0123456789ABCDEF".utf8)
