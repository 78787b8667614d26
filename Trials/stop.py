"""SIGTERM in the middle of everything."""

import math
import random
import selectors
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from support import Server, command, goal, in_background, parse_answer, request, wait_until

STOP_TIMEOUT = 3

# More than the events that a loop takes at a time, on each of two loops.
WRITERS = 600


def play(report, program, short):
    waiting_to_be_accepted(report, program)
    arrived_unread(report, program)
    with_the_first_word(report, program, rounds=20 if short else 150)
    second_signal(report, program)
    hang_up_signal(report, program)
    under_load(report, program, rounds=3 if short else 24)


# Under load


def under_load(report, program, rounds):
    totals = dict.fromkeys(["halves", "dropped", "ghosts", "lost", "acknowledged", "sent"], 0)
    slowest, slowest_stalled, statuses = 0.0, 0.0, set()
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        data = Path(folder) / "goalpost.sqlite"
        for number in range(rounds):
            is_stalled = number % 3 == 1
            options = ["--stop-timeout", str(STOP_TIMEOUT)]
            with Server(program, *options, data=data) as server:
                stalled = stall(server) if is_stalled else []
                with in_background(write_without_end, server, number) as result:
                    wait_until(lambda: not server.is_alive, random.uniform(0.1, 0.5))
                    asked = time.monotonic()
                    status, lasted = server.stop()
                    written = result()
                for client in stalled:
                    client.close()
            statuses.add(status)
            if is_stalled:
                slowest_stalled = max(slowest_stalled, lasted)
            else:
                slowest = max(slowest, lasted)
            with Server(program, data=data) as server:
                tally(written, asked, stored_ids(server, number), totals)
    what = f"{rounds} stops under {WRITERS} writers"
    report.note(f"{what}: writes sent", totals["sent"])
    report.note(f"{what}: writes acknowledged", totals["acknowledged"])
    report.exactly(f"{what}: exit statuses", statuses, {0})
    report.at_most(f"{what}: slowest", slowest, 2.0, "s")
    limit = STOP_TIMEOUT + 1.0
    report.at_most(f"{what}: slowest with stalled clients", slowest_stalled, limit, "s")
    report.exactly(f"{what}: answers cut in half", totals["halves"], 0)
    report.exactly(f"{what}: acknowledged writes that are missing", totals["lost"], 0)
    report.exactly(f"{what}: requests from before that had no answer", totals["dropped"], 0)
    report.exactly(f"{what}: writes that were made and had no answer", totals["ghosts"], 0)


def stall(server):
    """Clients that will not let a server go: each has begun something and never ends it."""
    head = b"POST /goals HTTP/1.1\r\nHost: localhost\r\n"
    stalled = []
    for data in [head, head + b"Content-Length: 100\r\n\r\n{", request("GET", "/livez") * 20_000]:
        client = server.connect(receive_buffer=4096)
        client.socket.setblocking(False)
        try:
            client.send(data)
        except BlockingIOError:
            pass  # The server reads no more of it, which is what is wanted.
        stalled.append(client)
    return stalled


def write_without_end(server, round_number, *, ready, stop):
    """Writers that each make a goal, and another once they have the answer, until the server ends
    their connection.

    Returns for each write its id, when it was sent, and the status of its answer, or what came of
    it."""
    selector = selectors.DefaultSelector()
    writes, number = [], 0

    def write(client):
        nonlocal number
        number += 1
        client.write = [identifier(round_number, number), math.inf, None]
        writes.append(client.write)
        body = goal("Written until the end") | {"id": client.write[0]}
        try:
            client.socket.send(request("POST", "/goals", body))
        except ConnectionError:
            writes.pop()  # The server had ended the connection before.
            return False
        client.write[1] = time.monotonic()
        return True

    for _ in range(WRITERS):
        client = server.connect()
        client.socket.setblocking(False)
        selector.register(client.socket, selectors.EVENT_READ, client)
        write(client)
    ready.set()
    # Each connection ends when the server does, at the latest, and has been read to its end then.
    while selector.get_map():
        for key, _ in selector.select(0.1):
            client = key.data
            try:
                piece = client.socket.recv(65536)
            except ConnectionResetError:
                piece = b""
            client.buffer += piece
            found = parse_answer(client.buffer)
            is_over = not piece
            if found:
                answer, length = found
                del client.buffer[:length]
                client.write[2] = answer.status
                is_over = is_over or answer.fields.get("connection") == "close"
                is_over = is_over or not write(client)
            if is_over:
                if client.write[2] is None and client.buffer:
                    client.write[2] = bytes(client.buffer)
                selector.unregister(client.socket)
                client.close()
    return writes


def server_is_there(server):
    try:
        socket.create_connection((server.host, server.port), 1).close()
        return True
    except OSError:
        return False


def identifier(round_number, number):
    return f"{round_number:08x}-0000-7000-8000-{number:012x}"


def stored_ids(server, round_number):
    """The ids of all goals that were made in a round."""
    ids, cursor = set(), ""
    prefix = f"{round_number:08x}-"
    with server.connect() as client:
        while cursor is not None:
            page = client.ask("GET", f"/goals?limit=200{cursor}").json
            ids |= {one["id"] for one in page["items"] if one["id"].startswith(prefix)}
            cursor = page["nextCursor"] and f"&cursor={page['nextCursor']}"
    return ids


def tally(writes, asked, stored, totals):
    for identity, sent, outcome in writes:
        totals["sent"] += 1
        if outcome == 201:
            totals["acknowledged"] += 1
            totals["lost"] += identity not in stored
        elif outcome is None:
            totals["dropped"] += sent < asked
            totals["ghosts"] += identity in stored
        elif isinstance(outcome, bytes):
            totals["halves"] += 1


# Other stops


def waiting_to_be_accepted(report, program):
    """Connections whose requests were sent when the signal came, accepted or not."""
    with Server(program) as server:
        clients = [server.connect() for _ in range(500)]
        for client in clients:
            client.send(request("GET", "/livez"))
        status, _ = server.stop()
        unanswered = sum(not is_answered(client) for client in clients)
    report.exactly("500 connections that wait to be accepted: without an answer", unanswered, 0)
    report.exactly("500 connections that wait to be accepted: exit status", status, 0)


def arrived_unread(report, program):
    """More requests than a loop hears of at a time, on connections that were idle until then. The
    server stands still while they and the signal come."""
    with Server(program) as server:
        clients = [server.connect() for _ in range(1_500)]
        for client in clients:
            client.ask("GET", "/livez")
        server.signal(signal.SIGSTOP)
        for client in clients:
            client.send(request("GET", "/livez"))
        server.signal(signal.SIGTERM)
        server.signal(signal.SIGCONT)
        status, _ = server.wait(30, time.monotonic())
        unanswered = sum(not is_answered(client) for client in clients)
    report.exactly("1,500 requests that come with the signal: without an answer", unanswered, 0)
    report.exactly("1,500 requests that come with the signal: exit status", status, 0)


def is_answered(client):
    """Whether the connection has an answer, which is read."""
    try:
        return client.answer().status == 200
    except ConnectionError:
        return False
    finally:
        client.close()


def with_the_first_word(report, program, rounds):
    """The signal comes as soon as the server says that it listens."""
    statuses = set()
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
            data = Path(folder) / "goalpost.sqlite"
            arguments = command(program, "--port", "0", "--data", str(data))
            with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
                next(line for line in process.stderr if "Listening" in line)
                process.terminate()
                try:
                    statuses.add(process.wait(10))
                except subprocess.TimeoutExpired:
                    process.kill()
                    statuses.add("none")
    report.exactly(f"{rounds} signals with the first word: exit statuses", statuses, {0})


def second_signal(report, program):
    """The first signal waits for a client that will not finish; the second one does not."""
    with Server(program, "--stop-timeout", "60") as server:
        client = server.connect()
        client.send(b"POST /goals HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
        # An answer on another connection of each loop: the body has been read by then.
        for _ in range(4):
            server.ask("GET", "/livez")
        server.signal(signal.SIGTERM)
        closed = wait_until(lambda: not server_is_there(server), 5)
        report.at_most("one signal: new connections are refused after", closed, 1.0, "s")
        report.exactly("one signal: waits for a client", server.is_alive, True)
        began = time.monotonic()
        server.signal(signal.SIGTERM)
        status, lasted = server.wait(10, began)
        client.close()
    report.at_most("a second signal: ends after", lasted, 0.5, "s")
    report.exactly("a second signal: exit status", status, -signal.SIGTERM)


def hang_up_signal(report, program):
    with Server(program) as server:
        for number in [signal.SIGHUP, signal.SIGPIPE]:
            server.signal(number)
        report.exactly("serves after SIGHUP and SIGPIPE", server.is_serving(), True)
        status, lasted = server.stop()
    report.exactly("a stop without clients: exit status", status, 0)
    report.at_most("a stop without clients: takes", lasted, 0.5, "s")
