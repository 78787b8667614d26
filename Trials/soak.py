"""All sorts of clients, for minutes."""

import random
import statistics
import time
from contextlib import ExitStack

from rude import STATES
from support import Ended, Server, goal, in_background, request, wait_until

USERS = 4


def play(report, program, minutes):
    options = []
    for name in ["head", "body", "idle", "write", "linger"]:
        options += [f"--{name}-timeout", "2"]
    with Server(program, *options) as server:
        server.fill()
        wait_until(lambda: not server.is_alive, 1)
        descriptors = server.descriptors
        memory, rounds, errors = [], 0, []
        with ExitStack() as stack:
            users = [
                stack.enter_context(in_background(live, server, number)) for number in range(USERS)
            ]
            pests = stack.enter_context(in_background(pester, server))
            end = time.monotonic() + minutes * 60
            while time.monotonic() < end and server.is_alive:
                wait_until(lambda: not server.is_alive, 1)
                if server.is_alive:
                    memory.append(server.resident)
            for user in users:
                (count, found) = user()
                rounds += count
                errors += found
            pestered = pests()
        report.note("lives of a goal", rounds)
        report.note("connections that were a nuisance", pestered)
        report.exactly("answers that were not what they should be", errors[:3], [])
        report.exactly("alive", server.is_alive, True)
        # The first quarter is for what a server keeps for good: caches and buffers.
        quarter = max(1, len(memory) // 4)
        early = statistics.median(memory[quarter : 2 * quarter] or memory)
        late = statistics.median(memory[-quarter:])
        report.note("resident memory in the second quarter", early, "MiB")
        report.at_most("resident memory in the last quarter", late, early + 8, "MiB")
        # The store opens its connections when they are needed.
        freed = wait_until(lambda: server.descriptors <= descriptors + 8, 10)
        report.at_most("descriptors are as before after", freed, 6.0, "s")
        status, lasted = server.stop()
        report.exactly("exit status", status, 0)
        report.at_most("the stop takes", lasted, 2.0, "s")


def live(server, number, *, ready, stop):
    """A user with a goal: makes it, saves, changes, looks, and deletes it, again and again.

    What is kept stays as much as it is. Returns how often, and what was wrong."""
    ready.set()
    rounds, wrong = 0, []
    random.seed(number)
    while not stop.is_set() and not wrong:
        with server.connect() as client:
            for _ in range(random.randint(1, 50)):
                try:
                    wrong += live_once(client)
                except (Ended, OSError, KeyError) as error:
                    wrong.append(repr(error))
                    break
                rounds += 1
    return rounds, wrong


def live_once(client):
    made = client.ask("POST", "/goals", goal("A soaked goal"))
    target = f"/goals/{made.json['id']}"
    saving = {"transactionType": "income", "amount": "12.50"}
    steps = [
        ("POST", f"{target}/transactions", saving, 201),
        ("POST", f"{target}/transactions", saving, 201),
        ("PATCH", target, {"title": "A goal that was soaked"}, 200),
        ("GET", target, None, 200),
        ("GET", f"{target}/transactions?limit=1", None, 200),
        ("GET", f"{target}/statistics", None, 200),
        ("GET", "/goals?limit=50", None, 200),
        ("POST", "/goals", {"title": ""}, 422),
        ("GET", "/nowhere", None, 404),
        ("DELETE", target, None, 204),
        ("GET", target, None, 410),
    ]
    answers = [client.ask(method, path, body) for method, path, body, _ in steps]
    wrong = [
        f"{method} {path}: {answer.status}"
        for answer, (method, path, _, status) in zip(answers, steps)
        if answer.status != status
    ]
    if answers[5].json["savedAmount"] != "25.00":
        wrong.append(f"savedAmount: {answers[5].json['savedAmount']}")
    return wrong


def pester(server, *, ready, stop):
    """Clients that begin something and hang up, or just stay. Returns how many."""
    ready.set()
    count, staying = 0, []
    while not stop.is_set():
        client = server.connect(receive_buffer=4096)
        try:
            client.send(random.choice(list(STATES.values())))
        except ConnectionError:
            pass  # It was refused while it still sent.
        count += 1
        how = random.random()
        if how < 0.4:
            client.reset()
        elif how < 0.8:
            client.close()
        else:
            staying.append(client)
        if len(staying) > 200:
            staying.pop(0).close()
        time.sleep(0.002)
    for client in staying:
        client.close()
    return count
