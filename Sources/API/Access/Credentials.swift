import HTTP

/// What a request shows to be let in.
enum Credentials: Hashable {
    /// Nothing, or nothing of the kind that this server takes.
    case none

    /// What stands after `Bearer` (RFC 6750 §2.1).
    case bearer(ArraySlice<UInt8>)

    /// - Throws: ``Problem`` if the request has the field more than once: two who read it could then
    ///   take it for two people's.
    init(of request: Request) throws(Problem) {
        guard request.rareFields.contains(.authorization),
            let value = request.headers.firstValue(of: .authorization)
        else {
            self = .none
            return
        }
        guard request.headers.count(of: .authorization) == 1 else {
            throw Problem(.malformedHeader, "Authorization is there more than once.")
        }
        let scheme = value.prefix { $0 != UInt8(ascii: " ") }
        // The name of a scheme is the same in either case (RFC 9110 §11.1).
        guard
            scheme.elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 })
        else {
            self = .none
            return
        }
        self = .bearer(value.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") })
    }
}
