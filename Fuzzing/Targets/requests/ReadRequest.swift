@testable import HTTP

/// All there is to a request, byte for byte.
struct ReadRequest: Equatable {
    let method: Method
    let version: HTTPVersion
    let form: RequestTarget.Form
    let authority: String?
    let path: [UInt8]
    let query: [UInt8]?
    let fields: [Field]
    let body: [UInt8]
    let keepsAlive: Bool

    /// The client's own id; `nil` if it was made here.
    let givenID: RequestID?

    struct Field: Equatable {
        let name: [UInt8]
        let value: [UInt8]
    }

    init(_ request: Request) {
        method = request.method
        version = request.version
        form = request.target.form
        authority = request.target.authority
        path = form == .asterisk ? [] : Array(request.target.pathBytes)
        query = request.target.queryBytes.map { Array($0) }
        let headers = request.headers
        fields = headers.fields.map {
            Field(name: Array(headers.nameBytes($0)), value: Array(headers.valueBytes($0)))
        }
        body = request.body
        keepsAlive = request.keepsAlive
        let isGiven = headers.values(of: .xRequestID).contains(request.id.description)
        givenID = isGiven ? request.id : nil
    }

    /// The request as the plainest of its senders would have written it.
    var printed: [UInt8] {
        var bytes = Array("\(method.rawValue) ".utf8)
        if let authority {
            bytes += Array("http://\(authority)".utf8)
        } else if form == .asterisk {
            bytes += [UInt8(ascii: "*")]
        }
        bytes += path
        if let query {
            bytes += [UInt8(ascii: "?")] + query
        }
        bytes += Array(version == .http10 ? " HTTP/1.0\r\n".utf8 : " HTTP/1.1\r\n".utf8)
        for field in fields {
            bytes += field.name + [UInt8(ascii: ":"), .space] + field.value
            bytes += [.carriageReturn, .lineFeed]
        }
        bytes += [.carriageReturn, .lineFeed]

        let isChunked = fields.contains {
            $0.name.span.equalsIgnoringCase(FieldName.transferEncoding.lowercase)
        }
        guard isChunked else { return bytes + body }
        if !body.isEmpty {
            bytes += Array("\(String(body.count, radix: 16))\r\n".utf8) + body
            bytes += [.carriageReturn, .lineFeed]
        }
        return bytes + Array("0\r\n\r\n".utf8)
    }
}
