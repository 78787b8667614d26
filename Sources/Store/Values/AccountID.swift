/// An account, to which everything in the store belongs.
public struct AccountID: Hashable, Sendable {
    public let rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The account that every store has.
    public static let `default` = AccountID(rawValue: 1)
}
