"""How many instructions a request takes, by callgrind: the same on a busy machine as on a quiet one.

The program's own are counted, on all its threads, and none of the kernel's.
"""

import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

from beside_nginx import TRANSACTION
from bench import note
from client import expect
from data_file import Group, goal_path
from report import Row
from servers import Server

TRANSACTIONS = 1_000
GOALS = 50
# One after the other, but for what is recorded at a time.
REQUESTS = 200
AT_A_TIME = 64


def ask_all(path):
    """Asks for a path, or for that of each goal in turn where it has a place for a number."""

    def ask(clients):
        for number in range(REQUESTS):
            clients[0].get(path(number % GOALS) if callable(path) else path)
        return REQUESTS

    return ask


def ask_again(clients):
    """Asks for what the client has already."""
    path = goal_path(7) + "/statistics"
    etag = clients[0].get(path).fields["etag"]
    for _ in range(REQUESTS):
        answer = clients[0].ask(path, fields=[f"If-None-Match: {etag}"])
        expect(answer.status == 304, "a report that is the same is sent again")
    # The one that brings the tag counts as one of these: it is a two-hundredth.
    return REQUESTS + 1


def record(clients):
    """Records by all clients at once, so that they share commits."""
    for _ in range(4):
        for client in clients:
            client.send(goal_path(7) + "/transactions", "POST", TRANSACTION)
        for client in clients:
            expect(client.answer().status == 201, "a transaction is not recorded")
    return 4 * len(clients)


def create(clients):
    """Creates goals by all clients at once, so that they share commits."""
    for turn in range(4):
        for number, client in enumerate(clients):
            client.send("/goals", "POST", goal(turn * len(clients) + number))
        for client in clients:
            expect(client.answer().status == 201, "a goal is not created")
    return 4 * len(clients)


def create_alone(clients):
    for number in range(REQUESTS):
        expect(clients[0].ask("/goals", "POST", goal(number)).status == 201, "a goal is not created")
    return REQUESTS


def goal(number):
    return (
        f'{{"title":"A house by the lake {number:07d}","note":"as soon as there is enough",'
        '"targetAmount":"4500.00"}'
    )


def record_and_report(clients):
    for number in range(REQUESTS):
        path = goal_path(number % GOALS)
        answer = clients[0].ask(path + "/transactions", "POST", TRANSACTION)
        expect(answer.status == 201, "a transaction is not recorded")
        clients[0].get(path + "/statistics")
    return REQUESTS


# What is asked for, by name: in words, how, and with which settings.
WORK = {
    "livez": ("`GET /livez`", ask_all("/livez"), []),
    "goal": ("`GET /goals/:id`, from the cache", ask_all(goal_path(7)), []),
    "goal-read": ("`GET /goals/:id`, from the store", ask_all(goal_path), ["--cache-bytes", "0"]),
    "statistics": (
        "`GET /goals/:id/statistics`, from the cache",
        ask_all(goal_path(7) + "/statistics"),
        [],
    ),
    "not-modified": ("`GET /goals/:id/statistics`, 304", ask_again, []),
    "statistics-made": (
        f"`GET /goals/:id/statistics`, made of {TRANSACTIONS:,} transactions",
        ask_all(lambda number: goal_path(number) + "/statistics"),
        ["--cache-bytes", "0"],
    ),
    "page": ("`GET /goals?limit=50`", ask_all("/goals?limit=50"), []),
    "record": (f"`POST` a transaction, {AT_A_TIME} at a time", record, []),
    "create": (f"`POST` a goal, {AT_A_TIME} at a time", create, []),
    "create-alone": ("`POST` a goal alone", create_alone, []),
    "cold": ("`POST` a transaction alone, and the statistics after it", record_and_report, []),
}


def count(bench, name):
    """Runs a work under callgrind. Returns the instructions of a request, and the profile's path."""
    _, work, settings = WORK[name]
    data = bench.data(Group(GOALS, TRANSACTIONS))
    profile = bench.folder / f"callgrind-{name}"
    server = Server(
        [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={profile}",
            str(bench.program),
            *("--port", "{port}", "--data", str(data), "--log-level", "error", "--loops", "1"),
            *settings,
        ],
        f"{data}.log",
    )
    with server, ExitStack() as connections:
        clients = [connections.enter_context(server.client()) for _ in range(AT_A_TIME)]
        # What happens once, happens now.
        work(clients)
        control(server, "--zero")
        requests = work(clients)
        control(server, "--dump")
    found = Path(f"{profile}.1")
    total = next(
        int(line.split()[1])
        for line in found.read_text().splitlines()
        if line.startswith(("totals:", "summary:"))
    )
    bench.remove(data)
    return total / requests, found


def control(server, command):
    subprocess.run(
        ["callgrind_control", command, str(server.process.pid)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def instructions(bench):
    """how many instructions a request takes (needs valgrind)"""
    if not shutil.which("valgrind"):
        note("instructions: left out, since valgrind is missing")
        return []
    return [
        Row(words, "instructions", "", [count(bench, name)[0]])
        for name, (words, _, _) in WORK.items()
    ]


ROWS = {"instructions": instructions}
