/// A request method that this server knows.
///
/// Methods are case-sensitive (RFC 9110 §9.1). `CONNECT` is not among them: it asks for a proxy.
public enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case trace = "TRACE"
}
