"""Clients that send slowly, or read slowly, or not at all."""

import math
import selectors
import time

from support import MEBIBYTE, Server, in_background, others, parse_answer, request

KIBIBYTE = 1024

# How late a deadline may be noticed: it is looked at every quarter of a second, and the machine may
# be busy.
LATE = 1.5

# How long it may take to fill the kernel's buffers of 50 readers, before the time-out begins.
FILLING = 5.0
HEAD = 16 * KIBIBYTE
BODY = 1024 * KIBIBYTE
OUTPUT = 64 * KIBIBYTE
LARGE_OUTPUT = 4096 * KIBIBYTE
READ = 64 * KIBIBYTE

# What the allocator may keep beyond the buffers themselves, for all connections together.
ALLOCATOR = 12


def play(report, program, short):
    timeout = 1 if short else 5
    options = []
    for name in ["head", "body", "idle", "write", "linger"]:
        options += [f"--{name}-timeout", str(timeout)]
    with Server(program, *options) as server:
        size = server.fill()
        with others(server) as polite:
            silent_readers(report, server, size, timeout)
            senders(report, server, timeout)
            held_bodies(report, server)
            load = polite()
        # A gate shares its machine with others.
        limit = 500.0 if short else 250.0
        report.at_most("p99 of another client meanwhile", load.p99, limit, "ms")
        report.exactly("its answers other than 200", load.count - load.statuses[200], 0)
    # With the time-outs as they are, and more output than a socket's own buffer frees at a time.
    with Server(program, "--max-output-bytes", str(LARGE_OUTPUT)) as server:
        size = server.fill()
        sluggish_readers(report, server, size, mebibytes=16 if short else 100)


# Sending


def senders(report, server, timeout):
    """A byte now and then, or none at all: each is told so at the deadline, and hung up on.

    Five bytes come within the time-out, so that one which starts anew with each never ends."""
    head = b"POST /goals HTTP/1.1\r\nHost: localhost\r\n"
    long = b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    cases = {
        "a head that trickles": (b"", b"GET /goals HTTP/1.1\r\nHost: localhost\r\n\r\n", 408),
        "a head that stops": (head, b"", 408),
        "a body that trickles": (head + long, b"{" + b" " * 1000, 408),
        "a body that stops": (head + long + b"{", b"", 408),
        "a chunked body that stops": (
            head + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
            b"",
            408,
        ),
        "silence": (b"", b"", None),
        "silence after an answer": (request("GET", "/livez"), b"", 200),
    }
    clients = [(name, server.connect(), *case) for name, case in cases.items() for _ in range(10)]
    began = time.monotonic()
    for _, client, at_once, _, _ in clients:
        client.send(at_once)
    selector = selectors.DefaultSelector()
    for name, client, _, drip, status in clients:
        client.socket.setblocking(False)
        selector.register(client.socket, selectors.EVENT_READ, (name, client, status))
    times = {name: 0.0 for name in cases}
    wrong = {name: 0 for name in cases}
    drips = {client: bytearray(drip) for _, client, _, drip, _ in clients}
    pause, drops = timeout / 5, 0
    while selector.get_map() and time.monotonic() - began < timeout + 10:
        if time.monotonic() - began >= drops * pause:
            drops += 1
            for client, rest in drips.items():
                if rest:
                    client.socket.send(rest[:1])
                    del rest[:1]
        for key, _ in selector.select(0.05):
            name, client, status = key.data
            piece = client.socket.recv(65536)
            client.buffer += piece
            if piece:
                continue
            selector.unregister(client.socket)
            drips[client] = b""
            times[name] = max(times[name], time.monotonic() - began)
            found = parse_answer(client.buffer) if client.buffer else None
            wrong[name] += (found[0].status if found else None) != status
    for key in list(selector.get_map().values()):
        times[key.data[0]] = math.inf
    for _, client, *_ in clients:
        client.close()
    for name in cases:
        report.at_most(f"{name}: hung up on after", times[name], timeout + LATE, "s")
        report.exactly(f"{name}: clients of 10 that were told otherwise than due", wrong[name], 0)


def held_bodies(report, server):
    """Bodies that are all but whole: as much memory as a client that only sends can get."""
    before = server.resident
    clients = [server.connect() for _ in range(50)]
    for client in clients:
        client.send(
            b"POST /goals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + b"Content-Length: %d\r\n\r\n" % BODY
            + b" " * (BODY - 1)
        )
    statuses = []
    peak = before
    for client in clients:
        peak = max(peak, server.resident)
        statuses.append(client.answer().status)
        client.close()
    report.exactly("50 bodies without their last byte: answers 408", statuses.count(408), 50)
    # An array grows by doubling.
    bound = 50 * (HEAD + 2 * BODY + READ) / MEBIBYTE + ALLOCATOR
    report.at_most("50 bodies without their last byte: memory", peak - before, bound, "MiB")


# Reading


def silent_readers(report, server, size, timeout):
    """Readers that ask for lists without end and read nothing."""
    before = server.resident
    with in_background(ask_without_reading, server, 50) as result:
        peak = before
        began = time.monotonic()
        limit = timeout + LATE + FILLING
        while time.monotonic() - began < limit and not result.is_over():
            peak = max(peak, server.resident)
            time.sleep(0.02)
        open_connections, sent, last = result()
    report.note("50 readers that read nothing: each sent", sent / 50 / MEBIBYTE, "MiB")
    memory = bound(50, size, OUTPUT)
    report.at_most("50 readers that read nothing: memory", peak - before, memory, "MiB")
    report.exactly("50 readers that read nothing: still connected", open_connections, 0)
    report.at_most("50 readers that read nothing: cut off after", last, limit, "s")


def bound(connections, size, output):
    """What readers of a list of a size may cost together, in MiB: for each a read and a head that
    wait, and the output up to its limit with one answer beyond it; arrays grow by doubling, and
    a sent half may wait to be dropped."""
    each = 2 * (HEAD + READ) + 2 * (output + 2 * size)
    return connections * each / MEBIBYTE + ALLOCATOR


def ask_without_reading(server, count, *, ready, stop):
    """Returns how many are connected in the end, the bytes they sent, and when the last one was
    cut off."""
    data = request("GET", "/goals?limit=200") * 400
    clients = [server.connect(receive_buffer=4096) for _ in range(count)]
    unsent = dict.fromkeys(clients, 0)
    selector = selectors.DefaultSelector()
    for client in clients:
        client.socket.setblocking(False)
        selector.register(client.socket, selectors.EVENT_WRITE, client)
    ready.set()
    began = time.monotonic()
    sent = last = 0
    while selector.get_map() and not stop.is_set():
        # A socket is writable when there is room, and also when it is broken.
        for key, _ in selector.select(0.02):
            client = key.data
            try:
                count = client.socket.send(data[unsent[client] :])
                unsent[client] = (unsent[client] + count) % len(data)
                sent += count
            except ConnectionError:
                selector.unregister(client.socket)
                last = time.monotonic() - began
    return len(selector.get_map()), sent, last


def sluggish_readers(report, server, size, mebibytes):
    """Readers that do read, steadily, but less than they ask for: their output never runs dry.

    What they read between them is more than they may cost, so that it shows if it is kept."""
    before = server.resident
    with in_background(read_sluggishly, server, 10, mebibytes * 10 * MEBIBYTE) as result:
        began = time.monotonic()
        peak = before
        while time.monotonic() - began < 120 and not result.is_over():
            peak = max(peak, server.resident)
            time.sleep(0.05)
        open_connections, received = result()
    each = received / 10 / MEBIBYTE
    report.at_least("10 readers slower than they ask: each read", each, mebibytes, "MiB")
    limit = bound(10, size, LARGE_OUTPUT)
    report.at_most("10 readers slower than they ask: memory", peak - before, limit, "MiB")
    report.exactly("10 readers slower than they ask: still connected", open_connections, 10)


def read_sluggishly(server, count, enough, *, ready, stop):
    """Returns how many are connected in the end, and the bytes they received."""
    data = request("GET", "/goals?limit=200") * 100
    clients = [server.connect(receive_buffer=65536) for _ in range(count)]
    for client in clients:
        client.socket.setblocking(False)
        client.unsent = data
    ready.set()
    received, gone = 0, set()
    while received < enough and len(gone) < count and not stop.is_set():
        for client in set(clients) - gone:
            try:
                client.unsent = client.unsent[client.socket.send(client.unsent) :] or data
            except BlockingIOError:
                pass  # The server reads no more of them, as it should.
            except ConnectionError:
                gone.add(client)
                continue
            try:
                received += len(client.socket.recv(32768))
            except BlockingIOError:
                pass  # Read faster than it came, for once.
        time.sleep(0.004)
    return count - len(gone), received
