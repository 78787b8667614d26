import Goals
import Store

/// A position in a list, in a form for clients, who shall see nothing in it.
///
/// A cursor is bound to its list: what was listed for whom, in which order and by which conditions.
/// Used with others it would leave rows out, so it is refused. So is one that was changed.
///
/// Its bytes: a version, the kind of the sort key, the id, the checksum, and the sort key to the
/// end, in Base64URL.
struct Cursor {
    private static let version: UInt8 = 1

    /// The bytes before the sort key.
    private static let headerBytes = 2 + 16 + 8

    let position: Position

    init(_ position: Position) {
        self.position = position
    }

    /// Reads a cursor.
    ///
    /// - Returns: `nil` if it was not made by ``text(for:)`` for the same list.
    init?(_ text: String, for list: ListIdentity) {
        guard
            let bytes = Base64URL.decode(text),
            bytes.count >= Self.headerBytes,
            bytes[0] == Self.version,
            let key = Position.SortKey(kind: bytes[1], bytes[Self.headerBytes...])
        else { return nil }
        position = Position(
            key: key,
            high: UInt64(bigEndianBytes: bytes[2..<10]),
            low: UInt64(bigEndianBytes: bytes[10..<18])
        )
        guard UInt64(bigEndianBytes: bytes[18..<26]) == checksum(for: list) else { return nil }
    }

    /// Reads the cursor that a client gave.
    ///
    /// - Throws: ``Problem`` if it was not made for the same list.
    init(given text: String, for list: ListIdentity) throws(Problem) {
        guard let cursor = Cursor(text, for: list) else {
            throw Problem(
                .malformedCursor,
                "The cursor does not belong to this list with this sort and these filters.",
                mistakes: [
                    Mistake(
                        pointer: "cursor",
                        detail: "must be a nextCursor of this list, with the same other parameters"
                    )
                ]
            )
        }
        self = cursor
    }

    /// The cursor as text that only the same list takes.
    func text(for list: ListIdentity) -> String {
        var bytes = [Self.version, position.key.kind]
        bytes += position.high.bigEndianBytes
        bytes += position.low.bigEndianBytes
        bytes += checksum(for: list).bigEndianBytes
        bytes += position.key.bytes
        return Base64URL.encode(bytes)
    }

    private func checksum(for list: ListIdentity) -> UInt64 {
        var checksum = list.checksum
        checksum.add([Self.version, position.key.kind])
        checksum.add(position.high.bigEndianBytes)
        checksum.add(position.low.bigEndianBytes)
        checksum.add(position.key.bytes)
        return checksum.value
    }
}

/// What a cursor is bound to: the list, whose it is, its order and its conditions, but not the page's
/// length.
struct ListIdentity {
    fileprivate private(set) var checksum = Checksum()

    /// - Parameters:
    ///   - account: Whose list it is.
    ///   - parts: Everything else on which it depends which rows come, and in which order. A part
    ///     that is `nil` differs from one that is empty.
    init(of account: AccountID, _ parts: String?...) {
        // Cursors from before there were accounts stay good: they are the default one's.
        if account != .default {
            checksum.add(UInt64(bitPattern: account.rawValue).bigEndianBytes)
        }
        for part in parts {
            checksum.add(part == nil ? [0] : [1])
            checksum.add((part ?? "").utf8)
        }
    }
}

extension Position.SortKey {
    fileprivate init?(kind: UInt8, _ bytes: ArraySlice<UInt8>) {
        switch kind {
        case 0 where bytes.count == 8:
            self = .integer(Int64(bitPattern: UInt64(bigEndianBytes: bytes)))
        case 1:
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            self = .text(text)
        default:
            return nil
        }
    }

    fileprivate var kind: UInt8 {
        switch self {
        case .integer: 0
        case .text: 1
        }
    }

    fileprivate var bytes: [UInt8] {
        switch self {
        case .integer(let number): UInt64(bitPattern: number).bigEndianBytes
        case .text(let text): Array(text.utf8)
        }
    }
}
