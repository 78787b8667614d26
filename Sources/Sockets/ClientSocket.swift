import CLinux
import Glibc

/// A TCP connection to a server, for programs that have nothing to do but wait for it.
///
/// Every call waits, at most as long as the socket's patience lasts; then it fails with `EAGAIN`.
public struct ClientSocket: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// Connects to a server.
    ///
    /// The patience is how many seconds connecting, and each read and write, may take.
    ///
    /// - Throws: ``SystemError`` if nobody listens there, or the host has no address.
    public init(host: String, port: UInt16, patience: Int) throws(SystemError) {
        let addresses = try AddressList(host: host, port: port, flags: AI_NUMERICSERV)
        descriptor = try addresses.first { (address) throws(SystemError) in
            let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = FileDescriptor(
                owning: try wait("socket") { socket(address.ai_family, kind, 0) }
            )
            let time = timeval(tv_sec: patience, tv_usec: 0)
            try descriptor.set(SOL_SOCKET, SO_RCVTIMEO, to: time)
            try descriptor.set(SOL_SOCKET, SO_SNDTIMEO, to: time)
            try descriptor.set(CInt(IPPROTO_TCP), TCP_NODELAY, to: CInt(1))
            _ = try wait("connect") {
                connect(descriptor.number, address.ai_addr, address.ai_addrlen)
            }
            return descriptor
        }
    }

    /// Sends all the bytes.
    public func send(_ bytes: [UInt8]) throws(SystemError) {
        var sent = 0
        while sent < bytes.count {
            guard case .moved(let count) = try descriptor.write(bytes, from: sent) else {
                throw SystemError(code: EAGAIN, call: "send")
            }
            sent += count
        }
    }

    /// Receives what comes next.
    ///
    /// - Returns: The bytes; none once the server has sent all it ever will.
    public func receive(atMost count: Int = 64 * 1024) throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        return switch try descriptor.read(into: &buffer) {
        case .moved(let count): Array(buffer[..<count])
        case .closed: []
        case .wouldBlock: throw SystemError(code: EAGAIN, call: "recv")
        }
    }

    /// Tells the server that nothing more will be sent; its answers can still be received.
    public func shutDownWriting() {
        descriptor.shutDownWriting()
    }

    /// Sees to it that closing breaks the connection off, and drops what is on its way.
    public func resetWhenClosed() throws(SystemError) {
        try descriptor.set(SOL_SOCKET, SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }

    /// Gives the connection away, for programs that have more to do than wait for it.
    public consuming func release() -> FileDescriptor {
        descriptor
    }
}

/// Makes a system call that waits, where having waited in vain is a failure.
private func wait<Value: SignedInteger>(
    _ name: StaticString,
    _ body: () -> Value
) throws(SystemError) -> Value {
    guard let value = try call(name, body) else {
        throw SystemError(code: EAGAIN, call: "\(name)")
    }
    return value
}
