internal import Goals
internal import SQLite

extension GoalStore {
    /// What accounts and tokens are known as of; see ``AccessVersion``.
    public var accessVersion: AccessVersion {
        AccessVersion(changes.value)
    }

    /// What is known of a token; `nil` if there is none of the id.
    public func token(_ id: TokenID) throws -> TokenFacts? {
        try read { database in try database.tokenFacts(id) }
    }

    /// Who is let in without a token.
    public func openAccess() throws -> OpenAccess {
        try read { database in try database.openAccess() }
    }

    /// Changes accounts and tokens; what is changed holds when this returns.
    ///
    /// - Throws: ``AccountError`` if it can't be, or ``StoreError``.
    @discardableResult
    public func changeAccess<Value: Sendable>(
        _ change: @escaping @Sendable (AccountChanges) throws -> Value
    ) async throws -> Value {
        let announced = changes.beginChange()
        defer { changes.endChange(announced) }
        return try await write { transaction in
            try transaction.willWrite()
            return try change(
                AccountChanges(on: transaction.database, at: transaction.moment)
            )
        }
    }
}
