"""What must not grow with the data, nor with what others do."""

import datetime
import sqlite3
import statistics
import time

from beside_nginx import TRANSACTION, cpu, rate
from client import expect
from data_file import ABSENT_WORD, RARE_WORD, Group, goal_path
from load import Load, Request, end_wrk, start_wrk
from report import Row, at_most

# Answers are not kept, so that each is read from the store.
NO_CACHE = ["--cache-bytes", "0"]

# Of a large store: enough to be no few pages of the file.
SAMPLE = 20_000


def milliseconds(figures):
    """Of a server's time for each request, all its cores together."""
    return [1000 / one.requests_per_second for one in figures]


def compared(work, ours, beside, theirs, aim):
    """The two rows of a work that is the same on much data and on little."""
    return [
        Row(work, "CPU/request", "µs", cpu(ours), beside, cpu(theirs), aim),
        Row(work, "time/request", "ms", milliseconds(ours), beside, milliseconds(theirs), aim),
    ]


def long_history(bench):
    """cold statistics of 1,000,000 transactions, beside 1,000 over the same months

    Each is for another day than the last ones, so that it isn't in the cache.
    """
    many = bench.sizes.long_history
    data = bench.data(Group(1, 1_000), Group(1, many))
    today = datetime.datetime.now(datetime.timezone.utc).date()
    found = []
    with bench.goalpost(data) as server:
        for name, latest in (("today", today), ("in a year", today + datetime.timedelta(365))):
            days = [latest - datetime.timedelta(back) for back in range(31)]
            loads = [
                Load([Request(f"{goal_path(goal)}/statistics?asOf={day}") for day in days])
                for goal in (0, 1)
            ]
            with server.client() as client:
                for load, count in zip(loads, (1_000, many), strict=True):
                    shown = client.get(load.requests[0].path).json
                    expect(
                        shown["transactionCount"] == count,
                        f"statistics of {count} transactions: {shown}",
                    )
            few, all_of_them = bench.in_turn(
                *(lambda load=load: bench.load(server, load, connections=4) for load in loads)
            )
            work = f"statistics of {many:,} transactions, cold, as of {name}"
            # In a year, no month is read by the day: the totals alone are.
            aim = at_most(1.5)
            found += compared(work, all_of_them, "of 1,000", few, aim)
    bench.remove(data)
    return found


def size(bench):
    """1,000,000 goals and 10,000,000 transactions, beside 1,000 and 10,000"""
    stores = [bench.small_store(), bench.large_store()]
    found = []
    with (
        bench.goalpost(stores[0].path, *NO_CACHE) as small,
        bench.goalpost(stores[1].path, *NO_CACHE) as large,
    ):
        servers = [small, large]

        def compare(work, make):
            loads = [make(*both) for both in zip(servers, stores, strict=True)]
            few, many = bench.in_turn(
                *(
                    lambda server=server, load=load: bench.load(server, load)
                    for server, load in zip(servers, loads, strict=True)
                )
            )
            beside = f"{stores[0].goals:,}"
            found.extend(
                compared(f"{work}: {stores[1].goals:,} goals", many, beside, few, at_most(2))
            )

        compare("first page", lambda *_: Load([Request("/goals?limit=50")]))
        compare("a page in the middle", middle_pages)
        compare("a goal by id", goals_by_id)
        compare("a transaction recorded", transactions)
    # The large one takes minutes, and was written to no other way.
    bench.check(stores[0].path)
    return found


def middle_pages(server, store):
    """Pages of the middle of all goals, a fifth to either side at most."""
    cursors = []
    with server.client() as client:
        cursor, seen = None, 0
        # The largest pages, which take the fewest to get there.
        step = min(200, store.goals // 20)
        while seen < store.goals * 6 // 10:
            shown = client.get(f"/goals?limit={step}" + (f"&cursor={cursor}" if cursor else "")).json
            cursor = shown["nextCursor"]
            seen += len(shown["items"])
            if seen >= store.goals * 4 // 10:
                cursors.append(cursor)
        paths = [f"/goals?limit=50&cursor={cursor}" for cursor in cursors[:1000]]
        for path in paths[:3]:
            shown = client.get(path).json
            expect(len(shown["items"]) == min(50, store.goals // 2), f"{path}: {shown}")
    return Load([Request(path) for path in paths], is_random=True)


def sample(store):
    step = max(store.goals // SAMPLE, 1)
    return range(0, store.goals, step)


def goals_by_id(server, store):
    load = Load([Request(goal_path(number)) for number in sample(store)], is_random=True)
    with server.client() as client:
        for number in (0, store.goals // 2, store.goals - 1):
            path = goal_path(number)
            expect(path.endswith(client.get(path).json["id"]), f"{path} shows another goal")
    return load


def transactions(server, store):
    return Load(
        [
            Request(goal_path(number) + "/transactions", "POST", TRANSACTION)
            for number in sample(store)
        ],
        is_random=True,
    )


def search(bench):
    """a search with 10 hits and one with none among 100,000 goals, beside a page without a term"""
    count = bench.sizes.searched_goals
    data = bench.data(Group(count, 1, rare_goals=10))
    paths = {
        "no term": ("/goals", 50),
        "10 hits": (f"/goals?search={RARE_WORD}", 10),
        "no hit": (f"/goals?search={ABSENT_WORD}", 0),
    }
    with bench.goalpost(data) as server:
        with server.client() as client:
            for path, hits in paths.values():
                shown = client.get(path).json
                expect(len(shown["items"]) == hits, f"{path}: {len(shown['items'])} goals")
        plain, rare, absent = bench.in_turn(
            *(lambda path=path: latency(server, path, bench.seconds) for path, _ in paths.values())
        )
    bench.remove(data)
    work = f"search among {count:,} goals"
    return [
        Row(f"{work}, 10 hits", "median time", "ms", rare, "without", plain, at_most(10)),
        Row(f"{work}, no hit", "median time", "ms", absent, "without", plain, at_most(10)),
    ]


def latency(server, path, seconds):
    """The median time of an answer to one client that asks for so long, in milliseconds."""
    found = []
    end = time.perf_counter() + seconds
    with server.client() as client:
        while time.perf_counter() < end:
            began = time.perf_counter()
            client.get(path)
            found.append((time.perf_counter() - began) * 1000)
    return statistics.median(found)


def start(bench):
    """from the start to the first answer, the large store beside an empty one"""
    large = bench.large_store()
    empty = bench.place()
    with bench.goalpost(empty):
        # Makes it.
        pass

    def begin(path):
        with bench.goalpost(path) as server, server.client() as client:
            client.get("/goals?limit=1")
            return (time.monotonic() - server.began) * 1000

    few, many = bench.in_turn(lambda: begin(empty), lambda: begin(large.path))
    work = f"start to first answer: {large.goals:,} goals"
    return [Row(work, "time", "ms", many, "empty", few, at_most(1.5))]


def beside_writes(bench):
    """GET while 64 connections write, beside none that does"""
    data = bench.data(Group(1_000, 10))
    writes = Load(
        [Request(goal_path(n) + "/transactions", "POST", TRANSACTION) for n in range(500)],
        is_random=True,
    )
    reads = {
        "`GET /goals/:id`": Request(goal_path(700)),
        "`GET /goals?limit=50`": Request("/goals?limit=50"),
    }
    found = []
    with bench.goalpost(data) as server:
        for name, request in reads.items():
            read = Load([request])

            def alone(read=read):
                return bench.load(server, read, connections=1).median_milliseconds

            def beside(read=read):
                seconds = bench.seconds + 1
                writers = start_wrk(server, writes, bench.folder, seconds, bench.connections)
                try:
                    return alone(read)
                finally:
                    end_wrk(writers, seconds)

            quiet, busy = bench.in_turn(alone, beside)
            work = f"{name} while {bench.connections} connections write"
            found.append(Row(work, "median time", "ms", busy, "without", quiet, at_most(3)))
    bench.remove(data)
    return found


def costs(bench):
    """what goals and transactions take on the disk"""
    large = bench.large_store()
    sizes = table_bytes(large.path)
    goals, transactions = sizes.pop("goals"), sizes.pop("transactions")
    totals = sizes.pop("monthly_totals")
    texts = sum(sizes.pop(table) for table in list(sizes) if table.startswith("goal_search"))
    found = [
        Row("a goal, packed", "on disk", "B", [goals / large.goals]),
        Row("a goal's texts, indexed", "on disk", "B", [texts / large.goals]),
        Row("a transaction, packed", "on disk", "B", [transactions / large.transactions]),
        Row("the totals of a month, packed", "on disk", "B", [totals / large.totals]),
        Row("everything else", "on disk", "B", [sum(sizes.values())]),
    ]

    # What is recorded one by one, at random, leaves room in its pages.
    data = bench.data(Group(bench.sizes.small_goals, 10))
    before = data.stat().st_size
    with bench.goalpost(data) as server:
        load = Load(
            [
                Request(goal_path(number) + "/transactions", "POST", TRANSACTION)
                for number in range(bench.sizes.small_goals)
            ],
            is_random=True,
        )
        recorded = bench.load(server, load).answers
    # A stop folds in the log.
    grown = data.stat().st_size - before
    found.append(Row("a transaction, recorded at random", "on disk", "B", [grown / recorded]))
    bench.remove(data)
    return found


def table_bytes(path):
    """The bytes of the pages of each table, its indexes included."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    sizes = {}
    for table, pages in database.execute(
        "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_master USING (name)"
        " WHERE aggregate = TRUE GROUP BY tbl_name"
    ):
        sizes[table] = pages
    database.close()
    return sizes


ROWS = {
    "history": long_history,
    "size": size,
    "search": search,
    "start": start,
    "beside-writes": beside_writes,
    "costs": costs,
}
