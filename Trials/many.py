"""Thousands of idle connections, and more connections than there may be."""

import math
import selectors
import time

from support import Server, loaded, need_descriptors, request

# Connections of one source address: each has about 28,000 ports.
PER_ADDRESS = 2_500
BUSY = 64
RATIO = 1.5


def play(report, program, short):
    count = 2_000 if short else 10_000
    need_descriptors(count)
    with Server(program, "--idle-timeout", "600") as server:
        idle_mass(report, server, count, rounds=2 if short else 5)
    with Server(program, "--max-connections", "100", "--linger-timeout", "2") as server:
        beyond_the_limit(report, server, 100)


def idle_mass(report, server, count, rounds):
    """The busy ones are measured with and without the idle ones in turn: a machine's speed changes
    by the minute, so the fastest round of each is compared."""
    data = request("GET", "/livez")
    seconds = 2 if rounds > 2 else 1
    loaded(server, data, BUSY, 1)
    before = server.resident
    without, beside, served, peak = [], [], 0, 0.0
    # More rounds where the machine's speed changes within one.
    while len(beside) < rounds or (
        min(beside) > RATIO * min(without) and len(beside) < 3 * rounds
    ):
        without.append(loaded(server, data, BUSY, seconds).median)
        idle = connect_idle(server, count)
        load = loaded(server, data, BUSY, seconds)
        beside.append(load.median)
        peak = max(peak, server.resident)
        served += sum(is_served(client) for client in idle[:: count // 50])
        for client in idle:
            client.close()
    report.note("idle connections that were there", count)
    report.at_most("resident memory", peak, 100.0, "MiB")
    report.note("of that, each idle connection", (peak - before) * 1024 / count, "KiB")
    report.note("median of 64 busy ones without them", min(without), "ms")
    report.at_most("median beside them", min(beside), RATIO * min(without), "ms")
    report.exactly("idle ones of a sample that are served in the end", served, 50 * len(beside))


def connect_idle(server, count):
    """Connections that each have had an answer, from several addresses."""
    clients = []
    for number in range(count):
        client = server.connect(source=f"127.0.0.{2 + number // PER_ADDRESS}")
        client.send(request("GET", "/livez"))
        clients.append(client)
    for client in clients:
        if client.answer().status != 200:
            raise RuntimeError("An idle connection was not served first")
    return clients


def is_served(client):
    client.send(request("GET", "/livez"))
    return client.answer().status == 200


def beyond_the_limit(report, server, limit):
    """A quick 503 and the end; and with very many that will not go, never a hang."""
    inside = connect_idle(server, limit)
    polite = [refused(server) for _ in range(50)]
    statuses = [status for status, _ in polite]
    report.exactly("beyond the limit: of 50 connections told 503", statuses.count(503), 50)
    report.at_most("beyond the limit: told within", max(t for _, t in polite), 0.5, "s")

    # Far more than there are places for those that are told so; none of them hangs up.
    told, ended, last = stubborn(server, 600)
    report.note("beyond the limit: of 600 that don't hang up, told 503", told)
    report.exactly("beyond the limit: of 600 that don't hang up, ended by the server", ended, 600)
    report.at_most("beyond the limit: the last of them after", last, 10.0, "s")
    served = sum(is_served(client) for client in inside)
    report.exactly("beyond the limit: those within it that are served", served, limit)
    for client in inside:
        client.close()
    report.exactly("beyond the limit: serves anew", server.is_serving(), True)


def refused(server):
    """Returns what a connection beyond the limit is told, and how long all of that took."""
    began = time.monotonic()
    with server.connect() as client:
        status = client.answer().status
        client.read_to_end()
    return status, time.monotonic() - began


def stubborn(server, count):
    """Clients that ask, read what they are told, and leave it to the server to end.

    Returns how many were told 503, how many the server ended, and when it ended the last one.
    """
    selector = selectors.DefaultSelector()
    told = ended = 0
    last = math.inf
    began = time.monotonic()
    for _ in range(count):
        client = server.connect()
        client.send(request("GET", "/livez"))
        client.socket.setblocking(False)
        selector.register(client.socket, selectors.EVENT_READ, client)
    held = []
    while selector.get_map() and time.monotonic() - began < 30:
        for key, _ in selector.select(0.1):
            try:
                piece = key.data.socket.recv(65536)
            except ConnectionResetError:
                piece = b""
            told += piece.startswith(b"HTTP/1.1 503 ")
            if not piece:
                ended += 1
                last = time.monotonic() - began
                selector.unregister(key.fileobj)
                held.append(key.data)
    for client in held:
        client.close()
    return told, ended, last
