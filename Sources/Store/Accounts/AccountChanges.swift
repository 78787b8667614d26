internal import Goals
internal import SQLite

/// What can be done about accounts and tokens, in a transaction of the database.
public struct AccountChanges {
    let database: Database

    /// When the change is made.
    let moment: Moment

    init(on database: Database, at moment: Moment) {
        self.database = database
        self.moment = moment
    }
}

// MARK: - Accounts

extension AccountChanges {
    /// Makes an account, with an id that none has had before.
    @discardableResult
    public func addAccount(_ name: Label) throws -> AccountID {
        guard try database.account(named: name) == nil else { throw AccountError.taken(name) }
        let id = try database.row(
            "UPDATE store SET last_account = last_account + 1 RETURNING last_account"
        ) { row in try row[0] as Int64 }
        guard let id else {
            throw DamagedRow(description: "The data file has no row that counts its accounts.")
        }
        // Another history than that of any account before: a client's place in that leads nowhere.
        try database.run(
            "INSERT INTO accounts (id, name, created_at, history) VALUES (?, ?, ?, random())",
            id,
            name.text,
            moment.millisecondsSinceEpoch
        )
        return AccountID(rawValue: id)
    }

    public func renameAccount(_ name: Label, to newName: Label) throws {
        let account = try account(name)
        guard try name == newName || database.account(named: newName) == nil else {
            throw AccountError.taken(newName)
        }
        try database.run(
            "UPDATE accounts SET name = ?2 WHERE id = ?1",
            account.rawValue,
            newName.text
        )
    }

    /// Lets nobody in to an account any more, or again; nothing of it is lost.
    public func setDisabled(_ isDisabled: Bool, _ name: Label) throws {
        let account = try account(name)
        try database.run(
            "UPDATE accounts SET is_disabled = ?2 WHERE id = ?1 AND is_being_deleted = 0",
            account.rawValue,
            isDisabled ? 1 : 0
        )
        // What is left of one whose deletion was cut short is no account any more.
        guard database.changedRows == 1 else { throw AccountError.beingDeleted(name) }
    }

    /// Lets nobody in to an account any more, for ever.
    func beginDeletion(of account: AccountID) throws {
        try database.run(
            "UPDATE accounts SET is_disabled = 1, is_being_deleted = 1 WHERE id = ?",
            account.rawValue
        )
    }

    /// The id of an account that there must be.
    func account(_ name: Label) throws -> AccountID {
        guard let id = try database.account(named: name) else { throw AccountError.absent(name) }
        return id
    }
}

// MARK: - Tokens

extension AccountChanges {
    /// Keeps a token; from the first one on, nobody is ever let in without.
    public func addToken(_ token: NewToken, for name: Label) throws {
        let milliseconds = token.days.map { Int64($0) * 86_400_000 }
        try database.run(
            """
            INSERT INTO tokens (
                id, account, name, secret_hash, is_read_only, created_at, expires_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            token.id.description,
            account(name).rawValue,
            token.name?.text ?? "",
            token.secretHash,
            token.isReadOnly ? 1 : 0,
            moment.millisecondsSinceEpoch,
            milliseconds.map { moment.millisecondsSinceEpoch + $0 }
        )
        try database.run("UPDATE store SET requires_tokens = 1")
    }

    /// Lets nobody in by a token any more.
    ///
    /// - Returns: Whether it was good for anything until now.
    @discardableResult
    public func revokeToken(_ id: TokenID) throws -> Bool {
        try database.run(
            "UPDATE tokens SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL",
            id.description,
            moment.millisecondsSinceEpoch
        )
        guard database.changedRows == 0 else { return true }
        guard try database.tokenFacts(id) != nil else { throw AccountError.noToken(id) }
        return false
    }
}

// MARK: - Statements

extension Database {
    fileprivate func account(named name: Label) throws -> AccountID? {
        try row("SELECT id FROM accounts WHERE name = ?", name.text) { row in
            AccountID(rawValue: try row[0])
        }
    }

    func accounts() throws -> [Account] {
        try rows(
            """
            SELECT id, name, created_at, is_disabled, goals, transactions
            FROM accounts
            ORDER BY id
            """
        ) { row in
            Account(
                id: AccountID(rawValue: try row[0]),
                name: Label(checked: try row[1]),
                createdAt: Moment(millisecondsSinceEpoch: try row[2]),
                isDisabled: try row[3] as Int != 0,
                goals: try row[4],
                transactions: try row[5]
            )
        }
    }

    /// The tokens of an account, or of all if there is no name.
    ///
    /// - Throws: ``AccountError`` if there is no account of the name.
    func tokens(of name: Label?) throws -> [TokenEntry] {
        if let name, try account(named: name) == nil { throw AccountError.absent(name) }
        return try rows(
            """
            SELECT tokens.id, accounts.name, tokens.name, is_read_only, tokens.created_at,
                expires_at, revoked_at
            FROM accounts JOIN tokens ON tokens.account = accounts.id
            WHERE ?1 IS NULL OR accounts.name = ?1
            ORDER BY accounts.id, tokens.created_at, tokens.id
            """,
            name?.text
        ) { row in
            guard let id = TokenID(Array((try row[0] as String).utf8)) else {
                throw DamagedRow(description: "A token in the data file has no id there can be.")
            }
            let name: String = try row[2]
            return TokenEntry(
                id: id,
                account: Label(checked: try row[1]),
                name: name.isEmpty ? nil : Label(checked: name),
                isReadOnly: try row[3] as Int != 0,
                createdAt: Moment(millisecondsSinceEpoch: try row[4]),
                expiresAt: (try row[5] as Int64?).map { Moment(millisecondsSinceEpoch: $0) },
                revokedAt: (try row[6] as Int64?).map { Moment(millisecondsSinceEpoch: $0) }
            )
        }
    }

    /// What is known of a token; `nil` if there is none of the id.
    func tokenFacts(_ id: TokenID) throws -> TokenFacts? {
        try row(
            """
            SELECT secret_hash, account, is_read_only, expires_at,
                revoked_at IS NOT NULL OR is_disabled
            FROM tokens JOIN accounts ON accounts.id = account
            WHERE tokens.id = ?
            """,
            id.description
        ) { row in
            TokenFacts(
                secretHash: try row[0],
                grant: TokenGrant(
                    account: AccountID(rawValue: try row[1]),
                    isReadOnly: try row[2] as Int != 0,
                    expiresAt: (try row[3] as Int64?).map { Moment(millisecondsSinceEpoch: $0) },
                    isWithdrawn: try row[4] as Int != 0
                )
            )
        }
    }

    /// Who is let in without a token.
    func openAccess() throws -> OpenAccess {
        let open = try row(
            """
            SELECT requires_tokens, (SELECT is_disabled FROM accounts WHERE id = ?)
            FROM store
            """,
            AccountID.default.rawValue
        ) { row in
            OpenAccess(
                requiresTokens: try row[0] as Int != 0,
                isDefaultDisabled: try row[1] as Int != 0
            )
        }
        guard let open else {
            throw DamagedRow(description: "The data file does not say whether it asks for tokens.")
        }
        return open
    }
}
