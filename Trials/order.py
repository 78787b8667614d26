"""No answer leaves before the sync that covers its write: seen from outside, with strace."""

import re
import shutil
import subprocess
import tempfile
from collections import deque
from pathlib import Path

from support import Server, Skipped, goal, request

CALLS = "fdatasync,fsync,sendto,sendmsg,write,writev,pwrite64"

# More than a page of the log and more than an answer: what is written shows in the trace.
SHOWN_BYTES = 4200

MARK = re.compile(r"mark-\d{6}-of-order")


def play(report, program, short):
    if not shutil.which("strace"):
        raise Skipped("there is no strace here")
    attempt = subprocess.run(["strace", "-f", "-e", "trace=write", "true"], capture_output=True)
    if attempt.returncode != 0:
        raise Skipped("strace may not attach to a program here")
    writes = 250 if short else 1000
    for connections in [1, 8, 64]:
        with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
            trace = Path(folder) / "trace"
            record(program, Path(folder) / "goalpost.sqlite", trace, connections, writes)
            lines = trace.read_text(errors="replace").splitlines()
        what = f"{writes} writes over {connections} connections"
        found = Order(lines)
        report.exactly(f"{what}: answers whose sync was seen", found.covered, writes)
        report.exactly(f"{what}: answers that left before it", found.early[:3], [])
        # The first few commits have little to share, which counts more where there are few.
        bound = (1 / 4 if short else 1 / 8) if connections == 64 else 1.1
        report.at_most(f"{what}: syncs for each write", found.syncs / writes, bound)
    blind = Order([line for line in lines if "fdatasync" not in line])
    report.exactly("control, a trace without syncs: answers whose sync was seen", blind.covered, 0)


def record(program, data, trace, connections, writes):
    """Makes goals, each with a mark of its own, and has the server traced meanwhile."""
    prefix = ["strace", "-D", "-f", "-y", "--seccomp-bpf", "-s", str(SHOWN_BYTES)]
    prefix += ["-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(trace)]
    with Server(program, prefix=prefix, data=data) as server:
        clients = [server.connect(patience=30) for _ in range(connections)]
        left = deque(f"mark-{number:06}-of-order" for number in range(writes))
        waiting = deque()
        while left or waiting:
            while left and len(waiting) < connections:
                # The one that has been answered longest ago.
                client = clients[-len(left) % connections]
                client.send(request("POST", "/goals", goal("Ordered") | {"note": left.popleft()}))
                waiting.append(client)
            status = waiting.popleft().answer().status
            if status != 201:
                raise RuntimeError(f"The server makes no goals: {status}")
        for client in clients:
            client.close()
        server.stop()


class Order:
    """What a trace says of when each write was in the log, synced and answered."""

    def __init__(self, lines):
        self.syncs = 0
        self.covered = 0
        self.early = []
        in_log, synced = set(), set()
        # The writes that came to the log since its last sync began, and those that each thread
        # waits for in its sync.
        unsynced, awaited = [], {}
        for line in lines:
            process, _, call = line.partition(" ")
            call = call.lstrip()
            if re.match(r"f(data)?sync\(", call):
                self.syncs += 1
                awaited[process] = []
                if "-wal>" in call:
                    awaited[process], unsynced = unsynced, []
            if re.search(r"f(data)?sync(\(| resumed>).* = 0$", call):
                synced.update(awaited.pop(process, []))
            elif re.match(r"pwrite64\(\d+<[^>]*-wal>", call):
                marks_here = set(MARK.findall(call)) - in_log
                in_log |= marks_here
                unsynced += marks_here
            elif "HTTP/1.1 201" in call:
                for mark in MARK.findall(call):
                    if mark in synced:
                        self.covered += 1
                    else:
                        self.early.append(mark)
