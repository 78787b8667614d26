"""A client that pipelines without end, on the loop of others."""

import selectors
import time

from support import Server, in_background, others, parse_answer, request

# How many clients ask in turn beside the greedy one.
CLOSED = 8


def play(report, program, short):
    seconds = 3 if short else 10
    with Server(program, "--loops", "1") as server:
        server.fill()
        # The server takes microseconds for a cheap request, and clients much longer to ask again:
        # the share says more about them.
        greedy_beside_others(report, server, "cheap", "/livez", seconds, least=None)
        # A list fills the output, which ends a turn: the greedy client has one in each, as the
        # others have. Turns in which their next requests have not come yet count against them.
        least = 100 * CLOSED / (CLOSED + 1) / 2
        greedy_beside_others(report, server, "dear", "/goals?limit=200", seconds, least)


def greedy_beside_others(report, server, name, target, seconds, least):
    with others(server, "/livez") as polite:
        time.sleep(seconds / 3)
        alone = polite()
    with in_background(pipeline, server, target) as greedy:
        with others(server, "/livez") as polite:
            time.sleep(seconds / 3)
            beside = polite()
        with in_background(take_turns, server, target) as turns:
            time.sleep(seconds / 3)
            (theirs, lasted) = turns()
        answered, greedy_lasted = greedy()
    report.note(f"{name} requests: pipelined answers", answered / greedy_lasted, "a second")
    report.note(f"{name} requests: p99 of another client alone", alone.p99, "ms")
    report.at_most(f"{name} requests: p99 of another client beside", beside.p99, 100.0, "ms")
    report.exactly(
        f"{name} requests: its answers other than 200", beside.count - beside.statuses[200], 0
    )
    share = theirs / lasted / (theirs / lasted + answered / greedy_lasted)
    what = f"{name} requests: share of {CLOSED} others that ask in turn"
    if least is None:
        report.note(what, share * 100, "%")
    else:
        report.at_least(what, share * 100, least, "%")


def pipeline(server, target, *, ready, stop):
    """Sends requests without end, and reads the answers as fast as it can.

    Returns how many answers came, and in how many seconds."""
    data = request("GET", target) * 1_000
    with server.connect() as client:
        client.send(request("GET", target))
        while not (found := parse_answer(client.buffer)):
            client.buffer += client.socket.recv(65536)
        # All answers are as long as the first.
        answer, size = found
        if answer.status != 200:
            raise RuntimeError(f"{target} answers {answer.status}")
        client.socket.setblocking(False)
        selector = selectors.DefaultSelector()
        selector.register(client.socket, selectors.EVENT_READ | selectors.EVENT_WRITE)
        ready.set()
        began = time.monotonic()
        unsent, received = data, 0
        while not stop.is_set():
            for _, events in selector.select(0.1):
                if events & selectors.EVENT_WRITE:
                    unsent = unsent[client.socket.send(unsent) :] or data
                if events & selectors.EVENT_READ:
                    received += len(client.socket.recv(1 << 20))
        return received // size, time.monotonic() - began


def take_turns(server, target, *, ready, stop):
    """Clients that each ask again once they have their answer.

    Returns how many answers came, and in how many seconds."""
    selector = selectors.DefaultSelector()
    data = request("GET", target)
    for _ in range(CLOSED):
        client = server.connect()
        selector.register(client.socket, selectors.EVENT_READ, client)
        client.send(data)
    ready.set()
    began = time.monotonic()
    count = 0
    while not stop.is_set():
        for key, _ in selector.select(0.1):
            client = key.data
            client.buffer += client.socket.recv(1 << 20)
            if not (found := parse_answer(client.buffer)):
                continue
            del client.buffer[: found[1]]
            count += 1
            client.send(data)
    return count, time.monotonic() - began
