import Goals
import Store

/// A place in the order of an account's changes, in a form for clients, who need not understand it.
///
/// Its bytes: a version, the place, and a checksum which binds it to the account, in Base64URL.
struct ChangeToken {
    private static let version: UInt8 = 1

    let position: ChangePosition

    init(_ position: ChangePosition) {
        self.position = position
    }

    /// Reads a token.
    ///
    /// - Returns: `nil` if it was not made by ``text(for:)`` for the same account.
    init?(_ text: String, for account: AccountID) {
        guard let bytes = Base64URL.decode(text), bytes.count == 33, bytes[0] == Self.version else {
            return nil
        }
        position = ChangePosition(
            history: Int64(bitPattern: UInt64(bigEndianBytes: bytes[1..<9])),
            number: Int64(bitPattern: UInt64(bigEndianBytes: bytes[9..<17])),
            start: Int64(bitPattern: UInt64(bigEndianBytes: bytes[17..<25]))
        )
        guard UInt64(bigEndianBytes: bytes[25...]) == checksum(for: account) else { return nil }
    }

    /// The token as text that only the same account's requests take.
    func text(for account: AccountID) -> String {
        Base64URL.encode([Self.version] + placeBytes + checksum(for: account).bigEndianBytes)
    }

    private var placeBytes: [UInt8] {
        [position.history, position.number, position.start].flatMap {
            UInt64(bitPattern: $0).bigEndianBytes
        }
    }

    private func checksum(for account: AccountID) -> UInt64 {
        var checksum = Checksum()
        checksum.add(UInt64(bitPattern: account.rawValue).bigEndianBytes)
        checksum.add([Self.version])
        checksum.add(placeBytes)
        return checksum.value
    }
}

extension Call {
    /// The place that a token names, if there is one.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - name: The parameter or header field that it came in.
    /// - Returns: The place; `nil` if there is no token.
    /// - Throws: ``Problem`` if it is none of this account's.
    func changePosition(of token: String?, in name: String) throws(Problem) -> ChangePosition? {
        guard let token else { return nil }
        guard let token = ChangeToken(token, for: account) else {
            throw Problem(
                .malformedCursor,
                "\(name) is no place in the order of this account's changes.",
                mistakes: [
                    Mistake(
                        pointer: name,
                        detail: "must be a \"next\" of /changes or an id of /events"
                    )
                ]
            )
        }
        return token.position
    }
}
