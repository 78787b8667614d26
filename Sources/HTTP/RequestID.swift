/// What a request is called in answers and logs: the client's own word, or one made here.
public struct RequestID: Hashable, Sendable {
    private let name: Name

    private enum Name: Hashable {
        case given([UInt8])
        case made(UInt64)
    }

    /// Takes a client's word, or returns `nil` unless it is 1 to 128 visible ASCII characters.
    public init?(given text: String) {
        self.init(given: Array(text.utf8).span)
    }

    init?(given bytes: Span<UInt8>) {
        guard (1...128).contains(bytes.count) else { return nil }
        var given: [UInt8] = []
        given.reserveCapacity(bytes.count)
        for index in bytes.indices {
            guard (0x21...0x7E).contains(bytes[index]) else { return nil }
            given.append(bytes[index])
        }
        name = .given(given)
    }

    /// Makes an id of 16 hexadecimal digits.
    public init(made number: UInt64) {
        name = .made(number)
    }

    /// Appends the id's characters; makes no `String`.
    public func write(to bytes: inout [UInt8]) {
        switch name {
        case .given(let given):
            bytes.append(contentsOf: given)
        case .made(let number):
            bytes.append(addingCapacity: 16) { span in
                var rest = number
                for _ in 0..<16 {
                    let digit = UInt8(truncatingIfNeeded: rest >> 60)
                    span.append(digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
                    rest <<= 4
                }
            }
        }
    }
}

extension RequestID: CustomStringConvertible {
    public var description: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
