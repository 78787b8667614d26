import HTTP

/// The web pages, by their origins, whose scripts a browser lets read the answers (CORS).
///
/// Tokens go by `Authorization`, which a page sets itself, and never by cookies: so there is no mode
/// with credentials, which would let a page act as whoever is signed in.
public struct CrossOrigins: Hashable, Sendable {
    private let origins: Origins

    private enum Origins: Hashable {
        case any
        case listed(Set<[UInt8]>)
    }

    /// Reads `*`, or origins with commas between them, such as `https://app.example.org`.
    ///
    /// - Returns: `nil` if it is neither. An origin is written as browsers send it, since one that is
    ///   written otherwise would never be met: in lower case, without a path, without a port that is
    ///   the scheme's own.
    public init?(_ text: String) {
        guard text != "*" else {
            origins = .any
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Array($0.utf8)[...].trimmingBlanks }
        guard parts.allSatisfy({ isOrigin($0) }) else { return nil }
        origins = .listed(Set(parts.map(Array.init)))
    }
}

extension CrossOrigins {
    /// Answers a browser that asks whether a page may send a request.
    ///
    /// - Parameters:
    ///   - request: The question.
    ///   - response: What `OPTIONS` is answered with otherwise; `nil` if there is nothing at the path.
    ///     A page is let through to it, for only then can it read that there is nothing.
    /// - Returns: `nil` if this is no such question, or from a page that is not listed.
    func preflight(_ request: Request, _ response: Response?) -> Response? {
        guard request.method == .options, request.headers.contains(.accessControlRequestMethod),
            allowed(request) != nil
        else { return nil }
        var response = response ?? Response(.noContent)
        response.headers.append(
            "GET, HEAD, POST, PATCH, DELETE",
            for: .accessControlAllowMethods
        )
        response.headers.append(
            "authorization, content-type, if-match, if-none-match, idempotency-key, "
                + "last-event-id, x-request-id",
            for: .accessControlAllowHeaders
        )
        // Two hours, which is the most that some browsers take.
        response.headers.append("7200", for: .accessControlMaxAge)
        return response
    }

    /// Lets a page read an answer, if it may.
    func open(_ response: inout Response, to request: Request) {
        // A cache must not give one page the answer that names another.
        if case .listed = origins { response.headers.append("Origin", for: .vary) }
        guard let origin = allowed(request) else { return }
        response.headers.append(bytes: origin.span, for: .accessControlAllowOrigin)
        response.headers.append(
            "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, "
                + "Idempotent-Replayed, X-Request-Id",
            for: .accessControlExposeHeaders
        )
    }

    /// What `Access-Control-Allow-Origin` says to a request; `nil` if it comes from no listed page.
    private func allowed(_ request: Request) -> ArraySlice<UInt8>? {
        guard let origin = request.headers.firstValue(of: .origin) else { return nil }
        switch origins {
        case .any: return Array("*".utf8)[...]
        case .listed(let listed): return listed.contains(Array(origin)) ? origin : nil
        }
    }
}

/// Whether a text is an origin as browsers write it (RFC 6454 §6.2).
private func isOrigin(_ text: ArraySlice<UInt8>) -> Bool {
    let scheme = text.prefix { $0 != UInt8(ascii: ":") }
    guard scheme.first?.isLowercaseLetter ?? false,
        scheme.allSatisfy({ $0.isLowercaseLetterOrDigit || "+-.".utf8.contains($0) }),
        text.dropFirst(scheme.count).starts(with: "://".utf8)
    else { return false }
    var host = text.dropFirst(scheme.count + 3)
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[colon...].last != UInt8(ascii: "]") {
        let digits = host[colon...].dropFirst()
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0,
            digits.first != UInt8(ascii: "0"), port != defaultPort(of: scheme)
        else { return false }
        host = host[..<colon]
    }
    if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]"), host.count > 2 {
        return host.dropFirst().dropLast().allSatisfy { byte in
            byte.isLowercaseLetterOrDigit || ":.".utf8.contains(byte)
        }
    }
    return !host.isEmpty
        && host.allSatisfy { $0.isLowercaseLetterOrDigit || "-._".utf8.contains($0) }
}

private func defaultPort(of scheme: ArraySlice<UInt8>) -> UInt16? {
    switch String(decoding: scheme, as: UTF8.self) {
    case "http": 80
    case "https": 443
    default: nil
    }
}

extension UInt8 {
    fileprivate var isLowercaseLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }

    fileprivate var isLowercaseLetterOrDigit: Bool {
        isLowercaseLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the blanks at both ends.
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        let start = drop { $0 == UInt8(ascii: " ") }
        return start.dropLast(start.reversed().prefix { $0 == UInt8(ascii: " ") }.count)
    }
}

extension FieldName {
    fileprivate static let accessControlAllowHeaders: FieldName = "Access-Control-Allow-Headers"
    fileprivate static let accessControlAllowMethods: FieldName = "Access-Control-Allow-Methods"
    fileprivate static let accessControlAllowOrigin: FieldName = "Access-Control-Allow-Origin"
    fileprivate static let accessControlExposeHeaders: FieldName = "Access-Control-Expose-Headers"
    fileprivate static let accessControlMaxAge: FieldName = "Access-Control-Max-Age"
    fileprivate static let accessControlRequestMethod: FieldName = "Access-Control-Request-Method"
    fileprivate static let origin: FieldName = "Origin"
    fileprivate static let vary: FieldName = "Vary"
}
