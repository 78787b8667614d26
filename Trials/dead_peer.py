"""Clients whose machine is gone: nothing comes from them any more, not even a RST."""

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

from support import Client, Server, Skipped, request, wait_until

# Of a network that is set aside for trials like this one (RFC 2544).
HERE, THERE = "198.18.77.1", "198.18.77.2"
TIMEOUT, LATE = 2, 1.5
EACH = 5


def play(report, program, short):
    # Only this machine has the other one.
    options = ["--host", HERE, "--insecure-no-auth"]
    for name in ["head", "body", "idle", "write", "linger"]:
        options += [f"--{name}-timeout", str(TIMEOUT)]
    with other_machine() as machine, Server(program, *options) as server:
        server.fill()
        wait_until(lambda: not server.is_alive, 0.1)
        before = server.descriptors
        clients = subprocess.Popen(
            [*machine.command, sys.executable, __file__, server.host, str(server.port)],
            stdout=subprocess.PIPE,
        )
        try:
            if clients.stdout.readline() != b"ready\n":
                raise RuntimeError("The clients did not get ready")
            # The last of them may not have been accepted yet, and one that filled the server may
            # have been counted before it was closed.
            wait_until(lambda: server.descriptors - before >= 5 * EACH, 0.5)
            open_connections = server.descriptors - before
            machine.vanish()
            gone = wait_until(lambda: server.descriptors <= before, 5 * TIMEOUT)
            report.at_least(
                "connections when their machine vanished", open_connections, 5 * EACH - 1
            )
            # A time-out that ends in order is followed by one for the client's end of it.
            report.at_most("all of them are gone after", gone, 2 * TIMEOUT + LATE, "s")
            report.exactly("alive", server.is_alive, True)
            status, lasted = server.stop()
            report.exactly("exit status", status, 0)
            report.at_most("a stop takes", lasted, 1.0, "s")
        finally:
            clients.kill()
            clients.wait()


class Machine:
    """A network of its own, with one wire to ours."""

    def __init__(self):
        self.name = f"goalpost-{os.getpid()}"
        self.ours, self.theirs = f"gpa{os.getpid()}", f"gpb{os.getpid()}"
        self.command = ["ip", "netns", "exec", self.name]

    def vanish(self):
        run(*self.command, "ip", "link", "set", self.theirs, "down")


@contextmanager
def other_machine():
    if os.geteuid() != 0 or not shutil.which("ip"):
        raise Skipped("it takes root and the program ip to make a network")
    machine = Machine()
    try:
        run("ip", "netns", "add", machine.name)
    except subprocess.CalledProcessError as error:
        raise Skipped(f"this system makes no network: {error.stderr.strip()}") from error
    try:
        try:
            run("ip", "link", "add", machine.ours, "type", "veth", "peer", machine.theirs)
        except subprocess.CalledProcessError as error:
            raise Skipped(f"this system makes no wire: {error.stderr.strip()}") from error
        run("ip", "link", "set", machine.theirs, "netns", machine.name)
        run("ip", "addr", "add", f"{HERE}/30", "dev", machine.ours)
        run("ip", "link", "set", machine.ours, "up")
        run(*machine.command, "ip", "addr", "add", f"{THERE}/30", "dev", machine.theirs)
        run(*machine.command, "ip", "link", "set", machine.theirs, "up")
        yield machine
    finally:
        # A network lives on while one of its connections does, and with it the wire, whose address
        # the next one will want.
        subprocess.run(["ip", "link", "delete", machine.ours], capture_output=True)
        run("ip", "netns", "delete", machine.name)


def run(*command):
    subprocess.run(command, check=True, capture_output=True, text=True)


def connect_in_every_state(host, port):
    """What runs on the other machine: connects, gets each connection into its state, and waits."""
    post = b"POST /goals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    clients = []
    for _ in range(EACH):
        for data, answers in [
            (request("GET", "/livez"), 1),
            (b"GET /goals HTTP/1.1\r\nHo", 0),
            (post + b"Content-Length: 100\r\n\r\n{", 0),
            (post + b"Content-Length: 9000000\r\n\r\n", 1),
            (request("GET", "/goals?limit=200") * 200, 0),
        ]:
            client = Client(host, port, receive_buffer=4096)
            client.send(data)
            for _ in range(answers):
                client.answer()
            clients.append(client)
    print("ready", flush=True)
    time.sleep(600)


if __name__ == "__main__":
    connect_in_every_state(sys.argv[1], int(sys.argv[2]))
