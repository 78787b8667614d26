import CLinux
import Glibc

/// A socket that accepts TCP connections.
public struct ListeningSocket: ~Copyable, Sendable {
    let descriptor: FileDescriptor

    /// The port it listens on.
    public let port: UInt16

    /// Listens at an address.
    ///
    /// - Parameters:
    ///   - host: An IPv4 or IPv6 address, or a name that stands for one; the first address that
    ///     can be listened on is taken.
    ///   - port: The port; 0 takes a free one.
    ///   - backlog: How many connections the kernel keeps for us until they are accepted.
    /// - Throws: ``SystemError`` if another server listens there (`EADDRINUSE`), the host has no
    ///   address, or it is not one of this machine's.
    public init(host: String, port: UInt16, backlog: CInt = 1024) throws(SystemError) {
        let addresses = try AddressList(
            host: host,
            port: port,
            flags: AI_PASSIVE | AI_NUMERICSERV
        )
        let descriptor = try addresses.first { (address) throws(SystemError) in
            try Self.listen(at: address, backlog: backlog)
        }
        self.port = try boundPort(of: descriptor)
        self.descriptor = descriptor
    }

    private static func listen(
        at address: addrinfo,
        backlog: CInt
    ) throws(SystemError) -> FileDescriptor {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = FileDescriptor(
            owning: try call("socket") { socket(address.ai_family, kind, 0) } ?? -1
        )
        // A restarted server may listen while connections of the one before it fade away. A
        // second server beside a running one may not: that would take SO_REUSEPORT.
        try descriptor.set(SOL_SOCKET, SO_REUSEADDR, to: CInt(1))
        if address.ai_family == AF_INET6 {
            try descriptor.set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, to: CInt(0))
        }
        _ = try call("bind") { bind(descriptor.number, address.ai_addr, address.ai_addrlen) }
        _ = try call("listen") { Glibc.listen(descriptor.number, backlog) }
        return descriptor
    }

    /// Accepts the next connection that waits.
    ///
    /// - Parameter peer: Becomes the address of the other end, if it has one of IP.
    /// - Returns: `nil` if none waits.
    /// - Throws: ``SystemError``, of which those that ``SystemError/isPassing`` concern a single
    ///   connection that went away, and those that ``SystemError/isShortage`` will go on until
    ///   descriptors or memory are free again.
    public func accept(from peer: inout IPAddress?) throws(SystemError) -> FileDescriptor? {
        let flags = CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let socket = descriptor.number
        let number = try withUnsafeMutablePointer(to: &storage) { (storage) throws(SystemError) in
            let address = UnsafeMutableRawPointer(storage).assumingMemoryBound(to: sockaddr.self)
            return try call("accept4") { accept4(socket, address, &length, flags) }
        }
        guard let number else { return nil }
        peer = IPAddress(&storage)
        let connection = FileDescriptor(owning: number)
        // Answers leave in one write each; waiting for more to send along would only delay them.
        try connection.set(CInt(IPPROTO_TCP), TCP_NODELAY, to: CInt(1))
        return connection
    }

    /// Accepts the next connection that waits, wherever it comes from.
    public func accept() throws(SystemError) -> FileDescriptor? {
        var peer: IPAddress?
        return try accept(from: &peer)
    }
}

extension SystemError {
    /// Whether only the connection that was being accepted is concerned.
    public var isPassing: Bool {
        switch code {
        case ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
            EOPNOTSUPP, ENETUNREACH, EPERM, ECONNRESET, EINVAL:
            true
        default:
            false
        }
    }

    /// Whether the machine or the process has run out of descriptors or memory for sockets.
    public var isShortage: Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    }
}

private func boundPort(of descriptor: borrowing FileDescriptor) throws(SystemError) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let number = descriptor.number
    return try withUnsafeMutablePointer(to: &storage) { (storage) throws(SystemError) in
        let address = UnsafeMutableRawPointer(storage)
        _ = try call("getsockname") {
            getsockname(number, address.assumingMemoryBound(to: sockaddr.self), &length)
        }
        let port =
            storage.pointee.ss_family == sa_family_t(AF_INET6)
            ? address.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_port
            : address.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port
        return UInt16(bigEndian: port)
    }
}
