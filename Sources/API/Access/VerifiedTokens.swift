import Store
import Synchronization

/// The tokens that have shown themselves to be right, so that their hashes are not calculated again.
///
/// A token's secret never changes, so that what is remembered of it stays right for ever. What the
/// token lets its owner do may change at any time, and is remembered with the version that it was read
/// in: of another version, it is read again, which takes no hash.
///
/// Only tokens that are right get in, so that nobody fills the memory who has none.
final class VerifiedTokens: Sendable {
    private let shards: [Shard]

    private final class Shard: Sendable {
        let tokens = Mutex<[TokenID: VerifiedToken]>([:])
    }

    private let shardCapacity: Int

    init(capacity: Int, shardCount: Int = 16) {
        precondition(shardCount > 0, "There must be a shard to keep anything in")
        shardCapacity = max(1, capacity / shardCount)
        shards = (0..<shardCount).map { _ in Shard() }
    }

    /// Looks at what is remembered of a token, and may change it.
    ///
    /// - Returns: What the closure does, or `nil` if the token is not remembered, or was another.
    func withToken<Value>(
        _ token: AccessToken,
        _ body: (inout VerifiedToken) -> Value
    ) -> Value? where Value: Sendable {
        shards[index(token.id)].tokens.withLock { tokens -> Value? in
            guard let place = tokens.index(forKey: token.id),
                tokens.values[place].secret == token.secret
            else { return nil }
            return body(&tokens.values[place])
        }
    }

    /// What a token is known to let its owner do, by its id alone.
    func grant(of id: TokenID, in version: AccessVersion) -> TokenGrant? {
        shards[index(id)].tokens.withLock { tokens in
            tokens[id].flatMap { $0.grant(in: version) }
        }
    }

    /// Remembers a token that was verified.
    func remember(_ token: VerifiedToken, as id: TokenID) {
        shards[index(id)].tokens.withLock { tokens in
            if tokens.count >= shardCapacity, tokens[id] == nil {
                // Any half will do: those who come again are verified again.
                var isKept = false
                tokens = tokens.filter { _ in
                    isKept.toggle()
                    return isKept && shardCapacity > 1
                }
            }
            tokens[id] = token
        }
    }

    /// How many tokens are remembered.
    var count: Int {
        shards.reduce(0) { $0 + $1.tokens.withLock(\.count) }
    }

    private func index(_ id: TokenID) -> Int {
        Int(id.rawValue % UInt64(shards.count))
    }
}

/// What is remembered of a token.
struct VerifiedToken: Sendable {
    let secret: Secret

    /// How many requests its owner has left.
    var budget = RequestBudget()

    private var grant: TokenGrant
    private var version: AccessVersion

    init(secret: Secret, grant: TokenGrant, readIn version: AccessVersion) {
        self.secret = secret
        self.grant = grant
        self.version = version
    }

    /// What it lets its owner do, if that is known in a version.
    func grant(in version: AccessVersion) -> TokenGrant? {
        version.lasts && version == self.version ? grant : nil
    }

    /// Takes down what was read anew.
    mutating func update(_ grant: TokenGrant, readIn version: AccessVersion) {
        self.grant = grant
        self.version = version
    }
}
