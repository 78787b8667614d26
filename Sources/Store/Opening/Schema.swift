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
    private static let migrations: [Step] = [
        .script(version1), .script(version2), .script(version3), .program(version4),
        .program(version5),
    ]

    private enum Step {
        case script(StaticString)

        /// What SQL alone cannot do.
        case program(@Sendable (Database) throws -> Void)
    }

    /// Brings a database to a version, which is this program's unless a test wants an earlier one.
    ///
    /// All steps are one transaction: whenever the process ends, the file is of the one version or
    /// the other.
    static func migrate(_ database: Database, to version: Int = Schema.version) throws {
        let present = try self.version(of: database)
        guard present < version else { return }
        try database.transaction {
            for step in migrations[present..<version] {
                switch step {
                case .script(let script): try database.runScript(script)
                case .program(let program): try program(database)
                }
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

    /// Accounts with tokens, the order of an account's changes, and the answers that retries get again.
    ///
    /// Each change takes the next number of its account (`accounts.sequence`), and the thing that was
    /// changed keeps the number of its last change, so that a client that knows a number finds what
    /// came after along three indexes. What was there before is numbered here, goals first.
    /// `forgotten` is the greatest number of a deletion that is no longer kept; `history` tells two
    /// orders of changes apart, such as those before and after a backup was put back.
    ///
    /// SQLite adds a column behind those that are there, of which the last are long. Transactions are
    /// written anew instead, which also needs no memory for numbers of them all. Their index by day has
    /// what a report sums up, so that it need not look into the table.
    private static let version3: StaticString = """
        CREATE TABLE store (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            last_account INTEGER NOT NULL,
            requires_tokens INTEGER NOT NULL CHECK (requires_tokens IN (0, 1))
        ) STRICT;

        INSERT INTO store (only, last_account, requires_tokens) VALUES (1, 1, 0);

        ALTER TABLE accounts ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE accounts
        ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0 CHECK (is_disabled IN (0, 1));
        ALTER TABLE accounts
        ADD COLUMN is_being_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_being_deleted IN (0, 1));
        ALTER TABLE accounts ADD COLUMN history INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE accounts ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE accounts ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE accounts ADD COLUMN goals INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE accounts ADD COLUMN transactions INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE accounts ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;

        ALTER TABLE goals ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;

        UPDATE goals SET sequence = numbered.number
        FROM (
            SELECT account, id, row_number() OVER (PARTITION BY account ORDER BY id) AS number
            FROM goals
        ) AS numbered
        WHERE goals.account = numbered.account AND goals.id = numbered.id;

        CREATE INDEX goals_by_change ON goals (account, sequence);

        UPDATE accounts SET goals = (SELECT count(*) FROM goals WHERE account = accounts.id);
        UPDATE accounts SET sequence = goals;

        CREATE TABLE numbered_transactions (
            account INTEGER NOT NULL,
            goal BLOB NOT NULL,
            id BLOB NOT NULL CHECK (length(id) = 16),
            sequence INTEGER NOT NULL CHECK (sequence > 0),
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

        INSERT INTO numbered_transactions
        SELECT account, goal, entry.id,
            accounts.sequence
                + row_number() OVER (PARTITION BY account ORDER BY account, goal, entry.id),
            revision, entry.created_at, updated_at, type, amount, day, creation, category,
            category_search, note, note_search
        FROM transactions AS entry JOIN accounts ON accounts.id = account;

        DROP TABLE transactions;
        ALTER TABLE numbered_transactions RENAME TO transactions;
        CREATE INDEX transactions_by_day ON transactions (account, goal, day, id, type, amount);
        CREATE INDEX transactions_by_amount ON transactions (account, goal, amount, id);
        CREATE INDEX transactions_by_creation ON transactions (account, goal, created_at, id);
        CREATE INDEX transactions_by_change ON transactions (account, sequence);

        UPDATE accounts
        SET transactions = (SELECT count(*) FROM transactions WHERE account = accounts.id);
        UPDATE accounts SET sequence = sequence + transactions;

        ALTER TABLE tombstones ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;

        UPDATE tombstones SET sequence = numbered.number
        FROM (
            SELECT account, goal, entry,
                accounts.sequence
                    + row_number() OVER (PARTITION BY account ORDER BY deleted_at, goal, entry)
                    AS number
            FROM tombstones JOIN accounts ON accounts.id = account
        ) AS numbered
        WHERE tombstones.account = numbered.account AND tombstones.goal = numbered.goal
            AND tombstones.entry = numbered.entry;

        CREATE INDEX tombstones_by_change ON tombstones (account, sequence);
        CREATE INDEX tombstones_by_age ON tombstones (deleted_at);

        UPDATE accounts
        SET history = random(), created_at = unixepoch() * 1000,
            sequence = sequence
                + (SELECT count(*) FROM tombstones WHERE account = accounts.id);

        -- What a token is known by, never its secret.
        CREATE TABLE tokens (
            id TEXT PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES accounts (id),
            name TEXT NOT NULL,
            secret_hash TEXT NOT NULL,
            is_read_only INTEGER NOT NULL CHECK (is_read_only IN (0, 1)),
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX tokens_by_account ON tokens (account, created_at, id);

        -- The answer to a command that came with a key, for when it comes again. The account counts the
        -- bytes of the bodies.
        CREATE TABLE kept_answers (
            account INTEGER NOT NULL REFERENCES accounts (id),
            key TEXT NOT NULL,
            request INTEGER NOT NULL,
            status INTEGER NOT NULL,
            fields TEXT NOT NULL,
            body BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (account, key)
        ) STRICT;

        CREATE INDEX kept_answers_by_expiry ON kept_answers (expires_at);
        CREATE INDEX kept_answers_by_account ON kept_answers (account, expires_at);

        PRAGMA user_version = 3;
        """

    /// All totals of a month in one row.
    ///
    /// It holds those of its categories and of its days, in bytes (see ``MonthTotals``). A report of 36
    /// months then reads 36 rows instead of hundreds, and no transactions, whose index by day keeps the
    /// columns that version 3 gave it for that. A category for which the row of the month has no room has
    /// one of its own.
    private static func version4(_ database: Database) throws {
        try database.runScript(
            """
            DROP TABLE monthly_totals;

            CREATE TABLE monthly_totals (
                account INTEGER NOT NULL,
                goal BLOB NOT NULL,
                month INTEGER NOT NULL,
                category TEXT NOT NULL,
                totals BLOB NOT NULL,
                PRIMARY KEY (account, goal, month, category),
                FOREIGN KEY (account, goal) REFERENCES goals (account, id)
            ) STRICT, WITHOUT ROWID;

            PRAGMA user_version = 4;
            """
        )
        try database.writeAllTotals()
    }
}
