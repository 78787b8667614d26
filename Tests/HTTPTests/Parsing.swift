import HTTP
import XCTest

/// What a parser makes of some bytes: the requests in them, and why it stops if it does.
struct Reading: Hashable {
    var requests: [Summary] = []
    var refusal: Refusal?

    /// All there is to a request.
    struct Summary: Hashable {
        var method: HTTP.Method
        var path: String
        var query: String?
        var authority: String?
        var form: RequestTarget.Form
        var version: HTTPVersion
        var headers: [[String]]
        var body: [UInt8]
        var id: RequestID
        var keepsAlive: Bool

        init(_ request: Request) {
            method = request.method
            path = request.path
            query = request.query
            authority = request.target.authority
            form = request.target.form
            version = request.version
            headers = request.headers.map { [$0.name.description, $0.value] }
            body = request.body
            id = request.id
            keepsAlive = request.keepsAlive
        }
    }

    /// Feeds a parser piece by piece, and asks after each piece for all there is.
    init(_ pieces: [ArraySlice<UInt8>], limits: RequestParser.Limits = .init()) {
        var parser = RequestParser(limits: limits, firstRequestID: 1)
        do throws(Refusal) {
            for piece in pieces {
                parser.append(piece)
                while let event = try parser.next() {
                    if case .request(let request) = event {
                        requests.append(Summary(request))
                    }
                }
            }
        } catch {
            refusal = error
        }
    }

    init(_ text: String, limits: RequestParser.Limits = .init()) {
        self.init([bytes(text)[...]], limits: limits)
    }
}

/// The bytes of a text in Latin-1: each character is one byte.
func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
        guard let byte = UInt8(exactly: scalar.value) else {
            preconditionFailure("\(scalar) is no byte")
        }
        return byte
    }
}

/// Reads the one request of a text.
func request(
    _ text: String,
    limits: RequestParser.Limits = .init(),
    file: StaticString = #filePath,
    line: UInt = #line
) throws -> Request {
    var parser = RequestParser(limits: limits, firstRequestID: 1)
    parser.append(bytes(text))
    guard case .request(let request)? = try parser.next() else {
        XCTFail("There is no whole request", file: file, line: line)
        throw NoRequest()
    }
    XCTAssertEqual(parser.bufferedBytes, 0, file: file, line: line)
    return request
}

struct NoRequest: Error {}
