"""kill -9 at any moment: while clients write, at the start, in an upgrade, a stop and a backup."""

import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

from ledger import Ledger, Writers, read
from support import ROOT, Server, command, judge

CONNECTIONS = 16
# The version of the tables that the program makes of older ones.
NEWEST = 5
FIXTURE = ROOT / "Tests/APITests/Fixtures/version-1/goalpost.sqlite"


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        folder = Path(folder)
        under_load(report, program, dice, folder, rounds=10 if short else 300)
        control(report, program, dice, folder)
        at_start(report, program, dice, folder, rounds=3 if short else 50)
        in_backup(report, program, dice, folder, rounds=5 if short else 50)
        in_upgrade(report, program, dice, folder, 3 if short else 50, times=4 if short else 50)


# Under load


def under_load(report, program, dice, folder, rounds):
    data = folder / "goalpost.sqlite"
    ledger = Ledger(dice)
    wrong, unsound, in_stop, slowest, unanswered = [], 0, 0, 0.0, 0
    for number in range(rounds):
        began = time.monotonic()
        with Server(program, data=data) as server:
            slowest = max(slowest, time.monotonic() - began)
            writers = Writers(server, ledger, CONNECTIONS)
            writers.run(seconds=dice.uniform(0.02, 0.25))
            # Every third time in the middle of an orderly stop, which folds in the log.
            if number % 3 == 2:
                in_stop += 1
                server.signal(signal.SIGTERM)
                writers.run(seconds=dice.uniform(0, 0.03))
            server.process.kill()
            writers.finish()
        goals = writers.touched
        unanswered += sum(w.status is None for goal in goals for w in goal.family)
        # By turns as the kill has left it, and once a server has opened it.
        if number % 2:
            unsound += judge(program, data)
        with Server(program, data=data) as server:
            seen = read(server, goals)
            if number % 2 == 0:
                unsound += judge(program, data)
            wrong += ledger.contradictions(seen, goals=goals)
            ledger.settle(seen, goals)
            # This one is killed, too, while it rests.
    with Server(program, data=data) as server:
        wrong += ledger.contradictions(read(server, ledger.goals))
    what = f"{rounds} kills under {CONNECTIONS} writers, {in_stop} of them in a stop"
    report.at_least(f"{what}: writes acknowledged", ledger.acknowledged, rounds * 20)
    report.note(f"{what}: writes without an answer", unanswered)
    report.exactly(f"{what}: statuses of failure", failures(ledger), {})
    report.exactly(f"{what}: contradictions", len(wrong), 0)
    report.exactly(f"{what}: the first of them", wrong[:3], [])
    report.exactly(f"{what}: files that are not sound", unsound, 0)
    report.at_most(f"{what}: slowest start", slowest, 2.0, "s")


def failures(ledger):
    return {status: count for status, count in ledger.counts.items() if status >= 500}


def control(report, program, dice, folder):
    """The trial sees a loss: here the log is taken away, which has all that was written."""
    data = folder / "control.sqlite"
    ledger = Ledger(dice)
    with Server(program, data=data) as server:
        writers = Writers(server, ledger, CONNECTIONS)
        # Enough to lose, and not so much that the log is folded in.
        writers.run(writes=200)
        server.process.kill()
        writers.finish()
    Path(f"{data}-wal").unlink()
    with Server(program, data=data) as server:
        wrong = ledger.contradictions(read(server, ledger.goals))
    report.at_least("control, a log that was removed: contradictions", len(wrong), 5)


# In other moments


def at_start(report, program, dice, folder, rounds):
    """A start is cut short, with a long log to read."""
    data = folder / "start.sqlite"
    ledger = Ledger(dice)
    start = command(program, "--port", "0", "--data", str(data))
    wrong, unsound, cut = [], 0, 0
    usual = 0.05
    for number in range(rounds):
        with Server(program, data=data) as server:
            usual = min(usual, server.started_in)
            writers = Writers(server, ledger, CONNECTIONS)
            writers.run(seconds=0.2)
            server.process.kill()
            writers.finish()
        for _ in range(3):
            started = subprocess.Popen(start, stderr=subprocess.PIPE)
            time.sleep(dice.uniform(0, usual))
            started.kill()
            cut += b"Listening" not in started.communicate()[1]
        unsound += judge(program, data)
        with Server(program, data=data) as server:
            seen = read(server, writers.touched)
            wrong += ledger.contradictions(seen, goals=writers.touched)
            ledger.settle(seen, writers.touched)
    what = f"{rounds * 3} kills at the start"
    report.at_least(f"{what}: before it listened", cut, rounds)
    report.exactly(f"{what}: contradictions", wrong[:3], [])
    report.exactly(f"{what}: files that are not sound", unsound, 0)


def in_backup(report, program, dice, folder, rounds):
    """A backup is cut short: its file is there as a whole, or not at all."""
    data, copy = folder / "goalpost.sqlite", folder / "copy.sqlite"
    began = time.monotonic()
    back_up = command(program, "backup", str(copy), "--data", str(data))
    subprocess.run(back_up, check=True, stdout=subprocess.DEVNULL)
    usual = time.monotonic() - began
    copy.unlink()
    whole, unsound = 0, 0
    for _ in range(rounds):
        copying = subprocess.Popen(back_up, stdout=subprocess.DEVNULL)
        time.sleep(dice.uniform(0, usual * 1.1))
        copying.kill()
        copying.wait()
        if copy.exists():
            whole += 1
            unsound += judge(program, copy)
            copy.unlink()
    what = f"{rounds} kills in a backup of {usual * 1000:.0f} ms"
    report.note(f"{what}: that were too late", whole)
    report.at_least(f"{what}: that left no file of the name", rounds - whole, rounds // 3)
    report.exactly(f"{what}: files of the name that are not sound", unsound, 0)
    after = subprocess.run(back_up, stdout=subprocess.DEVNULL)
    report.exactly(f"{what}: exit status of the one after them", after.returncode, 0)
    report.exactly(f"{what}: the data file is sound", judge(program, data), 0)


def in_upgrade(report, program, dice, folder, rounds, times):
    """An upgrade is cut short, and the next start does it."""
    old = folder / "old.sqlite"
    rows = make_old_file(old, times)
    expected = figures(old)
    data = folder / "upgraded" / "goalpost.sqlite"
    data.parent.mkdir()
    shutil.copy(old, data)
    with Server(program, data=data) as server:
        usual = server.started_in
    start = command(program, "--port", "0", "--data", str(data))
    before, after, wrong, unsound, copies = 0, 0, [], 0, 0
    for number in range(rounds):
        shutil.rmtree(data.parent)
        data.parent.mkdir()
        shutil.copy(old, data)
        for _ in range(2):
            started = subprocess.Popen(start, stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0, usual))
            started.kill()
            started.wait()
            version = figures(data)["version"]
            before += version == 1
            after += version == NEWEST
        unsound += judge(program, data)
        with Server(program, data=data):
            found = figures(data)
        if found != expected | {"version": NEWEST}:
            wrong.append(found)
        unsound += judge(program, data)
        for kept in data.parent.glob("goalpost-v1-*.sqlite"):
            copies += 1
            if figures(kept) != expected:
                wrong.append(f"{kept.name} is not what the file was")
            unsound += judge(program, kept)
    what = f"{rounds * 2} kills in an upgrade of {rows} rows and {usual * 1000:.0f} ms"
    report.at_least(f"{what}: that left the old version", before, rounds // 2)
    report.note(f"{what}: that came after the upgrade", after)
    report.exactly(f"{what}: that changed what was there", wrong[:3], [])
    report.at_least(f"{what}: copies of the old file", copies, rounds)
    report.exactly(f"{what}: files and copies that are not sound", unsound, 0)


def make_old_file(path, times):
    """A file of version 1 with the rows of the fixture so many times more. Returns how many.

    The few goals with very long texts stay as they are: folding those takes all of the time.
    """
    shutil.copy(FIXTURE, path)
    database = sqlite3.connect(path)
    names = {table: columns(database, table) for table in ["goals", "transactions", "tombstones"]}
    usual = "SELECT id FROM goals WHERE length(title) < 100 AND length(note) < 100"
    for table, own in names.items():
        key = "id" if table == "goals" else "goal"
        # What was deleted has left nothing else of itself.
        rows = database.execute(
            f"SELECT {', '.join(own)} FROM {table} "
            f"WHERE {key} IN ({usual}) OR {key} NOT IN (SELECT id FROM goals)"
        ).fetchall()
        places = [own.index(name) for name in ("id", "goal", "entry") if name in own]
        marks = ", ".join("?" * len(own))
        for number in range(times):
            again = [
                tuple(other(value, number) if i in places else value for i, value in enumerate(row))
                for row in rows
            ]
            database.executemany(f"INSERT INTO {table} ({', '.join(own)}) VALUES ({marks})", again)
    database.commit()
    total = sum(
        database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in names
    )
    database.close()
    return total


def columns(database, table):
    """The columns of a table that are stored."""
    return [row[1] for row in database.execute(f"PRAGMA table_xinfo({table})") if row[6] == 0]


def other(identifier, number):
    """Another identifier for each one; none stays none."""
    if not identifier:
        return identifier
    return uuid.uuid5(uuid.UUID(bytes=identifier), str(number)).bytes


def figures(path):
    """What an upgrade must not change, and the version."""
    # Reads only: what the kill has left is for the program to mend.
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        goals = "count(*), sum(revision), sum(saved_amount >> 20), sum(updated_at), max(id)"
        entries = "count(*), sum(revision), sum(amount >> 20), sum(day), max(id)"
        return {
            "version": database.execute("PRAGMA user_version").fetchone()[0],
            "goals": database.execute(f"SELECT {goals} FROM goals").fetchone(),
            "transactions": database.execute(f"SELECT {entries} FROM transactions").fetchone(),
            "deletions": database.execute("SELECT count(*), max(entry) FROM tombstones").fetchone(),
        }
    finally:
        database.close()
