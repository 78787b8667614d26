import Glibc

// The few calls that the tests need, without what they have in C.

/// An address of this machine.
func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}

/// Connects to a port of this machine.
func connect(_ descriptor: CInt, to port: UInt16) -> Bool {
    var address = loopback(port: port)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

/// Reads what is there, after waiting for it; nothing at the end or if the connection is lost.
func receive(from descriptor: CInt) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(0, count)))
}

@discardableResult
func send(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var sent = 0
    while sent < bytes.count {
        let rest = Array(bytes[sent...])
        let count = Glibc.send(descriptor, rest, rest.count, CInt(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        sent += count
    }
    return true
}
