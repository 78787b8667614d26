public import Goals

/// What the store knows of a token that a client shows.
public struct TokenFacts: Hashable, Sendable {
    /// The hash of its secret.
    public let secretHash: String

    /// What it lets its owner do.
    public let grant: TokenGrant

    public init(secretHash: String, grant: TokenGrant) {
        self.secretHash = secretHash
        self.grant = grant
    }
}

/// What a token lets its owner do.
public struct TokenGrant: Hashable, Sendable {
    public let account: AccountID
    public let isReadOnly: Bool
    public let expiresAt: Moment?

    /// Whether the token was revoked, or its account disabled.
    public let isWithdrawn: Bool

    public init(account: AccountID, isReadOnly: Bool, expiresAt: Moment?, isWithdrawn: Bool) {
        self.account = account
        self.isReadOnly = isReadOnly
        self.expiresAt = expiresAt
        self.isWithdrawn = isWithdrawn
    }

    /// Whether it lets anybody in at a moment.
    public func isGood(at moment: Moment) -> Bool {
        !isWithdrawn && (expiresAt.map { moment < $0 } ?? true)
    }
}

/// Who is let in without a token.
public struct OpenAccess: Hashable, Sendable {
    /// Whether there is, or ever was, a token; from then on nobody is let in without one.
    public let requiresTokens: Bool

    /// Whether the default account is disabled, which is the one that is served without tokens.
    public let isDefaultDisabled: Bool

    public init(requiresTokens: Bool, isDefaultDisabled: Bool) {
        self.requiresTokens = requiresTokens
        self.isDefaultDisabled = isDefaultDisabled
    }
}
