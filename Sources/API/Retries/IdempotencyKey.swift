import HTTP

/// The name that a client gives to one thing it wants done, however often it has to ask for it.
struct IdempotencyKey: Hashable, Sendable {
    /// 1 to 255 visible characters of ASCII, without quotes around them.
    let text: String

    /// Reads the value of an `Idempotency-Key` field, which may be in quotes.
    ///
    /// - Returns: `nil` if it is no key.
    init?(_ fieldValue: String) {
        var bytes = Array(fieldValue.utf8)[...]
        if bytes.first == UInt8(ascii: "\"") {
            guard bytes.count > 1, bytes.last == UInt8(ascii: "\"") else { return nil }
            bytes = bytes.dropFirst().dropLast()
        }
        guard
            (1...255).contains(bytes.count),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
        else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }
}

extension Call {
    /// The key of a `POST`, if it has one.
    ///
    /// The other methods need none: to ask again for what is so already changes nothing.
    ///
    /// - Throws: ``Problem`` if the field holds no key.
    var idempotencyKey: IdempotencyKey? {
        get throws(Problem) {
            guard
                request.method == .post,
                let value = request.headers[.idempotencyKey]
            else { return nil }
            guard let key = IdempotencyKey(value) else {
                throw Problem(
                    .malformedHeader,
                    "Idempotency-Key must be 1 to 255 visible characters of ASCII, without quotes or "
                        + "in double quotes."
                )
            }
            return key
        }
    }

    /// Tells what a call asks for from what others do that might come with the same key.
    var fingerprint: Int64 {
        var checksum = Checksum()
        checksum.add(request.method.rawValue.utf8)
        checksum.add(request.path.utf8)
        checksum.add((request.contentType ?? "").utf8)
        checksum.add(request.body)
        return Int64(bitPattern: checksum.value)
    }
}
