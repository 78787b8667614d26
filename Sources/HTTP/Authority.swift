/// The check of a host with an optional port, as `Host` and absolute targets have it.
enum Authority {
    /// Whether the bytes are a host that is not empty, and then perhaps a port.
    ///
    /// There is no user information (RFC 9110 §4.2.4), and a list of hosts is no host.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0 else { return false }
        guard bytes[0] == UInt8(ascii: "[") else {
            let end = hostEnd(bytes)
            return end > 0 && isPort(bytes.extracting(droppingFirst: end))
        }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "]") {
            return isAddress(bytes.extracting(1..<index))
                && isPort(bytes.extracting(droppingFirst: index + 1))
        }
        return false
    }
}

/// Where a registered name or an IPv4 address ends; a broken percent-escape ends it, too.
private func hostEnd(_ bytes: Span<UInt8>) -> Int {
    var index = 0
    while index < bytes.count {
        if bytes[index].isHostByte {
            index += 1
        } else if isEscape(bytes, at: index) {
            index += 3
        } else {
            break
        }
    }
    return index
}

/// Whether a percent-escape begins at an index.
func isEscape(_ bytes: Span<UInt8>, at index: Int) -> Bool {
    bytes.count - index >= 3 && bytes[index] == UInt8(ascii: "%")
        && bytes[index + 1].hexadecimalValue != nil && bytes[index + 2].hexadecimalValue != nil
}

/// Whether the bytes are nothing, or a colon and a port, which the grammar lets be empty.
private func isPort(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0 else { return true }
    guard bytes[0] == UInt8(ascii: ":"), bytes.count <= 6 else { return false }
    var port = 0
    for index in 1..<bytes.count {
        guard bytes[index].isDigit else { return false }
        port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
    }
    return port <= 65_535
}

/// Whether the bytes are an IPv6 address (RFC 3986 §3.2.2), without a zone.
///
/// Eight groups of up to four hexadecimal digits, of which `::` stands for one or more; the last
/// two may be written as an IPv4 address.
private func isAddress(_ bytes: Span<UInt8>) -> Bool {
    var groups = 0
    var hasGap = false
    var index = 0
    if bytes.count >= 2, bytes[0] == UInt8(ascii: ":"), bytes[1] == UInt8(ascii: ":") {
        hasGap = true
        index = 2
    }
    while index < bytes.count {
        let start = index
        while index < bytes.count, bytes[index].hexadecimalValue != nil {
            index += 1
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            groups += 2
            guard isIPv4(bytes.extracting(start..<bytes.count)) else { return false }
            break
        }
        guard (1...4).contains(index - start) else { return false }
        groups += 1
        guard index < bytes.count else { break }
        guard bytes[index] == UInt8(ascii: ":"), index + 1 < bytes.count else { return false }
        index += 1
        if bytes[index] == UInt8(ascii: ":") {
            guard !hasGap else { return false }
            hasGap = true
            index += 1
        }
    }
    return hasGap ? groups <= 7 : groups == 8
}

/// Whether the bytes are four numbers of up to 255 with dots between them.
private func isIPv4(_ bytes: Span<UInt8>) -> Bool {
    var numbers = 0
    var index = 0
    while true {
        let start = index
        var number = 0
        while index < bytes.count, index - start < 3, bytes[index].isDigit {
            number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        guard index > start, number <= 255 else { return false }
        numbers += 1
        guard index < bytes.count else { return numbers == 4 }
        guard bytes[index] == UInt8(ascii: ".") else { return false }
        index += 1
    }
}
