"""More connections than the process may have descriptors."""

import re
import shutil
import time
from pathlib import Path

from support import Server, Skipped, goal, request, wait_until

LIMIT = 128
HELD = 300


def play(report, program, short):
    if not shutil.which("prlimit"):
        raise Skipped("there is no prlimit here")
    with Server(program, prefix=["prlimit", "--nofile=64:4096"]) as server:
        report.exactly("limit of a server that was started with 64 of 4096", soft(server), 4096)
    with Server(program, prefix=["prlimit", f"--nofile={LIMIT}"]) as server:
        out_of_descriptors(report, server, seconds=2 if short else 10)


def soft(server):
    limits = Path(f"/proc/{server.pid}/limits").read_text()
    return int(re.search(r"Max open files\s+(\d+)", limits).group(1))


def out_of_descriptors(report, server, seconds):
    with server.connect() as first:
        status = first.ask("GET", "/livez").status
        report.exactly("an answer before", status, 200)
        held = [server.connect() for _ in range(HELD)]
        used = wait_until(lambda: server.descriptors == LIMIT, 5)
        report.at_most("out of descriptors after", used, 5.0, "s")

        cpu, began = server.cpu_seconds, time.monotonic()
        wait_until(lambda: not server.is_alive, seconds)
        share = (server.cpu_seconds - cpu) / (time.monotonic() - began)
        report.at_most("processor time while out of descriptors", share * 100, 20.0, "%")
        report.exactly("alive", server.is_alive, True)
        # Those that are in are served in full, although nothing can be opened.
        for method, target, body, expected in [
            ("POST", "/goals", goal("A bike"), 201),
            ("GET", "/goals?limit=200", None, 200),
            ("GET", "/readyz", None, 200),
        ]:
            status = first.ask(method, target, body).status
            report.exactly(f"{method} {target} on a connection that is in", status, expected)
        made = first.ask("POST", "/goals", goal("A tent")).json["id"]
        status = first.ask("GET", f"/goals/{made}/statistics?timeZone=Asia/Kathmandu").status
        report.exactly("statistics in a time zone that was not used before", status, 200)

        for client in held:
            client.close()
        served = wait_until(server.is_serving, 10)
        report.at_most("serves new connections again after", served, 1.0, "s")
