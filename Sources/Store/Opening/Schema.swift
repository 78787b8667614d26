internal import SQLite

/// The tables, and the steps that lead to them from those of earlier versions.
enum Schema {
    /// Tells our files from those of others: "GOAL" in ASCII.
    static let applicationID: Int32 = 0x474F_414C

    /// The version that this program reads and writes.
    static var version: Int { migrations.count }

    /// What leads from each version to the next; the first makes version 1 of an empty database.
    ///
    /// Only ever appended to: a step that was released is in people's files. Each sets the version
    /// itself, so that it is in the same transaction as what it stands for.
    private static let migrations: [StaticString] = [
        version1, version2,
    ]

    /// Brings a database to a version, which is this program's unless a test wants an earlier one.
    ///
    /// All steps are one transaction: whenever the process ends, the file is of the one version or
    /// the other.
    static func migrate(_ database: Database, to version: Int = Schema.version) throws {
        let present = try self.version(of: database)
        guard present < version else { return }
        try database.transaction {
            for step in migrations[present..<version] {
                try database.runScript(step)
            }
        }
    }

    /// The version of a database; 0 if there is nothing in it yet.
    static func version(of database: Database) throws -> Int {
        try database.row("PRAGMA user_version") { row in try row[0] } ?? 0
    }

    /// The identifier of the application that a database belongs to.
    static func applicationID(of database: Database) throws -> Int {
        try database.row("PRAGMA application_id") { row in try row[0] } ?? 0
    }
}

extension Schema {
    /// Accounts, goals, transactions, and what was deleted.
    ///
    /// Everything belongs to an account, and every key begins with it. The goal carries what is
    /// derived from its transactions (`saved_amount`, `transaction_count`), changed with them. The
    /// `_search` columns hold the folded text, `creation` the fingerprint of the first content, so
    /// that a repeated creation is known even after edits.
    ///
    /// Goals without a planned day come last in both directions, which takes an index for each, and
    /// columns for them: SQLite compares pairs along an index of columns, but not of expressions.
    private static let version1: StaticString = """
        PRAGMA application_id = 1196376396;

        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT;

        INSERT INTO accounts (id, name) VALUES (1, 'default');

        CREATE TABLE goals (
            account INTEGER NOT NULL REFERENCES accounts (id),
            id BLOB NOT NULL CHECK (length(id) = 16),
            revision INTEGER NOT NULL CHECK (revision > 0),
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            saved_amount INTEGER NOT NULL,
            transaction_count INTEGER NOT NULL CHECK (transaction_count >= 0),
            status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'completed', 'archived')),
            completed_at INTEGER,
            currency TEXT NOT NULL,
            target_amount INTEGER CHECK (target_amount > 0),
            starting_amount INTEGER NOT NULL CHECK (starting_amount >= 0),
            planned_day INTEGER,
            planned_day_or_last INTEGER AS (ifnull(planned_day, 2147483647)) VIRTUAL,
            planned_day_or_first INTEGER AS (ifnull(planned_day, -2147483648)) VIRTUAL,
            creation INTEGER NOT NULL,
            title TEXT NOT NULL,
            title_search TEXT NOT NULL,
            note TEXT NOT NULL,
            note_search TEXT NOT NULL,
            PRIMARY KEY (account, id)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX goals_by_update ON goals (account, updated_at, id);
        CREATE INDEX goals_by_creation ON goals (account, created_at, id);
        CREATE INDEX goals_by_title ON goals (account, title_search, id);
        CREATE INDEX goals_by_planned_day ON goals (account, planned_day_or_last, id);
        CREATE INDEX goals_by_planned_day_descending ON goals (account, planned_day_or_first, id);

        CREATE TABLE transactions (
            account INTEGER NOT NULL,
            goal BLOB NOT NULL,
            id BLOB NOT NULL CHECK (length(id) = 16),
            revision INTEGER NOT NULL CHECK (revision > 0),
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            type TEXT NOT NULL CHECK (type IN ('income', 'expense')),
            amount INTEGER NOT NULL CHECK (amount > 0),
            day INTEGER NOT NULL,
            creation INTEGER NOT NULL,
            category TEXT,
            category_search TEXT,
            note TEXT NOT NULL,
            note_search TEXT NOT NULL,
            PRIMARY KEY (account, goal, id),
            FOREIGN KEY (account, goal) REFERENCES goals (account, id)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX transactions_by_day ON transactions (account, goal, day, id);
        CREATE INDEX transactions_by_amount ON transactions (account, goal, amount, id);
        CREATE INDEX transactions_by_creation ON transactions (account, goal, created_at, id);

        -- What was deleted, for ever: a goal if the entry is empty, else one of its transactions.
        -- The tombstone of a goal stands for everything that was below it.
        CREATE TABLE tombstones (
            account INTEGER NOT NULL REFERENCES accounts (id),
            goal BLOB NOT NULL CHECK (length(goal) = 16),
            entry BLOB NOT NULL CHECK (length(entry) IN (0, 16)),
            revision INTEGER NOT NULL,
            deleted_at INTEGER NOT NULL,
            PRIMARY KEY (account, goal, entry)
        ) STRICT, WITHOUT ROWID;

        PRAGMA user_version = 1;
        """

    /// Totals of the transactions by month, type and category, so that the statistics of a long history
    /// cost no more than its months do.
    ///
    /// A month is its year times twelve and the months before it in the year. No category is empty, so
    /// that the empty one stands for none. The sum is in two parts, the amounts' high and low 32 bits
    /// added up apart: a sum of whole amounts could leave 64 bits.
    ///
    /// And titles sort by the first 200 code points of their folded text, for a cursor holds the key
    /// and has to fit into a request: folding may make one code point many.
    private static let version2: StaticString = """
        CREATE TABLE monthly_totals (
            account INTEGER NOT NULL,
            goal BLOB NOT NULL,
            month INTEGER NOT NULL,
            type TEXT NOT NULL CHECK (type IN ('income', 'expense')),
            category TEXT NOT NULL,
            count INTEGER NOT NULL CHECK (count >= 0),
            sum_high INTEGER NOT NULL,
            sum_low INTEGER NOT NULL,
            largest INTEGER NOT NULL,
            PRIMARY KEY (account, goal, month, type, category),
            FOREIGN KEY (account, goal) REFERENCES goals (account, id)
        ) STRICT, WITHOUT ROWID;

        INSERT INTO monthly_totals (
            account, goal, month, type, category, count, sum_high, sum_low, largest
        )
        SELECT account, goal,
            strftime('%Y', day * 86400, 'unixepoch') * 12
                + strftime('%m', day * 86400, 'unixepoch') - 1 AS month,
            type, ifnull(category, '') AS label, count(*), sum(amount >> 32),
            sum(amount & 4294967295), max(amount)
        FROM transactions
        GROUP BY account, goal, month, type, label;

        ALTER TABLE goals
        ADD COLUMN title_key TEXT AS (substr(title_search, 1, 200)) VIRTUAL;

        DROP INDEX goals_by_title;
        CREATE INDEX goals_by_title ON goals (account, title_key, id);

        PRAGMA user_version = 2;
        """
}
