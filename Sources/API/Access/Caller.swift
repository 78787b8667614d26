import Store

/// Who makes a request.
struct Caller: Hashable, Sendable {
    let account: AccountID

    /// What let them in.
    let key: Key

    /// Somebody who was not asked, for what anybody may see.
    static let anybody = Caller(account: .default, key: .none)

    enum Key: Hashable, Sendable {
        /// Nothing: the server asks for no tokens.
        case none
        case fixedToken
        case token(TokenID)
    }
}
