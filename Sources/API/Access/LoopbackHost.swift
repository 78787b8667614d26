/// The names that this machine alone has for itself.
public enum LoopbackHost {
    /// Whether a host is one that only this machine reaches: `localhost`, 127.x.y.z or ::1.
    ///
    /// A name is not looked up: what it stands for may be another address a moment later.
    public static func contains(_ host: String) -> Bool {
        contains(Array(host.utf8)[...])
    }

    /// Whether the value of a `Host` field names such a host, whatever the port.
    static func isNamed(by field: ArraySlice<UInt8>) -> Bool {
        if field.first == UInt8(ascii: "[") {
            return contains(field.dropFirst().prefix { $0 != UInt8(ascii: "]") })
        }
        return contains(field.prefix { $0 != UInt8(ascii: ":") })
    }

    // On bytes, since every request to an open server is asked.

    private static func contains(_ host: ArraySlice<UInt8>) -> Bool {
        switch host.count {
        case 3 where host.elementsEqual("::1".utf8): true
        case 9: host.lazy.map(\.lowercased).elementsEqual("localhost".utf8) || isAddress(host)
        default: isAddress(host)
        }
    }

    /// Whether a host is 127.x.y.z.
    private static func isAddress(_ host: ArraySlice<UInt8>) -> Bool {
        var (dots, digits, number) = (0, 0, 0)
        for byte in host {
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
