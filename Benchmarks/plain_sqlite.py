"""What SQLite alone reaches with a commit for each insert: a log, and a full sync each time."""

import os
import sqlite3
import tempfile
import time


def inserts_per_second(folder, seconds):
    """Inserts rows of a transaction's content for so long, one after the other."""
    with tempfile.TemporaryDirectory(prefix="sqlite-", dir=folder) as place:
        database = sqlite3.connect(os.path.join(place, "plain.sqlite"), isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute(
            "CREATE TABLE transactions (id BLOB PRIMARY KEY, goal BLOB NOT NULL, type TEXT NOT NULL,"
            " amount INTEGER NOT NULL, day INTEGER NOT NULL, category TEXT, note TEXT NOT NULL,"
            " created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID"
        )
        goal, inserted = os.urandom(16), 0
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            # Identifiers that go up, as those of version 7 do.
            identifier = inserted.to_bytes(8, "big") + os.urandom(8)
            database.execute(
                "INSERT INTO transactions VALUES (?, ?, 'income', 1250, 20787, 'salary', '', ?)",
                (identifier, goal, time.time_ns() // 1_000_000),
            )
            inserted += 1
        rate = inserted / (time.monotonic() - began)
        database.close()
    return rate
