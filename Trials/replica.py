"""Copies that follow an account's changes, while many write and the server is killed now and then.

Some go from page to page, some listen to events and are cut off, and some do the one and the other
by turns, with the same tokens. In the end each must have exactly what the lists show.
"""

import random
import selectors
import tempfile
import time
import uuid
from collections import Counter, deque
from contextlib import ExitStack
from pathlib import Path

from feed import Copy, Stream, change_page, listed, walk
from support import Client, Server, goal, in_background, judge, parse_answer, processes, request

WRITERS = 32

# More are made only as others are deleted, so that the lists can be read in the end.
GOALS = 100

# How each of them follows.
WAYS = ["pages", "pages", "events", "events", "both", "both"]


class Address:
    """Where the server is, for other processes, too: each start takes another port."""

    def __init__(self):
        self.port = processes.Value("i", 0)

    def connect(self, source=None, receive_buffer=None, patience=10):
        return Client("127.0.0.1", self.port.value, source, receive_buffer, patience)


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    dice = random.Random(seed)
    seconds, period = (6, 2) if short else (600, 20)
    end = str(uuid.UUID(int=dice.getrandbits(128), version=4))
    address = Address()
    kills = stops = 0
    statuses = set()
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder, ExitStack() as stack:
        data = Path(folder) / "goalpost.sqlite"
        began = time.monotonic()
        server = stack.enter_context(Server(program, data=data))
        address.port.value = server.port
        writers = stack.enter_context(in_background(write, address, dice.getrandbits(32)))
        copies = [
            stack.enter_context(in_background(follow, address, way, dice.getrandbits(32), end))
            for way in WAYS
        ]
        while (left := began + seconds - time.monotonic()) > 0:
            time.sleep(min(period, left))
            if left <= period:
                break
            # Every third time an orderly stop. The first is a kill.
            if (kills + stops) % 3 == 1:
                stops += 1
                statuses.add(server.stop()[0])
            else:
                kills += 1
                server.process.kill()
                server.process.wait()
            server = stack.enter_context(Server(program, data=data))
            address.port.value = server.port
        counts, wrong = writers()
        with address.connect() as client:
            client.ask("POST", "/goals", goal("The end") | {"id": end})
            found = [copy() for copy in copies]
            expected = listed(client)
            changes, _ = walk(client)
        judged = judge(program, data)
    what = f"{seconds} s under {WRITERS} writers, {kills} kills and {stops} stops"
    report.note(f"{what}: answers", dict(sorted(counts.items(), key=str)))
    report.exactly(f"{what}: exit statuses of the stops", statuses, {0})
    report.exactly(f"{what}: answers that were wrong", wrong[:3], [])
    report.at_least(f"{what}: things in the end", len(expected), 100)
    for way, (state, told, cuts, problems) in zip(WAYS, found):
        report.note(f"{what}: a copy by {way}: told of, cut off", f"{told}, {cuts}")
        report.exactly(f"{what}: a copy by {way}: contradictions", problems[:3], [])
        report.exactly(f"{what}: a copy by {way}: differences", differences(state, expected), [])
    report_walk(report, what, changes, expected)
    report.exactly(f"{what}: the file is sound", judged, 0)


def report_walk(report, what, changes, expected):
    """A walk from the start while nobody writes: each thing once."""
    copy, most = Copy(), Counter(change["id"] for change in changes)
    for change in changes:
        copy.apply(change)
    report.exactly(f"{what}: most often that one walk tells of a thing", max(most.values()), 1)
    report.exactly(f"{what}: contradictions of the walk", copy.wrong[:3], [])
    report.exactly(f"{what}: differences of the walk", differences(copy.state, expected), [])
    lacking = Copy()
    skipped = random.choice([change for change in changes if change["id"] in expected])
    for change in changes:
        if change is not skipped:
            lacking.apply(change)
    missed = len(differences(lacking.state, expected))
    report.exactly("control, one change that is not applied: differences", missed, 1)


def differences(state, expected):
    """The first things that are not the same in both."""
    ids = [key for key in {**state, **expected} if state.get(key) != expected.get(key)]
    return [(key, state.get(key), expected.get(key)) for key in ids[:2]]


# Following


def follow(address, way, seed, end, *, ready, stop):
    """A copy that follows until it is told of the goal that is the last. Runs on its own.

    Returns what it has then, of how many changes it was told, how often it was cut off, and what
    was wrong.
    """
    dice, copy, since, cuts = random.Random(seed), Copy(), None, 0
    patience = float("inf")
    ready.set()
    while end not in copy.goals and not copy.wrong:
        if stop.is_set() and patience == float("inf"):
            patience = time.monotonic() + 60
        if time.monotonic() > patience:
            copy.wrong.append("was not told of the end")
        chosen = way if way != "both" else dice.choice(["pages", "events"])
        steps = FOLLOWERS[chosen](address, since, dice)
        try:
            # What was whole before a cut is applied, and its place is where to go on.
            for changes, since in steps:
                for change in changes:
                    copy.apply(change)
        except OSError:
            cuts += 1
            time.sleep(0.02)
        except AssertionError as error:
            # A server that is about to end says so.
            if "status=503" not in str(error):
                copy.wrong.append(str(error)[:500])
        finally:
            steps.close()
    return copy.state, copy.told, cuts, copy.wrong


def by_pages(address, since, dice):
    """Some pages of random sizes, of which some answers are not waited for."""
    with address.connect() as client:
        for _ in range(dice.randint(1, 30)):
            limit = dice.choice([1, 2, 7, 50, 200])
            if dice.random() < 0.02:
                client.send(request("GET", f"/changes?limit={limit}"))
                client.reset()
                raise ConnectionError("Cut on purpose")
            page = change_page(client, since, limit)
            ids = Counter(change["id"] for change in page["changes"])
            if ids and max(ids.values()) > 1:
                raise AssertionError(f"A page tells of a thing twice: {page}")
            since = page["next"]
            yield page["changes"], since
            if not page["hasMore"]:
                time.sleep(0.01)


def by_events(address, since, dice):
    """Some events, until a cut at random, which may be in the middle of one."""
    name = dice.choice(["since", "last_event"])
    with Stream(address, **{name: since}) as stream:
        end = time.monotonic() + dice.uniform(0, 1)
        stream.socket.settimeout(0.5)
        while time.monotonic() < end and not stream.is_over:
            # Few bytes at a time, so that cuts come in the middle of events, too.
            piece = stream.socket.recv(dice.choice([10, 1_000, 65536]))
            if not piece:
                raise ConnectionError("Cut off")
            events = stream.take(piece)
            if stream.refusal:
                raise AssertionError(f"No stream, but {stream.refusal}")
            if any(event.name != "message" for event in events):
                raise AssertionError(f"An event of another kind: {events}")
            yield [event.change for event in events], stream.last_id
        if dice.random() < 0.5:
            stream.client.reset()


FOLLOWERS = {"pages": by_pages, "events": by_events}


# Writing


def write(address, seed, *, ready, stop):
    """Connections that write without end, and begin anew where the server does.

    Returns how often each status came, and what was wrong.
    """
    # They all know of the same goals, so that they meet on them.
    shelf = Shelf()
    authors = [Author(seed + number, shelf) for number in range(WRITERS)]
    selector = selectors.DefaultSelector()
    ready.set()
    while not stop.is_set() or selector.get_map():
        for author in authors:
            if author.client is None and not stop.is_set() and author.connects(address):
                selector.register(author.client.socket, selectors.EVENT_READ, author)
        for key, _ in selector.select(0.02):
            author = key.data
            try:
                goes_on = author.proceeds(stop.is_set())
            except OSError:
                goes_on = False
            if not goes_on:
                selector.unregister(key.fileobj)
                author.leave()
    return shelf.counts, shelf.wrong


class Shelf:
    """What those who write know to be there."""

    def __init__(self):
        self.goals, self.answered = {}, deque(maxlen=500)
        self.counts, self.wrong = Counter(), []


class Author:
    """A connection that sends one request, and another once it has the answer."""

    def __init__(self, seed, shelf):
        self.dice, self.shelf = random.Random(seed), shelf
        self.client = self.sent = self.earlier = None

    def connects(self, address):
        try:
            self.client = address.connect()
            self.client.socket.setblocking(False)
            # The answer to it is lost. With a key, or an id of ours, it is safe to ask again.
            if not self.sent or not self.sent[1]:
                self._choose()
            self.client.send(self.sent[0])
        except OSError:
            self.leave()
            return False
        return True

    def leave(self):
        if self.client:
            self.client.close()
        self.client = None

    def proceeds(self, is_last):
        """Reads, and writes again after an answer. Returns whether the connection goes on."""
        piece = self.client.socket.recv(65536)
        self.client.buffer += piece
        found = parse_answer(self.client.buffer)
        if not found:
            return bool(piece)
        answer, length = found
        del self.client.buffer[:length]
        self._note(answer)
        self.sent = None
        if is_last or answer.fields.get("connection") == "close":
            return False
        self._choose()
        self.client.send(self.sent[0])
        return True

    def _note(self, answer):
        shelf, (data, _, key, goal_id) = self.shelf, self.sent
        is_replayed = answer.fields.get("idempotent-replayed") == "true"
        shelf.counts["replayed" if is_replayed else answer.status] += 1
        if answer.status >= 500 and answer.status != 503:
            shelf.wrong.append(f"{data!r}: {answer}")
        if self.earlier:
            same = (answer.status, answer.body) == (self.earlier.status, self.earlier.body)
            if answer.status != 503 and not (is_replayed and same):
                shelf.wrong.append(f"{data!r}: first {self.earlier}, then {answer}")
            return
        if answer.status not in (200, 201):
            if answer.status in (404, 410) and goal_id:
                shelf.goals.pop(goal_id, None)
            return
        if key:
            shelf.answered.append((data, answer))
        made = answer.json
        for one in [result["body"] for result in made["results"]] if "results" in made else [made]:
            if one and "goalId" in one:
                shelf.goals.get(one["goalId"], []).append(one["id"])
            elif one:
                shelf.goals.setdefault(one["id"], [])

    def _choose(self):
        """What to send next: the bytes, whether it is safe to send them twice, the key, the goal."""
        dice, shelf = self.dice, self.shelf
        self.earlier = None
        if shelf.answered and dice.random() < 0.05:
            data, self.earlier = dice.choice(shelf.answered)
            self.sent = (data, True, None, None)
            return
        commands = [self._command() for _ in range(dice.randint(2, 12))]
        if dice.random() < 0.1:
            method, path, body, goal_id = "POST", "/batch", None, None
            # One on a new goal, too, which no other command can have come before.
            made = self._identifier()
            commands.append(("POST", "/goals", goal("In a batch") | {"id": made}, None))
            entry = {"id": self._identifier(), "transactionType": "income", "amount": "3.50"}
            commands.append(("POST", f"/goals/{made}/transactions", entry, None))
            body = {
                "commands": [
                    {"method": m, "path": p} | ({"body": b} if b is not None else {})
                    for m, p, b, _ in commands
                ]
            }
        else:
            method, path, body, goal_id = commands[0]
        key = str(uuid.uuid4()) if method == "POST" and dice.random() < 0.5 else None
        fields = (f"Idempotency-Key: {key}",) if key else ()
        is_safe = bool(key) or (method == "POST" and "id" in body)
        self.sent = (request(method, path, body, *fields), is_safe, key, goal_id)

    def _command(self):
        dice, goals = self.dice, self.shelf.goals
        chance = dice.random()
        if len(goals) < GOALS / 4 or (chance < 0.03 and len(goals) < GOALS):
            return "POST", "/goals", self._with_id(goal(f"Goal {chance}")), None
        goal_id = dice.choice(list(goals))
        path, transactions = f"/goals/{goal_id}", goals[goal_id]
        if chance < 0.04:
            goals.pop(goal_id)
            return "DELETE", path, None, None
        if chance < 0.15:
            return "PATCH", path, self._edit(), goal_id
        if chance < 0.6 or not transactions:
            body = {
                "transactionType": dice.choice(["income", "expense"]),
                "amount": f"{dice.randint(1, 99_999)}.{dice.randint(0, 99):02}",
                "category": dice.choice([None, "Food", "Größe"]),
            }
            return "POST", f"{path}/transactions", self._with_id(body), goal_id
        place = dice.randrange(len(transactions))
        target = f"{path}/transactions/{transactions[place]}"
        if chance < 0.8:
            return "PATCH", target, {"note": f"Edited {chance}"}, None
        transactions.pop(place)
        return "DELETE", target, None, None

    def _edit(self):
        name, value = self.dice.choice(
            [
                ("title", f"Edited {self.dice.random()}"),
                ("note", "n" * self.dice.randint(0, 300)),
                ("status", self.dice.choice(["active", "paused", "completed"])),
                ("targetAmount", None),
            ]
        )
        return {name: value}

    def _with_id(self, body):
        return body | {"id": self._identifier()} if self.dice.random() < 0.5 else body

    def _identifier(self):
        return str(uuid.UUID(int=self.dice.getrandbits(128), version=4))
