import CLinux
import Glibc

/// The addresses that a host's name stands for.
struct AddressList: ~Copyable {
    private let head: UnsafeMutablePointer<addrinfo>

    /// Looks up a host.
    ///
    /// - Throws: ``SystemError`` (`EADDRNOTAVAIL`) if the name stands for no address.
    init(host: String, port: UInt16, flags: CInt) throws(SystemError) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = flags
        var head: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &head)
        guard status == 0, let head else {
            let code = status == EAI_SYSTEM ? errno : EADDRNOTAVAIL
            throw SystemError(code: code, call: "getaddrinfo")
        }
        self.head = head
    }

    deinit {
        freeaddrinfo(head)
    }

    /// Opens a descriptor at the first address at which that is possible.
    ///
    /// - Throws: What went wrong at the last address, if it is possible at none.
    func first(
        _ open: (addrinfo) throws(SystemError) -> FileDescriptor
    ) throws(SystemError) -> FileDescriptor {
        var failure = SystemError(code: EADDRNOTAVAIL, call: "getaddrinfo")
        var next: UnsafeMutablePointer<addrinfo>? = head
        while let address = next?.pointee {
            do throws(SystemError) {
                return try open(address)
            } catch {
                failure = error
                next = address.ai_next
            }
        }
        throw failure
    }
}

extension FileDescriptor {
    /// Sets an option of a socket.
    func set<Value: BitwiseCopyable>(
        _ level: CInt,
        _ option: CInt,
        to value: Value
    ) throws(SystemError) {
        var value = value
        _ = try call("setsockopt") {
            setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Value>.size))
        }
    }
}
