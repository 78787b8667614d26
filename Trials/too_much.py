"""More requests than can be answered."""

import selectors
import time

from support import Server, goal, loaded, parse_answer, request, wait_until

IN_FLIGHT = 4
BURST = 64


def play(report, program, short):
    with Server(program, "--max-requests-in-flight", str(IN_FLIGHT)) as server:
        refuse_at_once(report, server, seconds=1 if short else 5)
    with Server(program, "--max-queued-writes", str(IN_FLIGHT)) as server:
        refuse_at_once(report, server, seconds=1 if short else 5, name="queued writes")
    twice_as_much(report, program, short)


def refuse_at_once(report, server, seconds, name="requests in flight"):
    """Clients that all write as fast as they can, where few may at a time."""
    statuses, retry, slowest = write_at_once(server, seconds)
    what = f"{BURST} writers beyond the bound of {IN_FLIGHT} {name}"
    report.at_least(f"{what}: answers 503", statuses.get(503, 0), 1)
    report.at_least(f"{what}: answers 201", statuses.get(201, 0), 1)
    report.exactly(f"{what}: other answers", sum(statuses.values()) - kept(statuses), 0)
    report.exactly(f"{what}: 503 without Retry-After", statuses.get(503, 0) - retry, 0)
    report.at_most(f"{what}: p99 until a 503", slowest, 250.0, "ms")
    # The last of those writes may still be in progress.
    data = goal("One of few")
    taken = wait_until(lambda: server.ask("POST", "/goals", data).status == 201, 5)
    report.at_most(f"{what}: writes are taken again after", taken, 1.0, "s")


def kept(statuses):
    return statuses.get(201, 0) + statuses.get(503, 0)


def write_at_once(server, seconds):
    """Returns how often each status came, how many 503 had Retry-After, and their p99 in ms."""
    data = request("POST", "/goals", goal("One of very many"))
    selector = selectors.DefaultSelector()
    for _ in range(BURST):
        client = server.connect()
        selector.register(client.socket, selectors.EVENT_READ, client)
        client.asked = time.monotonic()
        client.send(data)
    statuses, retry, times = {}, 0, []
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        for key, _ in selector.select(0.1):
            client = key.data
            client.buffer += client.socket.recv(65536)
            if not (found := parse_answer(client.buffer)):
                continue
            answer, length = found
            del client.buffer[:length]
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
            if answer.status == 503:
                retry += "retry-after" in answer.fields
                times.append((time.monotonic() - client.asked) * 1000)
            client.asked = time.monotonic()
            client.send(data)
    for key in list(selector.get_map().values()):
        key.data.close()
    times.sort()
    return statuses, retry, times[int(len(times) * 0.99)] if times else 0.0


def twice_as_much(report, program, short):
    """What is served under twice the load that saturates, beside the most that is ever served.

    The load is a number of connections, each of which asks again once it has its answer. The
    number that saturates is the least with which 0.9 of the peak is reached.
    """
    seconds = 1 if short else 4
    rounds = 2 if short else 3
    steps = [16, 64] if short else [8, 16, 32, 64, 128]
    subjects = [
        ("durable writes", request("POST", "/goals", goal("One of very many")), 201, False),
        ("reads", request("GET", "/goals?limit=10"), 200, False),
    ]
    if not short:
        subjects.append(("durable writes, half of them refused", subjects[0][1], 201, True))
    for name, data, status, is_bounded in subjects:
        with Server(program) as server:
            server.fill(10)
            rates = [loaded(server, data, count, seconds).rate(status) for count in steps]
            saturating = next(n for n, rate in zip(steps, rates) if rate >= 0.9 * max(rates))
        # Half of the connections are refused then. If they asked again at once, that would be a
        # much larger load: they pause for as long as those that are served wait. Pausing costs the
        # clients something too, so it is asked of both.
        bound = ["--max-requests-in-flight", str(saturating)] if is_bounded else []
        pause = saturating / max(rates) if is_bounded else 0
        with Server(program) as free, Server(program, *bound) as server:
            free.fill(10)
            server.fill(10)
            # In turn, since a machine's speed changes by the minute, and with more rounds where
            # it does so within one.
            pairs = []
            while len(pairs) < rounds or (twice < 0.8 * peak and len(pairs) < 3 * rounds):
                pairs.append(
                    (
                        loaded(free, data, saturating, seconds, pause),
                        loaded(server, data, 2 * saturating, seconds, pause),
                    )
                )
                peak = max(load.rate(status) for load, _ in pairs)
                twice = max(load.rate(status) for _, load in pairs)
        refused = sum(load.statuses.get(503, 0) for _, load in pairs)
        odd = sum(load.count - load.statuses.get(status, 0) for _, load in pairs) - refused
        report.note(f"{name}: saturated by", saturating, "connections")
        report.note(f"{name}: peak", peak, "a second")
        report.note(f"{name}: with twice as many connections", twice, "a second")
        if is_bounded:
            report.at_least(f"{name}: answers 503", refused, 1)
        report.at_least(f"{name}: that, of the peak", twice / peak, 0.8)
        report.exactly(f"{name}: answers that are neither {status} nor 503", odd, 0)
