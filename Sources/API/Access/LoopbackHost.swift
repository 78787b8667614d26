/// The names that this machine alone has for itself.
public enum LoopbackHost {
    /// Whether a host is one that only this machine reaches: `localhost`, 127.x.y.z or ::1.
    ///
    /// A name is not looked up: what it stands for may be another address a moment later.
    public static func contains(_ host: String) -> Bool {
        contains(Array(host.utf8).span)
    }

    /// Whether the value of a `Host` field names such a host, whatever the port.
    static func isNamed(by field: Span<UInt8>) -> Bool {
        guard field.count > 0, field[0] == UInt8(ascii: "[") else {
            return contains(field.extracting(first: place(of: UInt8(ascii: ":"), in: field)))
        }
        return contains(field.extracting(1..<place(of: UInt8(ascii: "]"), in: field)))
    }

    // On bytes, since every request to an open server is asked.

    private static func contains(_ host: Span<UInt8>) -> Bool {
        switch host.count {
        case 3:
            host[0] == UInt8(ascii: ":") && host[1] == UInt8(ascii: ":")
                && host[2] == UInt8(ascii: "1")
        case 9: isLocalhost(host) || isAddress(host)
        default: isAddress(host)
        }
    }

    private static func isLocalhost(_ host: Span<UInt8>) -> Bool {
        let name = "localhost".utf8.span
        for index in host.indices where host[index].lowercased != name[index] { return false }
        return true
    }

    /// Whether a host is 127.x.y.z.
    private static func isAddress(_ host: Span<UInt8>) -> Bool {
        var (dots, digits, number) = (0, 0, 0)
        for index in host.indices {
            let byte = host[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
                guard digits <= 3, number <= 255 else { return false }
            case UInt8(ascii: "."):
                guard dots == 0 ? number == 127 : digits > 0 else { return false }
                dots += 1
                (digits, number) = (0, 0)
            default:
                return false
            }
        }
        return dots == 3 && digits > 0
    }
}

extension UInt8 {
    /// The byte with an ASCII capital made small.
    fileprivate var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

/// Where a byte stands first; behind the end if it does not.
private func place(of byte: UInt8, in bytes: Span<UInt8>) -> Int {
    for index in bytes.indices where bytes[index] == byte { return index }
    return bytes.count
}
