"""The log while clients write and others read all the time: its length, and what that costs."""

import math
import random
import sqlite3
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from ledger import Ledger, Writers, read
from support import MEBIBYTE, Server, busy, in_background, judge, request

WRITERS = 16
READERS = 8

# What a reader does that is not done soon: all pages of what it can ask for at once.
READS = request("GET", "/goals?limit=200")


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        data = Path(folder) / "goalpost.sqlite"
        under_readers(report, program, data, random.Random(seed), seconds=10 if short else 300)
        if not short:
            control(report, program, Path(folder) / "control.sqlite", random.Random(seed))


def under_readers(report, program, data, dice, seconds):
    ledger = Ledger(dice)
    with Server(program, data=data) as server:
        server.fill()
        with ExitStack() as stack:
            reads = [
                stack.enter_context(in_background(busy, server, READS, READERS // 2, 0))
                for _ in range(2)
            ]
            sizes, writers = write(server, ledger, data, seconds)
            read_count = sum(result().count for result in reads)
        latencies = sorted(1000 * latency for _, latency in writers.latencies)
        # What is left is folded in by the stop, and none of it is lost.
        status, lasted = server.stop()
    log_after = size(f"{data}-wal")
    what = f"{seconds} s of {WRITERS} writers and {READERS} readers"
    report.note(f"{what}: writes, reads", (ledger.counts.total(), read_count))
    report.note(f"{what}: median of a write", latencies[len(latencies) // 2], "ms")
    for name, share, bound in [("99th", 0.99, 250), ("99.9th", 0.999, 500)]:
        latency = latencies[math.ceil(len(latencies) * share) - 1]
        report.at_most(f"{what}: {name} percentile of a write", latency, float(bound), "ms")
    report.note(f"{what}: the slowest write", latencies[-1], "ms")
    report.at_most(f"{what}: longest log", max(sizes) / MEBIBYTE, 16.0, "MiB")
    report.note(f"{what}: pages of the file", size(data) // 4096)
    report.exactly("the stop after it: exit status", status, 0)
    report.exactly("the stop after it: bytes of the log", log_after, 0)
    report.at_most("the stop after it: takes", lasted, 2.0, "s")
    report.exactly("the stop after it: the file is sound", judge(program, data), 0)
    with Server(program, data=data) as server:
        goals = ledger.goals[:: max(1, len(ledger.goals) // 50)]
        wrong = ledger.contradictions(read(server, goals), goals=goals)
    report.exactly("the stop after it: contradictions", wrong[:3], [])


def write(server, ledger, data, seconds):
    """Writes for so long. Returns the sizes that the log had meanwhile, and the writers."""
    writers = Writers(server, ledger, WRITERS)
    sizes, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        writers.run(seconds=0.05)
        sizes.append(size(f"{data}-wal"))
    writers.finish()
    return sizes, writers


def size(path):
    path = Path(path)
    return path.stat().st_size if path.exists() else 0


def control(report, program, data, dice):
    """The trial sees a log that can't be folded in: here another process reads one old state."""
    with Server(program, data=data) as server:
        server.fill(5)
        reader = sqlite3.connect(f"file:{data}?mode=ro", uri=True, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM goals").fetchone()
        sizes, _ = write(server, Ledger(dice), data, 20)
        reader.close()
    report.at_least("control, a reader that never ends: longest log", max(sizes) / MEBIBYTE, 16.0)
