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

extension Method {
    /// Reads a method; makes no `String`.
    init?(_ bytes: Span<UInt8>) {
        guard (1...8).contains(bytes.count) else { return nil }
        var word: UInt64 = 0
        for index in bytes.indices {
            word = word << 8 | UInt64(bytes[index])
        }
        switch word {
        case 0x47_45_54: self = .get
        case 0x48_45_41_44: self = .head
        case 0x50_4F_53_54: self = .post
        case 0x50_55_54: self = .put
        case 0x50_41_54_43_48: self = .patch
        case 0x44_45_4C_45_54_45: self = .delete
        case 0x4F_50_54_49_4F_4E_53: self = .options
        case 0x54_52_41_43_45: self = .trace
        default: return nil
        }
    }
}
