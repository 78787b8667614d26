import CLinux
import Glibc

/// An open file descriptor with exactly one owner, closed when the owner lets go of it.
///
/// The compiler sees to what C programmers must remember: a descriptor is closed once, and is
/// not used afterwards, when its number may already belong to another connection.
public struct FileDescriptor: ~Copyable, Sendable {
    public let number: CInt

    /// Takes charge of an open descriptor.
    public init(owning number: CInt) {
        self.number = number
    }

    deinit {
        // An error leaves nothing to do: on Linux the number is free again either way.
        _ = close(number)
    }

    /// Gives the number away without closing it; whoever takes it has to.
    public consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }
}

extension FileDescriptor {
    /// What came of an attempt to read or write without waiting.
    public enum Outcome: Hashable, Sendable {
        case moved(Int)
        case wouldBlock
        case closed
    }

    /// Reads what has arrived, without waiting for more.
    ///
    /// - Returns: `.closed` once the peer has sent all it ever will.
    public func read(into buffer: inout [UInt8]) throws(SystemError) -> Outcome {
        var span = buffer.mutableSpan
        let count = try span.withUnsafeMutableBytes { (bytes) throws(SystemError) in
            try call("recv") { recv(number, bytes.baseAddress, bytes.count, 0) }
        }
        return switch count {
        case nil: .wouldBlock
        case 0?: .closed
        case let count?: .moved(count)
        }
    }

    /// Writes the bytes from an offset on, as many as the kernel takes without waiting.
    ///
    /// A peer that has gone is an error here, never a SIGPIPE.
    ///
    /// - Precondition: `offset` lies within the bytes.
    public func write(_ bytes: [UInt8], from offset: Int) throws(SystemError) -> Outcome {
        let rest = bytes.span.extracting(offset...)
        let count = try rest.withUnsafeBytes { (bytes) throws(SystemError) in
            try call("send") {
                send(number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
            }
        }
        return count.map(Outcome.moved) ?? .wouldBlock
    }

    /// Tells the peer that nothing more will be sent; what it sends can still be read.
    public func shutDownWriting() {
        // Fails only where the peer has gone, and then there is nobody to tell.
        _ = shutdown(number, CInt(SHUT_WR))
    }
}
