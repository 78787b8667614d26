import Glibc

/// A system call that failed, and why.
public struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: CInt

    /// The name of the call.
    public let call: String

    public init(code: CInt, call: String) {
        self.code = code
        self.call = call
    }

    public var description: String {
        // What the system says of a name that leads nowhere is of no help.
        guard call != "getaddrinfo" else { return "there is no such host" }
        return "\(call): \(String(cString: strerror(code)))"
    }
}

/// Makes a system call, again if a signal cuts it short.
///
/// - Returns: What the call returned, or `nil` if it would have had to wait.
/// - Throws: ``SystemError`` with the call's name for every other failure.
@inline(__always)
func call<Value: SignedInteger>(
    _ name: StaticString,
    _ body: () -> Value
) throws(SystemError) -> Value? {
    while true {
        let value = body()
        guard value == -1 else { return value }
        // Read at once: any code that runs first may change it.
        let code = errno
        switch code {
        case EINTR: continue
        case EAGAIN, EWOULDBLOCK: return nil
        default: throw SystemError(code: code, call: "\(name)")
        }
    }
}
