/// The names that this machine alone has for itself.
public enum LoopbackHost {
    /// Whether a host is one that only this machine reaches: `localhost`, 127.x.y.z or ::1.
    ///
    /// A name is not looked up: what it stands for may be another address a moment later.
    public static func contains(_ host: some StringProtocol) -> Bool {
        if host == "::1" || host.lowercased() == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count)
                    && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && (Int(part) ?? 256) <= 255
            }
    }

    /// Whether the value of a `Host` field names such a host, whatever the port.
    static func isNamed(by field: String) -> Bool {
        if field.hasPrefix("[") {
            return contains(field.dropFirst().prefix { $0 != "]" })
        }
        return contains(field.prefix { $0 != ":" })
    }
}
