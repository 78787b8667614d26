internal import Goals
internal import SQLite

extension Schema {
    /// An index of what goals' texts contain, so that a search need not look at all goals.
    ///
    /// Each goal has a number of its own, by which the index knows it. The index holds no texts, but for each
    /// part of them which goals have it; see ``SearchGrams``. It has the goals up to
    /// `store.indexed_number`. A merge of its pieces waits until there are eight of one size: with fewer,
    /// writing costs more than searching gains.
    ///
    /// `goal_search_grams` shows what is in the index, for who examines it.
    static func version5(_ database: Database) throws {
        try database.runScript(
            """
            ALTER TABLE goals ADD COLUMN number INTEGER;
            CREATE UNIQUE INDEX goals_by_number ON goals (number) WHERE number IS NOT NULL;

            ALTER TABLE store ADD COLUMN indexed_number INTEGER NOT NULL DEFAULT 0;

            CREATE VIRTUAL TABLE goal_search USING fts5 (
                grams, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
            );
            INSERT INTO goal_search (goal_search, rank) VALUES ('automerge', 8);
            CREATE VIRTUAL TABLE goal_search_grams USING fts5vocab (goal_search, instance);
            """
        )
        // A few at a time: neither the numbers of all goals nor their order are ever in memory.
        var last = (account: Int64.min, id: Bytes16(high: 0, low: 0))
        var number: Int64 = 0
        while true {
            let goals = try database.rows(
                """
                SELECT account, id
                FROM goals
                WHERE (account, id) > (?, ?)
                ORDER BY account, id
                LIMIT 1000
                """,
                last.account,
                last.id
            ) { row in (account: try row[0] as Int64, id: try row[1] as Bytes16) }
            guard let end = goals.last else { break }
            let mark = number
            for goal in goals {
                number += 1
                try database.run(
                    "UPDATE goals SET number = ? WHERE account = ? AND id = ?",
                    number,
                    goal.account,
                    goal.id
                )
            }
            try database.indexTexts(after: mark, upTo: number)
            last = end
        }
        try database.runScript("PRAGMA user_version = 5")
    }
}
