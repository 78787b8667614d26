"""Thousands of streams of events: what they cost, how soon they tell, and how they end."""

import json
import selectors
import socket
import statistics
import time
import uuid

from feed import LAST_CHUNK, Stream, walk
from many import PER_ADDRESS
from support import (
    Ended,
    Server,
    goal,
    in_background,
    loaded,
    manage,
    need_descriptors,
    probe,
    processes,
    request,
    wait_until,
)

BUSY = 64
RATIO = 1.5

# Streams of which every byte is looked at.
SAMPLE = 50


def play(report, program, short):
    count = 1_000 if short else 10_000
    need_descriptors(count)
    with Server(program, "--heartbeat-interval", "600") as server:
        before = server.descriptors
        mass(report, server, count, rounds=2 if short else 5)
        told(report, server, count, commits=50 if short else 500)
        freed = wait_until(lambda: server.descriptors <= before + 8, 10)
        report.at_most("descriptors are as before after", freed, 5.0, "s")
    accounts(report, program, count, accounts=5 if short else 100)
    with Server(program, "--write-timeout", "1", "--heartbeat-interval", "1") as server:
        heartbeats(report, server)
        unread(report, server, 10 if short else 50)
    ended_in_order(report, program, count)
    storm(report, program, places=200 if short else 1_000, count=2_000 if short else 20_000)


# Streams in masses


class Listener:
    """A stream that is only drained: what it is told is of no interest, but for its end."""

    def __init__(self, server, number, since, fields):
        self.client = server.connect(source=f"127.0.0.{2 + number // PER_ADDRESS}")
        self.tail = b""
        self.came_at = 0.0
        target = f"/events?since={since}" if since else "/events"
        self.client.send(request("GET", target, None, *fields))

    @property
    def socket(self):
        return self.client.socket

    @property
    def is_over(self):
        return self.tail == LAST_CHUNK

    def await_begin(self):
        while b"\r\n\r\n" not in self.client.buffer:
            piece = self.socket.recv(65536)
            if not piece:
                raise Ended(bytes(self.client.buffer))
            self.client.buffer += piece
        if not self.client.buffer.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(f"No stream, but {bytes(self.client.buffer[:100])!r}")
        self.client.buffer.clear()

    def receive(self):
        piece = self.socket.recv(65536)
        if not piece and not self.is_over:
            raise Ended(self.tail)
        if piece:
            self.tail = (self.tail + piece)[-len(LAST_CHUNK) :]
            self.came_at = time.monotonic()
        return piece


def listen(server, count, since=None, fields=lambda number: ()):
    """Opens streams from several addresses, and waits until all have begun."""
    listeners = [Listener(server, number, since, fields(number)) for number in range(count)]
    for listener in listeners:
        listener.await_begin()
    return listeners


def drain(streams, counter, *, ready, stop):
    """Reads all streams until told to end, or until all have. Runs in a process of its own.

    The counter counts what was told to those that are a `Stream`. Returns what they were told, how
    many of all ended in order, when one of the others was last told something, and what was wrong.
    """
    selector = selectors.DefaultSelector()
    for stream in streams:
        selector.register(stream.socket, selectors.EVENT_READ, stream)
    seen = {stream: [] for stream in streams if isinstance(stream, Stream)}
    ended, wrong = 0, []
    ready.set()
    while not stop.is_set() and selector.get_map():
        for key, _ in selector.select(0.05):
            stream = key.data
            try:
                came = stream.receive()
            except (OSError, AssertionError) as error:
                wrong.append(repr(error)[:300])
                selector.unregister(stream.socket)
                continue
            if stream in seen:
                seen[stream] += [event.change["id"] for event in came]
                counter.value += len(came)
            if not came and stream.is_over:
                ended += 1
                selector.unregister(stream.socket)
                # Another process has it, too, so that closing it would tell the server nothing.
                stream.socket.shutdown(socket.SHUT_RDWR)
    last = max((one.came_at for one in streams if isinstance(one, Listener)), default=0.0)
    return list(seen.values()), ended, last, wrong


def close(streams):
    for stream in streams:
        stream.socket.close()


# Beside others


def mass(report, server, count, rounds):
    """By turns with and without them, as in `many`: the fastest rounds are compared."""
    with server.connect() as client:
        made = client.ask("POST", "/goals", goal("Asked for by the busy ones")).json
    data = request("GET", f"/goals/{made['id']}")
    seconds = 2 if rounds > 2 else 1
    loaded(server, data, BUSY, 1)
    before = server.resident
    without, beside, resident = [], [], []
    while len(beside) < rounds or (
        min(beside) > RATIO * min(without) and len(beside) < 3 * rounds
    ):
        without.append(loaded(server, data, BUSY, seconds).median)
        listeners = listen(server, count)
        beside.append(loaded(server, data, BUSY, seconds).median)
        resident.append(server.resident)
        close(listeners)
    report.note("streams that were there", count)
    report.at_most("resident memory", max(resident), 100.0, "MiB")
    report.note("of that, each stream", (max(resident) - before) * 1024 / count, "KiB")
    report.at_most("resident in the last round", resident[-1], resident[0] + 8, "MiB")
    report.note(f"median of {BUSY} busy ones without them", min(without), "ms")
    report.at_most("median beside them", min(beside), RATIO * min(without), "ms")


def told(report, server, count, commits):
    """How soon an event comes, with one stream and with all of one account; and that all come."""
    report_latency(report, "one stream", latencies(server, commits), 100.0)

    with server.connect() as client:
        since = walk(client)[1]
    samples = [Stream(server, since=since).begin() for _ in range(SAMPLE)]
    listeners = listen(server, count - SAMPLE, since)
    counter = processes.Value("q")
    with in_background(drain, [*samples, *listeners], counter) as result:
        # A pause, so that the streams are told of one commit at a time.
        few, cpu = max(5, commits // 25), server.cpu_seconds
        spread = latencies(server, few, pause=count / 10_000)
        what = f"{count} streams of one account"
        report_latency(report, what, spread, 5_000.0)
        each = (server.cpu_seconds - cpu) / few / count * 1e6
        report.note(f"{what}: processor time to tell one of them of a commit", each, "µs")

        with server.connect(patience=30) as client:
            for _ in range(commits):
                answer = client.ask("POST", "/goals", goal("One after the other"))
                if answer.status != 201:
                    report.broke(f"a write beside streams is answered {answer.status}")
            answered_at = time.monotonic()
            ids = [change["id"] for change in walk(client, since)[0]]
        wait_until(lambda: counter.value >= SAMPLE * len(ids), 60)
        report.at_most(f"{what}: resident memory", server.resident, 100.0, "MiB")
        seen, _, last, wrong = result()
    close([*samples, *listeners])
    right = sum(one == ids for one in seen)
    report.exactly(f"{what}: of a sample, told of {len(ids)}, once, in order", right, SAMPLE)
    report.exactly(f"{what}: that broke", wrong[:3], [])
    whole = max(last - answered_at, 0.0)
    report.note(f"{what}: all are told after the last of {commits} commits", whole, "s")


def latencies(server, count, pause=0.0, fields=()):
    """How long after the answer to a write its event has come, in milliseconds."""
    found = []
    with server.connect(patience=30) as client:
        since = walk(client, fields=fields)[1]
        with Stream(server, since=since, fields=fields).begin() as stream:
            for _ in range(count):
                client.send(request("POST", "/goals", goal("Told of at once"), *fields))
                made = client.answer()
                answered_at = time.monotonic()
                (event,) = stream.events(1, 30)
                if event.change["goal"] != made.json:
                    raise AssertionError(f"Told of {event}, not of {made}")
                found.append((event.came_at - answered_at) * 1000)
                time.sleep(pause)
    return found


def report_latency(report, what, found, bound):
    report.note(f"{what}: an event comes after the answer, median", statistics.median(found), "ms")
    report.at_most(f"{what}: the slowest of {len(found)}", max(found), bound, "ms")


def accounts(report, program, count, accounts):
    """The same where the streams are of many accounts: a commit concerns few of them."""
    with Server(program, "--heartbeat-interval", "600") as server:
        data = server.folder / "goalpost.sqlite"
        fields = []
        for number in range(accounts):
            manage(program, data, "account", "add", f"Account {number}")
            token = manage(program, data, "token", "add", f"Account {number}")
            fields.append((f"Authorization: Bearer {token}",))
        listeners = listen(server, count, fields=lambda number: fields[number % accounts])
        with in_background(drain, listeners, processes.Value("q")) as result:
            found = latencies(server, 20 if accounts < 100 else 200, fields=fields[0])
            wrong = result()[3]
        close(listeners)
    what = f"{count} streams of {accounts} accounts"
    report_latency(report, what, found, 250.0)
    report.exactly(f"{what}: that broke", wrong[:3], [])


# Each on its own


def heartbeats(report, server):
    """Where nothing happens, a sign of life comes each second."""
    with Stream(server).begin() as stream:
        began = time.monotonic()
        stream.socket.settimeout(5)
        while stream.heartbeats < 3:
            stream.receive()
        lasted = time.monotonic() - began
    report.at_least("three heartbeats, one a second: after", lasted, 1.9, "s")
    report.at_most("three heartbeats, one a second: after", lasted, 5.0, "s")


def unread(report, server, count):
    """Clients that do not read are dropped, and catch up from the last event that was whole."""
    with server.connect(patience=30) as client:
        since = walk(client)[1]
        before, memory = server.descriptors, server.resident
        streams = [Stream(server, since=since, receive_buffer=4096).begin() for _ in range(count)]
        # Far more than the kernel takes for a client that shows so small a window.
        note = "\N{GRINNING FACE}" * 2_000
        body = [
            {"method": "POST", "path": "/goals", "body": goal("Long") | {"note": note}}
            for _ in range(100)
        ]
        data = json.dumps({"commands": body}, ensure_ascii=False).encode()
        for _ in range(6):
            client.ask("POST", "/batch", data)
        gone = wait_until(lambda: server.descriptors <= before + 2, 20)
        ids = [change["id"] for change in walk(client, since)[0]]
        report.at_most(f"{count} that do not read: dropped after", gone, 6.0, "s")
        peak = server.peak_resident - memory
        bound = 64.0 + count * 0.5
        report.at_most(f"{count} that do not read: the most memory for it all", peak, bound, "MiB")
        caught_up, cut = 0, 0
        for number, stream in enumerate(streams):
            seen = [event.change["id"] for event in rest(stream)]
            cut += len(seen) < len(ids)
            # By either way, from the same place.
            if number % 2:
                changes = walk(client, stream.last_id)[0]
            else:
                with Stream(server, last_event=stream.last_id) as again:
                    changes = [event.change for event in again.events(len(ids) - len(seen), 20)]
            caught_up += seen + [change["id"] for change in changes] == ids
    report.exactly(f"{count} that do not read: cut off before the end", cut, count)
    what = f"{count} that do not read: have caught up, without gap or repeat"
    report.exactly(what, caught_up, count)


def rest(stream):
    """The events of a connection that the server has ended, whatever its end."""
    found = []
    end = time.monotonic() + 10
    with stream:
        while True:
            if time.monotonic() > end:
                raise AssertionError("A stream goes on that was not read")
            try:
                found += stream.receive()
            except (Ended, ConnectionResetError):
                return found


def ended_in_order(report, program, count):
    """A stop while all are told of something."""
    with Server(program) as server:
        samples = [Stream(server).begin() for _ in range(SAMPLE)]
        listeners = listen(server, count - SAMPLE)
        with in_background(drain, [*samples, *listeners], processes.Value("q")) as result:
            with server.connect() as client:
                for _ in range(10):
                    client.ask("POST", "/goals", goal("Before the stop"))
            status, lasted = server.stop()
            wait_until(result.is_over, 10)
            _, ended, _, wrong = result()
        close([*samples, *listeners])
    what = f"a stop with {count} streams"
    report.exactly(f"{what}: exit status", status, 0)
    report.at_most(f"{what}: takes", lasted, 2.0, "s")
    report.exactly(f"{what}: that ended with the last chunk, and in order", ended, count)
    report.exactly(f"{what}: that broke", wrong[:3], [])


def storm(report, program, places, count):
    """Streams that are opened and left at once, in four ways, while others write."""
    with Server(program, "--max-streams", str(places), "--linger-timeout", "1") as server:
        server.fill(20)
        close(listen(server, 50))
        wait_until(lambda: server.descriptors <= 20, 1)
        before, threads, memory = server.descriptors, server.threads, server.resident
        write = request("POST", "/goals", goal("In the storm"))
        with in_background(probe, server, write, 0.005) as writer:
            for number in range(count):
                leave(server, number)
            writes = writer()
        what = f"{count} streams opened and left"
        freed = wait_until(lambda: server.descriptors <= before + 4, 10)
        report.exactly(f"{what}: statuses of writes meanwhile", set(writes.statuses), {201})
        report.note(f"{what}: writes meanwhile, 99th percentile", writes.p99, "ms")
        report.at_most(f"{what}: descriptors are as before after", freed, 5.0, "s")
        report.at_most(f"{what}: threads afterwards", server.threads, threads + 2)
        report.at_most(f"{what}: memory afterwards", server.resident, memory + 16, "MiB")
        with server.connect() as client:
            since = walk(client)[1]
        streams = listen(server, places, since)
        with Stream(server) as beyond:
            beyond.socket.settimeout(5)
            while not beyond.has_begun:
                beyond.receive()
            refused = beyond.refusal.status if beyond.refusal else 200
        report.exactly(f"{what}: places that can be had", len(streams), places)
        report.exactly(f"{what}: one beyond them", refused, 503)
        close(streams)


def leave(server, number):
    """Opens a stream and leaves it: with RST or FIN, before or after it has begun."""
    client = server.connect()
    client.send(request("GET", "/events"))
    if number % 4 >= 2:
        while b"\r\n\r\n" not in client.buffer:
            client.buffer += client.socket.recv(65536)
    if number % 2:
        client.reset()
    else:
        client.close()
