"""Copies of a data file that is written, putting one back, a lock of others, and starting again."""

import math
import random
import socket
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

from ledger import Ledger, Writers, read, read_file
from support import Client, Server, command, goal, judge, request, wait_until

WRITERS = 4


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        folder = Path(folder)
        data = folder / "goalpost.sqlite"
        ledger = under_load(report, program, dice, data, 5 if short else 20)
        drill(report, program, dice, data, ledger)
        foreign_lock(report, program, folder / "locked.sqlite", 0 if short else 10)
        same_port(report, program, data, 5 if short else 20)


def under_load(report, program, dice, data, count):
    ledger = Ledger(dice)
    wrong, unsound, statuses, periods = [], 0, set(), []
    with Server(program, data=data) as server:
        for _ in range(4):
            writers = Writers(server, ledger, 64)
            writers.run(writes=1000)
            writers.finish()
        writers = Writers(server, ledger, WRITERS)
        for number in range(count):
            copy = data.with_name(f"copy-{number}.sqlite")
            began = time.monotonic()
            copying = subprocess.Popen(
                command(program, "backup", str(copy), "--data", str(data)),
                stdout=subprocess.DEVNULL,
            )
            while copying.poll() is None:
                writers.run(seconds=0.005)
            ended = time.monotonic()
            writers.rest()
            statuses.add(copying.returncode)
            periods.append((began, ended))
            unsound += judge(program, copy)
            wrong += ledger.contradictions(read_file(copy), at=began, until=ended)
            copy.unlink()
            # As long without one.
            writers.run(seconds=ended - began)
            writers.rest()
        writers.finish()
        wrong += ledger.contradictions(read(server, ledger.goals))
    during = [l for at, l in writers.latencies if any(b <= at <= e for b, e in periods)]
    usual = [l for at, l in writers.latencies if not any(b <= at <= e for b, e in periods)]
    what = f"{count} backups under {WRITERS} writers"
    report.note(f"{what}: writes acknowledged", ledger.acknowledged)
    report.exactly(f"{what}: exit statuses", statuses, {0})
    report.exactly(f"{what}: copies that are not sound", unsound, 0)
    report.exactly(f"{what}: contradictions to what was acknowledged before", wrong[:3], [])
    report.note(f"{what}: 99th percentile of a write without", 1000 * p99(usual), "ms")
    # What takes next to no time can be three times as long for any reason.
    bound = max(3 * p99(usual), 0.05)
    report.at_most(f"{what}: 99th percentile of a write", 1000 * p99(during), 1000 * bound, "ms")
    return ledger


def p99(values):
    return sorted(values)[math.ceil(len(values) * 0.99) - 1]


def drill(report, program, dice, data, ledger):
    """Backup, loss, restore: every answer is the same, byte for byte."""
    copy = data.with_name("drill.sqlite")
    back_up = command(program, "backup", str(copy), "--data", str(data))
    with Server(program, data=data) as server:
        subprocess.run(back_up, check=True, stdout=subprocess.DEVNULL)
        answers = all_answers(server, ledger)
        refused = restore(program, copy, data)
        again = subprocess.run(back_up, capture_output=True).returncode
        # What is written now is not in the copy; the kill leaves it in a log beside the file.
        for number in range(20):
            server.ask("POST", "/goals", {"title": f"After the backup {number}"})
        server.process.kill()
    report.note("the drill: answers compared", len(answers))
    report.exactly("a restore while a server runs: exit status", refused, 1)
    report.exactly("a backup to a name that is taken: exit status", again, 1)
    places = {"an empty place": data.with_name("elsewhere") / "goalpost.sqlite", "its place": data}
    for what, place in places.items():
        status = restore(program, copy, place)
        log = Path(f"{place}-wal")
        stale = log.exists() and log.stat().st_size > 0
        with Server(program, data=place) as server:
            found = all_answers(server, ledger)
        differing = [target for target, answer in answers.items() if found.get(target) != answer]
        report.exactly(f"a restore to {what}: exit status", status, 0)
        report.exactly(f"a restore to {what}: a log is left beside it", stale, False)
        report.exactly(f"a restore to {what}: answers that differ", differing[:3], [])
    kept = list(data.parent.glob("goalpost-replaced-*.sqlite"))
    report.exactly("the replaced file: kept", len(kept), 1)
    with Server(program, data=kept[0]) as server:
        titles = server.ask("GET", "/goals?limit=200").body.count(b"After the backup")
    report.exactly("the replaced file: has what was written last", titles, 20)
    report.exactly("the replaced file: is sound", judge(program, kept[0]), 0)


def restore(program, copy, data):
    return subprocess.run(
        command(program, "restore", str(copy), "--data", str(data)), capture_output=True
    ).returncode


def all_answers(server, ledger):
    """What the server answers to everything that can be asked: status, tag and body."""
    answers = {}
    with server.connect(patience=30) as client:

        def ask(target):
            answer = client.ask("GET", target)
            answers[target] = (answer.status, answer.fields.get("etag"), without_id(answer))
            return answer.json

        for sort in ["-updatedAt", "createdAt", "title", "-plannedCompletionDate"]:
            target = f"/goals?sort={sort}"
            while target:
                cursor = ask(target)["nextCursor"]
                target = cursor and f"/goals?sort={sort}&cursor={cursor}"
        for goal in ledger.goals:
            ask(goal.path)
            ask(f"{goal.path}/statistics?asOf=2027-01-31&timeZone=UTC")
            target = f"{goal.path}/transactions"
            while target:
                cursor = ask(target).get("nextCursor")
                target = cursor and f"{goal.path}/transactions?cursor={cursor}"
    return answers


def without_id(answer):
    """The body; of a problem, what does not name the request."""
    if answer.status == 200:
        return answer.body
    return {name: value for name, value in answer.json.items() if name != "requestId"}


def foreign_lock(report, program, data, longest):
    """Another program holds the lock of those who write."""
    with Server(program, data=data) as server, server.connect(patience=30) as writer:
        server.fill(5)
        other = sqlite3.connect(data, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        writer.socket.settimeout(0.01)
        reads, answer = [], None
        writer.send(request("POST", "/goals", goal("Locked out")))
        while not answer:
            asked = time.monotonic()
            assert server.ask("GET", "/goals").status == 200
            reads.append(1000 * (time.monotonic() - asked))
            try:
                answer = writer.answer()
            except TimeoutError:
                continue
        refused_after = time.monotonic() - began
        ready = server.ask("GET", "/livez").status
        wait_until(lambda: time.monotonic() - began > longest, longest + 1)
        other.execute("ROLLBACK")
        other.close()
        writer.socket.settimeout(10)
        made = writer.ask("POST", "/goals", goal("Let in")).status
    report.exactly("a foreign lock: a write is answered", answer.status, 503)
    report.exactly("a foreign lock: with Retry-After", "retry-after" in answer.fields, True)
    report.at_most("a foreign lock: after", refused_after, 6.0, "s")
    report.at_most("a foreign lock: slowest of the reads meanwhile", max(reads), 100.0, "ms")
    report.exactly("a foreign lock: /livez", ready, 200)
    report.exactly("a foreign lock: a write after it", made, 201)


def same_port(report, program, data, rounds):
    """kill -9 with connections open, and a start on the same port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    slowest, failures = 0.0, 0
    for _ in range(rounds):
        started = subprocess.Popen(
            command(program, "--port", str(port), "--log-level", "error", "--data", str(data)),
            stderr=subprocess.DEVNULL,
        )
        began = time.monotonic()
        wait_until(lambda: is_serving(port) or started.poll() is not None, 5, pause=0.005)
        slowest = max(slowest, time.monotonic() - began)
        failures += not is_serving(port)
        clients = [Client("127.0.0.1", port) for _ in range(20)]
        for client in clients:
            client.ask("GET", "/livez")
        started.kill()
        started.wait()
        for client in clients:
            client.close()
    report.exactly(f"{rounds} starts on the same port after a kill: failures", failures, 0)
    report.at_most(f"{rounds} starts on the same port after a kill: slowest", slowest, 1.0, "s")


def is_serving(port):
    try:
        with Client("127.0.0.1", port, patience=2) as client:
            return client.ask("GET", "/livez").status == 200
    except OSError:
        return False
