"""Makes data files of any size, fast: the rows come from SQL, in a file that the program has made.

The same size gives the same rows, but for their dates, which reach up to today. `goalpost check`
calls the result sound. What a new version of the tables adds goes into the expressions below.
"""

import datetime
import functools
import os
import sqlite3
from dataclasses import dataclass

from servers import goalpost

EPOCH = datetime.date(1970, 1, 1)
MILLISECONDS_PER_DAY = 86_400_000

# The dates of transactions, and the moments at which goals were made and last changed.
DAYS_OF_HISTORY = 3 * 365
DAYS_UNTIL_MADE = 2 * 365

# A word that some notes have, and one that no text has.
RARE_WORD = "zanzibar"
ABSENT_WORD = "qqqqqq"


@dataclass(frozen=True)
class Group:
    """Goals that have the same number of transactions, over the same months.

    `rare_goals` of them have the rare word in their note.
    """

    goals: int
    transactions_each: int
    rare_goals: int = 0


def goal_path(number):
    """The path of a goal, by its number in the file, from 0."""
    digits = goal_digits(number).encode().hex()
    return "/goals/" + "-".join(
        [digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]]
    )


def goal_digits(number):
    """The 16 bytes of a goal's identifier, which are characters, as SQL can make them quickly."""
    return f"{number + 1:016x}"


def make(program, path, groups):
    """Makes a data file of some groups of goals, whose numbers go on from group to group."""
    with goalpost(program, path):
        # The program makes the tables and the indexes.
        pass
    os.environ["SQLITE_TMPDIR"] = str(path.parent)
    database = sqlite3.connect(path, isolation_level=None)
    for setting in (
        # Only the finished file is of use, so nothing has to be undone.
        "journal_mode = OFF",
        "synchronous = OFF",
        "foreign_keys = OFF",
        "cache_size = -131072",
        "temp_store = FILE",
    ):
        database.execute(f"PRAGMA {setting}")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        raise RuntimeError(f"{__file__} makes rows for version {VERSION}, not {version}: adapt it")

    database.execute("BEGIN")
    # An index is made much faster of all rows at once.
    indexes = database.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    ).fetchall()
    for name, _ in indexes:
        database.execute(f"DROP INDEX {name}")
    end = (datetime.datetime.now(datetime.timezone.utc).date() - EPOCH).days
    first = changes = 0
    total_goals = sum(group.goals for group in groups)
    for group in groups:
        fill(database, group, first, changes, total_goals, end)
        first += group.goals
        changes += group.goals * (1 + group.transactions_each)
    database.create_aggregate("totals", 4, MonthTotals)
    database.execute(TOTALS)
    database.create_function("grams", 2, grams, deterministic=True)
    for statement in DERIVED:
        database.execute(statement)
    for _, sql in indexes:
        database.execute(sql)
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode = WAL")
    database.close()


def fill(database, group, first, changes, total_goals, end):
    """Inserts a group of goals with their transactions, in the order of the tables' keys."""
    numbers = {
        "first": first,
        "last": first + group.goals - 1,
        "goals": group.goals,
        "each": group.transactions_each,
        "rare": group.goals // group.rare_goals if group.rare_goals else 0,
        "changes": changes,
        "total_goals": total_goals,
        "last_day": end,
        "start": (end - DAYS_OF_HISTORY) * MILLISECONDS_PER_DAY,
        "made_span": DAYS_UNTIL_MADE * MILLISECONDS_PER_DAY,
        "changed_span": (DAYS_OF_HISTORY - DAYS_UNTIL_MADE) * MILLISECONDS_PER_DAY,
        "history": DAYS_OF_HISTORY,
    }
    # g is the number of a goal, e that of a transaction in its goal.
    database.execute("CREATE TEMP TABLE entries (e INTEGER PRIMARY KEY)")
    database.execute(
        "INSERT INTO entries WITH RECURSIVE n (e) AS (SELECT 0 UNION ALL SELECT e + 1 FROM n"
        " WHERE e + 1 < :each) SELECT e FROM n WHERE :each > 0",
        numbers,
    )
    goals = (
        "WITH RECURSIVE goal (g) AS (SELECT :first UNION ALL SELECT g + 1 FROM goal"
        " WHERE g < :last)"
    )
    insert(database, "transactions", TRANSACTIONS, goals, "goal CROSS JOIN entries", numbers)
    insert(
        database,
        "goals",
        GOALS,
        goals,
        f"""(
            SELECT g,
                ifnull(sum(iif(type = 'income', amount, -amount)), 0) AS net,
                count(amount) AS number
            FROM goal
            LEFT JOIN transactions ON transactions.account = 1
                AND transactions.goal = {TRANSACTIONS["goal"]}
            GROUP BY g
        )""",
        numbers,
    )
    database.execute("DROP TABLE entries")


def insert(database, table, columns, head, source, numbers):
    names, expressions = ", ".join(columns), ", ".join(columns.values())
    database.execute(
        f"INSERT INTO {table} ({names}) {head} SELECT {expressions} FROM {source}", numbers
    )


# What is in the columns of this version of the tables, as expressions.
VERSION = 5

GOAL = "CAST(printf('%016x', g + 1) AS BLOB)"
MADE = "(:start + g * (:made_span / :total_goals))"
# Changed in another order than made: 611,953 is a prime.
CHANGED = "(:start + :made_span + g * 611953 % :total_goals * (:changed_span / :total_goals))"
TITLE = "printf('%s %07d', iif(g % 2, 'Cargo bike', 'A house by the lake'), g)"
NOTE = (
    "iif(:rare > 0 AND (g - :first) % max(:rare, 1) = 0,"
    f" 'with the ferry to {RARE_WORD}', 'as soon as there is enough')"
)
CATEGORY = (
    "CASE e % 5 WHEN 0 THEN 'salary' WHEN 1 THEN 'gifts' WHEN 2 THEN 'repairs'"
    " WHEN 3 THEN 'food' END"
)

# Everything was changed once, so that nothing has to match the fingerprint of what it began as.
# The transactions of a group come before its goals in the order of changes.
GOALS = {
    "account": "1",
    "id": GOAL,
    "sequence": ":changes + :goals * :each + g - :first + 1",
    "revision": "number + 2",
    "created_at": MADE,
    "updated_at": CHANGED,
    "saved_amount": "60000 + net",
    "transaction_count": "number",
    "status": "'active'",
    "currency": "'USD'",
    "target_amount": "450000",
    "starting_amount": "60000",
    "planned_day": "iif(g % 3, :last_day + 365 + g % 365, NULL)",
    "creation": "0",
    "title": TITLE,
    "title_search": f"lower({TITLE})",
    "note": NOTE,
    "note_search": f"lower({NOTE})",
    "number": "g + 1",
}
TRANSACTIONS = {
    "account": "1",
    "goal": GOAL,
    "id": "CAST(printf('%016x', e + 1) AS BLOB)",
    "sequence": ":changes + (g - :first) * :each + e + 1",
    "revision": "2",
    "created_at": f"{MADE} + e",
    "updated_at": f"{MADE} + e",
    "type": "iif(e % 3 = 2, 'expense', 'income')",
    "amount": "1000 + (g * 31 + e * 7919) % 90000",
    "day": ":last_day - (e * :history / :each)",
    "creation": "0",
    "category": CATEGORY,
    "category_search": CATEGORY,
    "note": "''",
    "note_search": "''",
}

# The totals of each month, which are bytes: see Sources/Store/Values/MonthTotals+Bytes.swift.
TOTALS = """
    INSERT INTO monthly_totals (account, goal, month, category, totals)
    SELECT account, goal,
        strftime('%Y', day * 86400, 'unixepoch') * 12
            + strftime('%m', day * 86400, 'unixepoch') - 1 AS month,
        '', totals(CAST(strftime('%d', day * 86400, 'unixepoch') AS INTEGER), type, category, amount)
    FROM transactions
    GROUP BY account, goal, month
"""


class MonthTotals:
    """Adds up the transactions of a month, as an aggregate function of SQLite."""

    def __init__(self):
        self.days = {}
        self.categories = {}

    def step(self, day, type, category, amount):
        count, net = self.days.get(day, (0, 0))
        self.days[day] = (count + 1, net + (amount if type == "income" else -amount))
        sums = self.categories.setdefault(category or "", {})
        count, total, largest = sums.get(type, (0, 0, 0))
        sums[type] = (count + 1, total + amount, max(largest, amount))

    def finalize(self):
        numbers = bytearray(number(len(self.categories)))
        for category, sums in self.categories.items():
            text = category.encode()
            numbers += number(len(text)) + text
            for type in ("income", "expense"):
                for value in sums.get(type, (0,)):
                    numbers += number(value)
        for day, (count, net) in sorted(self.days.items()):
            numbers += number(day) + number(count) + number(2 * net if net >= 0 else -2 * net - 1)
        return bytes(numbers)


def number(value):
    """LEB128 without a sign."""
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return encoded


DIGITS = "0123456789abcdefghijklmnopqrstuv"


@functools.cache
def gram(three):
    """A word of the index of goals' texts: see Sources/Store/Searching/SearchGrams.swift."""
    value = int.from_bytes(three, "big")
    return "1" + "".join(DIGITS[value >> place & 31] for place in (20, 15, 10, 5, 0))


def grams(*texts):
    found = set()
    for text in map(str.encode, texts):
        found.update(gram(text[start : start + 3]) for start in range(len(text) - 2))
    return " ".join(found)


# Statements for what else is derived from the rows.
DERIVED = [
    """
    UPDATE accounts
    SET goals = (SELECT count(*) FROM goals), transactions = (SELECT count(*) FROM transactions)
    WHERE id = 1
    """,
    "UPDATE accounts SET sequence = goals + transactions WHERE id = 1",
    """
    INSERT INTO goal_search (rowid, grams)
    SELECT number, grams(title_search, note_search)
    FROM goals
    """,
    "UPDATE store SET indexed_number = (SELECT count(*) FROM goals)",
]
