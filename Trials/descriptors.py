"""More connections than the process may have descriptors."""

import re
import shutil
import subprocess
import time
from pathlib import Path

from support import Server, Skipped, goal, request, wait_until

LINGER = 1
LIMIT = 128
HELD = 300

# How many descriptors are taken once connections get none any more: the last are for the rest of
# the program.
FULL = LIMIT - 30


def play(report, program, short):
    if not shutil.which("prlimit"):
        raise Skipped("there is no prlimit here")
    with Server(program, prefix=["prlimit", "--nofile=64:4096"]) as server:
        report.exactly("limit of a server that was started with 64 of 4096", soft(server), 4096)
    options = ["--linger-timeout", str(LINGER)]
    with Server(program, prefix=["prlimit", f"--nofile={LIMIT}"]) as server:
        out_of_descriptors(report, server, seconds=2 if short else 10)
    with Server(program, *options) as server:
        out_of_the_systems(report, server, seconds=2 if short else 10)
    with Server(program, *options, prefix=["prlimit", f"--nofile={LIMIT}"]) as server:
        stop_meanwhile(report, server)


def soft(server):
    limits = Path(f"/proc/{server.pid}/limits").read_text()
    return int(re.search(r"Max open files\s+(\d+)", limits).group(1))


def out_of_descriptors(report, server, seconds):
    server.fill()
    inside = [server.connect() for _ in range(8)]
    statuses = [client.ask("GET", "/livez").status for client in inside]
    report.exactly("8 clients before: answers 200", statuses.count(200), 8)
    held = [server.connect() for _ in range(HELD)]
    full = wait_until(lambda: server.descriptors >= FULL, 5)
    report.at_most(f"{HELD} connections of {LIMIT} descriptors: full after", full, 5.0, "s")

    report.at_most("processor time meanwhile", processor_time(server, seconds), 20.0, "%")
    report.exactly("alive", server.is_alive, True)
    serve_in_full(report, inside)

    for client in held:
        client.close()
    served = wait_until(server.is_serving, 10)
    report.at_most("serves new connections again after", served, 1.0, "s")
    for client in inside:
        client.close()


def serve_in_full(report, inside):
    """Those that are in are served, all at once, although it may take a file to do so."""
    made = inside[0].ask("POST", "/goals", goal("A tent")).json["id"]
    for method, target, body, status in [
        ("POST", "/goals", goal("A bike"), 201),
        ("GET", "/goals?limit=200", None, 200),
        ("GET", "/goals?search=bike", None, 200),
        ("GET", f"/goals/{made}/statistics?timeZone=Asia/Kathmandu", None, 200),
        ("GET", "/readyz", None, 200),
    ]:
        others = 0
        for _ in range(20):
            for client in inside:
                client.send(request(method, target, body))
            others += sum(client.answer().status != status for client in inside)
        what = f"{method} {target.replace(made, '...')} of those who are in"
        report.exactly(f"{what}: answers other than {status}, of 160", others, 0)


def processor_time(server, seconds):
    """What the server uses of a core, in percent."""
    cpu, began = server.cpu_seconds, time.monotonic()
    wait_until(lambda: not server.is_alive, seconds)
    return (server.cpu_seconds - cpu) / (time.monotonic() - began) * 100


def out_of_the_systems(report, server, seconds):
    """As if all other processes had taken what the system has: accepting fails, and those who
    wait to be accepted go on waiting."""
    what = "descriptors run out unforeseen"
    inside = [server.connect() for _ in range(8)]
    statuses = [client.ask("GET", "/goals?limit=200").status for client in inside]
    report.exactly(f"{what}: answers 200 before", statuses.count(200), 8)
    limit = server.descriptors + 20
    subprocess.run(["prlimit", f"--pid={server.pid}", f"--nofile={limit}:4096"], check=True)
    held = [server.connect() for _ in range(HELD)]
    full = wait_until(lambda: server.descriptors == limit, 5)
    report.at_most(f"{what}: after", full, 5.0, "s")
    share = processor_time(server, seconds)
    report.at_most(f"{what}: processor time meanwhile", share, 20.0, "%")
    report.exactly(f"{what}: alive", server.is_alive, True)
    statuses = [client.ask("GET", "/livez").status for client in inside]
    report.exactly(f"{what}: answers 200 to those who are in", statuses.count(200), 8)
    for client in held:
        client.close()
    served = wait_until(server.is_serving, 10)
    report.at_most(f"{what}: serves new connections again after", served, 1.0, "s")
    held = [server.connect() for _ in range(HELD)]
    wait_until(lambda: server.descriptors == limit, 5)
    stop(report, server, f"{what}: a stop meanwhile", [*inside, *held])


def stop_meanwhile(report, server):
    held = [server.connect() for _ in range(HELD)]
    wait_until(lambda: server.descriptors >= FULL, 5)
    stop(report, server, "a stop while out of descriptors", held)


def stop(report, server, what, held):
    status, lasted = server.stop()
    report.exactly(f"{what}: exit status", status, 0)
    # Those that were told so may take as long to hang up as anybody.
    report.at_most(f"{what}: takes", lasted, LINGER + 1.0, "s")
    for client in held:
        client.close()
