public import Goals

/// A name that the owner of the server gives: one line of 1 to 200 characters, as a title is.
public struct Label: Hashable, Sendable {
    public let text: String

    /// Normalizes and checks a name.
    ///
    /// - Returns: `nil` if it is none; see `Title`.
    public init?(_ raw: String) {
        guard let title = Title(raw) else { return nil }
        text = title.text
    }

    /// Takes back a name that was checked when it was made.
    init(checked text: String) {
        self.text = text
    }
}

/// Somebody's goals, apart from everybody else's.
public struct Account: Hashable, Sendable {
    public let id: AccountID
    public let name: Label
    public let createdAt: Moment
    public let isDisabled: Bool

    /// How many goals and transactions it has.
    public let goals: Int
    public let transactions: Int
}

/// What is kept of a token but for its hash.
public struct TokenEntry: Hashable, Sendable {
    public let id: TokenID

    /// The name of the account that it lets its owner into.
    public let account: Label

    /// What the owner of the server calls it; `nil` if they don't.
    public let name: Label?

    public let isReadOnly: Bool
    public let createdAt: Moment
    public let expiresAt: Moment?
    public let revokedAt: Moment?
}

/// A token that is to be kept.
public struct NewToken: Hashable, Sendable {
    public let id: TokenID

    /// The hash of its secret; the secret itself is nobody's business but its owner's.
    public let secretHash: String

    public let name: Label?
    public let isReadOnly: Bool

    /// How many days it is good for; `nil` is for ever.
    public let days: Int?

    public init(id: TokenID, secretHash: String, name: Label?, isReadOnly: Bool, days: Int?) {
        self.id = id
        self.secretHash = secretHash
        self.name = name
        self.isReadOnly = isReadOnly
        self.days = days
    }
}

/// Why nothing was changed about an account or a token, in a sentence for the owner of the server.
public struct AccountError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    private init(_ description: String) {
        self.description = description
    }

    static func absent(_ name: Label) -> AccountError {
        AccountError(
            "There is no account \"\(name.text)\". goalpost account list shows those there are."
        )
    }

    static func taken(_ name: Label) -> AccountError {
        AccountError("There is an account \"\(name.text)\" already. Give another name.")
    }

    static func noToken(_ id: TokenID) -> AccountError {
        AccountError(
            "There is no token \(id). goalpost token list shows those there are."
        )
    }

    static func beingDeleted(_ name: Label) -> AccountError {
        AccountError(
            "Account \"\(name.text)\" is being deleted, and can't be used again: goalpost account "
                + "delete goes on where it was cut short."
        )
    }

    static let defaultIsForEver = AccountError(
        "The default account can't be deleted, since it is the one that is served without tokens. "
            + "It can be renamed and disabled, and its goals deleted."
    )
}
