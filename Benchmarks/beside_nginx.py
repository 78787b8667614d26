"""The endpoints at 64 connections, beside nginx that answers with as many bytes from memory."""

import json
import re

from client import expect
from data_file import Group, goal_path
from load import Load, Request
from plain_sqlite import inserts_per_second
from report import Row, at_least, at_most

TRANSACTION = '{"transactionType":"income","amount":"12.50","category":"salary"}'

# Some 40 % of what 10,000 goals take, as the default is of their statistics: most are not in the cache.
SMALL_CACHE = ["--cache-bytes", str(4 * 1024 * 1024)]


def cpu(figures):
    return [one.cpu_microseconds for one in figures]


def rate(figures):
    return [one.requests_per_second for one in figures]


def rows(work, ours, theirs, cpu_aim, rate_aim):
    """The two rows of a work: CPU time for each request, and requests per second."""
    return [
        Row(work, "CPU/request", "µs", cpu(ours), "nginx", cpu(theirs), cpu_aim),
        Row(work, "requests/s", "", rate(ours), "nginx", rate(theirs), rate_aim),
    ]


def beside_nginx(bench, work, data, load, settings=(), status=200, aims=(None, None)):
    """Loads both servers in turn, after a look at whether the answers are right."""
    with bench.goalpost(data, *settings) as ours:
        with ours.client() as client:
            size = check_answers(client, load, status)
        with bench.nginx(size, status) as theirs:
            with theirs.client() as client:
                answer = client.ask("/")
                expect(
                    (answer.status, len(answer.body)) == (status, size),
                    f"nginx: {answer.status}, {len(answer.body)} bytes",
                )
            figures = bench.in_turn(
                lambda: bench.load(theirs, load), lambda: bench.load(ours, load)
            )
    return rows(f"{work} ({size} B)", figures[1], figures[0], *aims)


def check_answers(client, load, status):
    """Asks for some of a load's requests. Returns how many bytes an answer has."""
    fields = [f"If-None-Match: {load.etag}"] if load.etag else []
    for request in load.requests[:20]:
        answer = client.ask(request.path, request.method, request.body or None, fields)
        expect(answer.status == status, f"{request.path}: {answer.status} {answer.body[:300]!r}")
        if status == 304:
            expect(not answer.body, "304 has a body")
        elif goal := re.fullmatch(r"/goals/([^/?]+)(/statistics)?", request.path):
            shown = answer.json["goalId" if goal.group(2) else "id"]
            expect(shown == goal.group(1), f"{request.path} shows goal {shown}")
    return len(answer.body)


# The rows


def liveness(bench):
    """GET /livez"""
    return beside_nginx(
        bench,
        "`GET /livez`",
        bench.place(),
        Load([Request("/livez")]),
        aims=(at_most(1.2), at_least(0.9)),
    )


def goal(bench):
    """GET /goals/:id, hot"""
    data = bench.data(Group(100, 120))
    return beside_nginx(
        bench,
        "`GET /goals/:id`, hot",
        data,
        Load([Request(goal_path(7))]),
        aims=(at_most(1.4), at_least(0.85)),
    )


def statistics(bench):
    """GET /goals/:id/statistics, hot"""
    data = bench.data(Group(100, 120))
    return beside_nginx(
        bench,
        "`GET /goals/:id/statistics`, hot",
        data,
        Load([Request(goal_path(7) + "/statistics")]),
        aims=(at_most(1.4), at_least(0.85)),
    )


def not_modified(bench):
    """the same with If-None-Match: 304"""
    data = bench.data(Group(100, 120))
    path = goal_path(7) + "/statistics"
    with bench.goalpost(data) as server, server.client() as client:
        etag = client.get(path).fields["etag"]
    return beside_nginx(
        bench,
        "`GET /goals/:id/statistics`, 304",
        data,
        Load([Request(path)], etag=etag),
        status=304,
        aims=(at_most(1.4), at_least(0.85)),
    )


def random_goals(bench):
    """goals and statistics of 10,000 goals, asked at random"""
    count = bench.sizes.cached_goals
    data = bench.data(Group(count, 120))
    found = []
    for name, below, settings in (
        ("`GET /goals/:id`", "", SMALL_CACHE),
        ("`GET /goals/:id/statistics`", "/statistics", []),
    ):
        found += beside_nginx(
            bench,
            f"{name} of {count:,} at random",
            data,
            Load([Request(goal_path(n) + below) for n in range(count)], is_random=True),
            settings=settings,
            aims=(at_most(3), at_least(0.5)),
        )
    bench.remove(data)
    return found


def page(bench):
    """GET /goals?limit=50"""
    data = bench.data(Group(bench.sizes.small_goals, 10))
    path = "/goals?limit=50"
    with bench.goalpost(data) as server, server.client() as client:
        goals = client.get(path).json["items"]
        expect(len({goal["id"] for goal in goals}) == 50, f"a page of {len(goals)} goals")
        moments = [goal["updatedAt"] for goal in goals]
        expect(moments == sorted(moments, reverse=True), "a page in no order")
    return beside_nginx(
        bench, "`GET /goals?limit=50`", data, Load([Request(path)]), aims=(at_most(10), None)
    )


def cold_statistics(bench):
    """statistics of goals with 1,000 transactions, a write between each

    Goals are written and read in turn, the one read having been written long enough before that the
    write is answered. What the writes cost is taken off: the same writes beside reads of /livez
    cost as much.
    """
    count = 4 * bench.connections
    transactions = bench.sizes.reported_transactions
    data = bench.data(Group(count, transactions))
    written, beside_liveness = [], []
    for number in range(count):
        write = Request(goal_path(number) + "/transactions", "POST", TRANSACTION)
        read = goal_path((number + count // 2) % count) + "/statistics"
        written += [write, Request(read)]
        beside_liveness += [write, Request("/livez")]

    with bench.goalpost(data) as ours:
        with ours.client() as client:
            size = check_coldness(client)
        with bench.nginx(size) as theirs:
            fixed = Load([Request("/")])
            figures = bench.in_turn(
                lambda: bench.load(theirs, fixed),
                lambda: bench.load(ours, Load(written)),
                lambda: bench.load(ours, Load(beside_liveness)),
                lambda: bench.load(ours, Load([Request("/livez")])),
            )
    nginx, with_reports, with_liveness, alone = map(cpu, figures)
    # Half of the requests of a mixture are reads.
    ours = [
        2 * (reports - mixed) + single
        for reports, mixed, single in zip(with_reports, with_liveness, alone, strict=True)
    ]
    bench.remove(data)
    work = f"statistics of {transactions:,} transactions, each after a write ({size} B)"
    return [Row(work, "CPU/request", "µs", ours, "nginx", nginx, at_most(12))]


def check_coldness(client):
    """Writes and reads in turn: each report must be that of the latest revision."""
    path = goal_path(1)
    for _ in range(5):
        client.post(path + "/transactions", json.loads(TRANSACTION))
        revision = client.get(path).json["revision"]
        answer = client.get(path + "/statistics")
        expect(answer.fields["etag"].startswith(f'"{revision}-'), "a report of an old revision")
    return len(answer.body)


def recording(bench):
    """POST a transaction, beside nginx and beside plain SQLite"""
    path = goal_path(7) + "/transactions"
    data = bench.data(Group(100, 120))
    load = Load([Request(path, "POST", TRANSACTION)])
    answered = 0

    def record():
        nonlocal answered
        figures = bench.load(ours, load)
        answered += figures.answers
        return figures

    with bench.goalpost(data) as ours:
        with ours.client() as client:
            size = len(client.post(path, json.loads(TRANSACTION)).body)
            before = client.get(goal_path(7)).json["transactionCount"]
        with bench.nginx(size, 201) as theirs:
            fixed, recorded, plain = bench.in_turn(
                lambda: bench.load(theirs, load),
                record,
                lambda: inserts_per_second(bench.folder, bench.seconds),
            )
        with ours.client() as client:
            count = client.get(goal_path(7)).json["transactionCount"] - before
    # A load that ends leaves requests behind whose answers nobody waits for.
    unheard = (bench.rounds + 1) * bench.connections
    expect(
        answered <= count <= answered + unheard, f"{answered} answered, {count} recorded"
    )
    # After tens of thousands of writes, and a stop.
    bench.check(data)
    bench.remove(data)
    work = f"`POST` a transaction, durable ({size} B)"
    return [
        Row(work, "CPU/request", "µs", cpu(recorded), "nginx", cpu(fixed), at_most(6)),
        Row(work, "requests/s", "", rate(recorded), "plain SQLite", plain, at_least(4)),
    ]


ROWS = {
    "livez": liveness,
    "goal": goal,
    "statistics": statistics,
    "not-modified": not_modified,
    "random": random_goals,
    "page": page,
    "cold": cold_statistics,
    "record": recording,
}
