"""What the program takes: resident memory, and its size."""

import shutil
import subprocess
import time

from beside_nginx import TRANSACTION
from client import expect
from data_file import Group, goal_path
from load import Load, Request, end_wrk, start_wrk
from report import Row, at_most

MEBIBYTE = 1024 * 1024

# What the image installs on top of its base (see Dockerfile) and the base does not have.
PACKAGES = ["libsqlite3-0", "tzdata"]


def idle(bench):
    """resident memory after the start"""
    found = []
    for _ in range(bench.rounds):
        with bench.goalpost(bench.place()) as server, server.client() as client:
            client.get("/readyz")
            found.append(server.resident_mebibytes)
    return [Row("idle after the start", "resident", "MiB", found, aim=at_most(25, "MiB"))]


def mixed(bench):
    """resident memory after minutes of mixed load, beside that after a fifth of them"""
    seconds = max(round(bench.minutes * 60), 3)
    data = bench.data(Group(bench.sizes.cached_goals, 10))
    samples = []
    with bench.goalpost(data) as server:
        with server.client() as client:
            # The first of those that the load deletes.
            for number in range(1_000):
                client.post("/goals", {"id": made_id(f"{number:012x}"), "title": "Old"})
        load = Load(mixture(bench.sizes.cached_goals))
        process = start_wrk(server, load, bench.folder, seconds, bench.connections)
        while process.poll() is None:
            samples.append(server.resident_mebibytes)
            time.sleep(min(1, seconds / 20))
        answers, _, _, _ = end_wrk(process, seconds)
    bench.check(data)
    bench.remove(data)
    fifth = len(samples) // 5
    early, late = samples[fifth : 2 * fifth], samples[-fifth:]
    work = f"after {seconds / 60:.3g} minutes of mixed load ({answers:,} requests)"
    return [
        Row(work, "resident", "MiB", late, "after a fifth", early, at_most(1.1)),
    ]


def made_id(digits):
    return f"00000000-0000-4000-8000-{digits}"


def mixture(goals):
    """Requests as an app's users send them: mostly reads, and some of every write."""
    requests = []
    for number in range(goals):
        path = goal_path(number)
        requests += [
            Request(path),
            Request(path + "/statistics"),
            Request(path + "/transactions", "POST", TRANSACTION),
            Request(path + "/statistics"),
            Request(path + "/transactions?limit=20"),
        ]
        if number % 5 == 0:
            body = f'{{"note":"{{now}}","status":"{("active", "paused")[number % 2]}"}}'
            requests += [
                Request("/goals?limit=50"),
                Request(
                    "/goals", "POST", f'{{"id":"{made_id("{new}")}","title":"A goal of a user"}}'
                ),
                Request(path, "PATCH", body),
                Request("/goals/" + made_id("{old}"), "DELETE"),
            ]
        if number % 500 == 0:
            requests.append(Request("/goals?search=ferry&limit=10"))
    return requests


def connections(bench):
    """resident memory with 10,000 idle connections"""
    count = bench.sizes.idle_connections
    with bench.goalpost(bench.place(), "--idle-timeout", "600") as server:
        with server.client() as client:
            client.get("/readyz")
        before = server.resident_mebibytes
        clients = []
        try:
            for _ in range(count):
                clients.append(server.client())
                clients[-1].get("/livez")
            resident = server.resident_mebibytes
            for client in clients[:: count // 50]:
                expect(client.get("/livez").status == 200, "an idle connection is not served")
        finally:
            for client in clients:
                client.socket.close()
    return [
        Row(f"{count:,} idle connections", "resident", "MiB", [resident], aim=at_most(100, "MiB")),
        Row("an idle connection", "resident", "KiB", [(resident - before) * 1024 / count]),
    ]


def program(bench):
    """the size of the stripped program, and what the image adds to its base"""
    stripped = bench.folder / "stripped"
    shutil.copy(bench.program, stripped)
    # As the Dockerfile has the linker do it.
    subprocess.run(["strip", "--strip-all", str(stripped)], check=True)
    expect(
        b"Usage:" in subprocess.run([stripped, "--help"], capture_output=True, check=True).stdout,
        "the stripped program does not run",
    )
    size = stripped.stat().st_size / MEBIBYTE
    found = [Row("the program, stripped", "size", "MiB", [size], aim=at_most(60, "MiB"))]
    installed = subprocess.run(
        ["dpkg-query", "--show", "--showformat", "${Installed-Size}\n", *PACKAGES],
        capture_output=True,
        text=True,
    )
    if installed.returncode == 0:
        packages = sum(map(int, installed.stdout.split())) / 1024
        found.append(
            Row(
                "the program and the packages of its image",
                "size",
                "MiB",
                [size + packages],
                aim=at_most(65, "MiB"),
            )
        )
    return found


ROWS = {"idle": idle, "mixed": mixed, "connections": connections, "program": program}
