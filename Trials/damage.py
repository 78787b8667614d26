"""Damaged, foreign and mistaken files: refused or found, and never served as if they were sound."""

import math
import random
import shutil
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

from disk import digest, start_and_stop
from ledger import Ledger, Writers, read
from support import Server, command, wait_until

CONNECTIONS = 8


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        whole = Whole(program, dice, Path(folder))
        harms(report, program, dice, whole)
        not_ours(report, program, Path(folder) / "other")
        second_server(report, program, whole)
        flips(report, program, dice, whole, count=60 if short else 1000)


class Whole:
    """A sound file after a stop in order, one with its log after kill -9, and what clients know."""

    def __init__(self, program, dice, folder):
        self.folder = folder
        self.stopped = folder / "stopped" / "goalpost.sqlite"
        self.killed = folder / "killed" / "goalpost.sqlite"
        self.stopped.parent.mkdir()
        self.killed.parent.mkdir()
        self.ledger = Ledger(dice)
        with Server(program, data=self.stopped) as server:
            self._write(server, 1200)
            server.stop()
        shutil.copy(self.stopped, self.killed)
        self.at_stop = time.monotonic()
        with Server(program, data=self.killed) as server:
            self._write(server, 200)
            server.process.kill()
        self.place = folder / "place"

    def _write(self, server, count):
        writers = Writers(server, self.ledger, CONNECTIONS)
        writers.run(writes=count)
        writers.finish()

    def copy(self, is_killed):
        """A fresh copy of the one or the other. Returns its path."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        source = self.killed if is_killed else self.stopped
        for path in source.parent.iterdir():
            if not path.name.endswith((".lock", "-shm")):
                shutil.copy(path, self.place)
        return self.place / source.name


# The harms of a table, and what is right


def harms(report, program, dice, whole):
    def at(offset, data):
        def harm(content):
            content[offset(content) : offset(content) + len(data)] = data

        return harm

    def cut(share):
        def harm(content):
            del content[int(len(content) * share) :]

        return harm

    def flip_many(content):
        for _ in range(20):
            position = dice.randrange(32, len(content))
            content[position] ^= 1 << dice.randrange(8)

    def leave(count):
        def harm(content):
            del content[count:]

        return harm

    def page(content):
        return 4096 * dice.randrange(1, len(content) // 4096)

    # A name, what is harmed (the file, or the log of one that was killed), and how.
    table = [
        ("a header of garbage", "", at(lambda _: 0, dice.randbytes(100))),
        ("the magic number of another", "", at(lambda _: 0, b"Dear diary, ...!")),
        ("another application's id", "", at(lambda _: 68, b"ABCD")),
        ("a newer version", "", at(lambda _: 60, (99).to_bytes(4))),
        ("a page of garbage", "", at(page, dice.randbytes(4096))),
        ("half of the file", "", cut(0.5)),
        ("one page less", "", leave(-4096)),
        ("no bytes", "", cut(0)),
        ("a header alone", "", leave(100)),
    ]
    for what, ending, harm in table:
        data = whole.copy(is_killed=False)
        refused(report, program, what, harmed(data, ending, harm))
    logs = [
        ("a log with a header of garbage", at(lambda _: 0, dice.randbytes(32))),
        ("a log without its tail", cut(0.7)),
        ("a log with flipped bits", flip_many),
        ("a log of another file", at(lambda _: 16, dice.randbytes(8))),
        ("no log", cut(0)),
    ]
    for what, harm in logs:
        older(report, program, what, whole, harmed(whole.copy(is_killed=True), "-wal", harm))


def harmed(data, ending, harm):
    path = Path(f"{data}{ending}")
    content = bytearray(path.read_bytes())
    harm(content)
    path.write_bytes(content)
    return data


def refused(report, program, what, data):
    """A start says no, with the file untouched, and so does the check."""
    before = contents(data.parent)
    check = subprocess.run(command(program, "check", str(data)), capture_output=True, text=True)
    status, said = start_and_stop(program, [], data)
    after = contents(data.parent)
    report.exactly(f"{what}: exit statuses of start and check", (status, check.returncode), (1, 1))
    report.exactly(f"{what}: the file is as it was, and alone", after == before, True)
    report.exactly(f"{what}: one sentence that names it", one_sentence(said, data), True)
    report.note(f"{what}: says", said.replace(f"{data.parent}/", ""))


def contents(folder):
    """What the files of a folder hold; an empty log and its index are what looking has made."""
    return {
        path.name: digest(path)
        for path in folder.iterdir()
        if not path.name.endswith("-shm") and not (path.name.endswith("-wal") and not size(path))
    }


def size(path):
    return path.stat().st_size


def one_sentence(said, data):
    return str(data) in said and "\n" not in said


def older(report, program, what, whole, data):
    """What was in a log that is lost can't be there; but all of what is must be sound."""
    check = subprocess.run(command(program, "check", str(data)), capture_output=True, text=True)
    with Server(program, data=data) as server:
        seen = read(server, whole.ledger.goals)
        wrong = whole.ledger.contradictions(seen, at=whole.at_stop, until=math.inf)
        made = server.ask("POST", "/goals", {"title": "Goes on"}).status
    report.exactly(f"{what}: exit status of the check", check.returncode, 0)
    report.exactly(f"{what}: what the file had before is there", wrong[:3], [])
    report.exactly(f"{what}: a write", made, 201)


def not_ours(report, program, folder):
    """What else can stand where a data file should."""
    folder.mkdir()
    data = folder / "goalpost.sqlite"

    def one(what, make):
        shutil.rmtree(folder)
        folder.mkdir()
        make()
        before = sorted(str(path) for path in folder.rglob("*"))
        check = subprocess.run(command(program, "check", str(data)), capture_output=True)
        status, said = start_and_stop(program, [], data)
        after = sorted(str(path) for path in folder.rglob("*"))
        statuses = (status, check.returncode)
        report.exactly(f"{what}: exit statuses of start and check", statuses, (1, 1))
        report.exactly(f"{what}: nothing is made beside it", after == before, True)
        report.exactly(f"{what}: one sentence that names it", one_sentence(said, data), True)

    one("a folder", data.mkdir)
    one("a text", lambda: data.write_text("Dear diary,\n" * 1000))
    one("an empty file", data.touch)
    one("a link that leads nowhere", lambda: data.symlink_to(folder / "nowhere"))
    one("a log without its file", lambda: Path(f"{data}-wal").write_bytes(bytes(5000)))
    one("a database of another", lambda: make_database(data))


def make_database(path):
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE other (text TEXT)")
    database.close()


def second_server(report, program, whole):
    data = whole.copy(is_killed=False)
    with Server(program, data=data) as server:
        status, said = start_and_stop(program, [], data)
        made = server.ask("POST", "/goals", {"title": "Mine"}).status
        report.exactly("a second server: exit status", status, 1)
        report.exactly("a second server: one sentence", one_sentence(said, data), True)
        report.exactly("a second server: the first still writes", made, 201)


# Single bytes


def flips(report, program, dice, whole, count):
    """One byte of the file or of its log is another.

    Nothing may come of it, if the byte was of no use or the log of a lost write. But what is wrong
    must be refused or found: an answer that is not what clients were told, of a file that the check
    calls sound, is a silent lie. A few there are, where nothing else depends on the byte: the case of
    a letter in a title that was edited, or a target amount that was.
    """
    outcomes = {"refused": 0, "served": 0, "found by the check": 0}
    crashes, silent, replaced, touched = [], [], 0, 0
    for number in range(count):
        is_killed = number % 4 == 0
        data = whole.copy(is_killed)
        path = Path(f"{data}-wal") if is_killed else data
        content = bytearray(path.read_bytes())
        position = dice.randrange(len(content))
        content[position] ^= dice.randrange(1, 256)
        path.write_bytes(content)
        where = (path.name, position, content[position])
        before = {one.name: digest(one) for one in data.parent.iterdir()}
        check = subprocess.run(command(program, "check", str(data)), capture_output=True, text=True)
        if check.returncode not in (0, 1):
            crashes.append((where, check.returncode))
        touched += any(digest(data.parent / name) != value for name, value in before.items())
        identity = data.stat().st_ino
        outcome, problems, status = serve_once(program, whole, data, is_killed)
        replaced += data.stat().st_ino != identity
        if status not in (0, 1):
            crashes.append((where, status))
        if outcome == "refused":
            touched += digest(data) != before[data.name]
        elif check.returncode == 1:
            outcome = "found by the check"
        elif problems:
            silent.append((where, problems[0]))
        outcomes[outcome] += 1
    what = f"{count} flipped bytes"
    for outcome, number in outcomes.items():
        report.note(f"{what}: {outcome}", number)
    report.at_least(f"{what}: refused or found", count - outcomes["served"], count // 10)
    report.exactly(f"{what}: crashes", crashes[:3], [])
    report.at_most(f"{what}: wrong answers from what is called sound", len(silent), count // 200)
    report.note(f"{what}: the first of them", silent[:2])
    report.exactly(f"{what}: files replaced", replaced, 0)
    report.exactly(f"{what}: files that a check or a refusal changed", touched, 0)


def serve_once(program, whole, data, is_killed):
    """Reads everything. Returns how it went, what contradicts the clients, and the exit status."""
    try:
        server = Server(program, data=data)
        server.__enter__()
    except RuntimeError:
        return "refused", [], server.process.returncode
    try:
        problems = read_whatever(server, whole, is_killed)
        status = server.stop()[0] if server.is_alive else server.process.returncode
    finally:
        server.__exit__()
    return "served", problems, status


def read_whatever(server, whole, is_killed):
    """Contradictions, unless the server itself says that something is wrong."""
    try:
        seen = read(server, whole.ledger.goals)
    except (KeyError, ValueError, TypeError, OSError) as error:
        # No goal was answered, but a problem: that is not silent. An end of the process would be.
        ended = wait_until(lambda: not server.is_alive, 0.1) < 1
        return [f"The server ended: {error!r}"] if ended else []
    until = math.inf if is_killed else whole.at_stop
    return whole.ledger.contradictions(seen, at=whole.at_stop, until=until)
