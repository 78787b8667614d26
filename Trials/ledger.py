"""What clients know of the writes they sent, and whether what a server then has agrees with it.

Every write carries a number of its own, its mark, and all that it sets follows from the mark. So
what is found later tells which write it comes from, and whether the whole of it is there.
"""

import math
import selectors
import sqlite3
import time
import uuid
from collections import Counter, deque
from dataclasses import dataclass, field

from support import Client, parse_answer, request

CATEGORIES = 7
FEWEST_GOALS = 12


@dataclass(eq=False, slots=True)
class Write:
    """One request that changes something. Its times are those of `time.monotonic`."""

    thing: "Thing"
    kind: str
    mark: int
    body: dict | None
    fields: tuple
    sent_at: float = math.inf
    answered_at: float = math.inf
    status: int | None = None
    revision: int = 0

    @property
    def is_acknowledged(self):
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_refused(self):
        """Whether it was answered for good that nothing came of it."""
        return self.status is not None and 400 <= self.status < 500

    @property
    def data(self):
        if self.kind == "create":
            collection = self.thing.path.rpartition("/")[0]
            return request("POST", collection, self.body, *self.fields)
        method = "PATCH" if self.kind == "edit" else "DELETE"
        return request(method, self.thing.path, self.body, *self.fields)


@dataclass(eq=False, slots=True)
class Thing:
    """A goal, or a transaction of one."""

    id: str
    goal: "Thing | None" = None
    writes: list = field(default_factory=list)
    transactions: list = field(default_factory=list)
    revision: int = 0
    is_deleted: bool = False

    # How it was found after the writes before those above; `None` if it was not there.
    known: "Seen | None" = None

    @property
    def path(self):
        own = f"/goals/{self.id}"
        return own if self.goal is None else f"{self.goal.path}/transactions/{self.id}"

    @property
    def family(self):
        """All writes that raise the revision of a goal."""
        yield from self.writes
        for transaction in self.transactions:
            yield from transaction.writes


@dataclass(slots=True)
class Seen:
    """A thing as it was found: its revision, and the mark, `None` if it is of no one write."""

    revision: int
    mark: int | None


class Ledger:
    def __init__(self, dice):
        self.dice = dice
        self.goals = []
        self.mark = 0
        self.counts = Counter()

    # What to write

    def next_writes(self):
        """The writes that one connection sends at once: one, or a group for the same goal."""
        open_goals = [goal for goal in self.goals[-2 * FEWEST_GOALS :] if not goal.is_deleted]
        if len(open_goals) < FEWEST_GOALS or self.dice.random() < 0.02:
            goal = Thing(self._identifier())
            self.goals.append(goal)
            return [self._write(goal, "create")]
        goal = self.dice.choice(open_goals)
        count = self.dice.randint(2, 8) if self.dice.random() < 0.3 else 1
        return [self._next_write(goal) for _ in range(count)]

    def _next_write(self, goal):
        chance = self.dice.random()
        if chance < 0.005:
            return self._write(goal, "delete")
        if chance < 0.15:
            return self._write(goal, "edit")
        recent = [one for one in goal.transactions[-20:] if not one.is_deleted]
        if chance < 0.6 or not recent:
            transaction = Thing(self._identifier(), goal)
            goal.transactions.append(transaction)
            return self._write(transaction, "create")
        return self._write(self.dice.choice(recent), "edit" if chance < 0.9 else "delete")

    def _write(self, thing, kind):
        self.mark += 1
        body = None if kind == "delete" else content(self.mark, thing.goal is None)
        if kind == "create":
            body["id"] = thing.id
            if thing.goal:
                body["transactionType"] = self.dice.choice(["income", "income", "expense"])
        fields = ()
        if kind != "create" and thing.revision and self.dice.random() < 0.25:
            fields = (f'If-Match: "{thing.revision}"',)
        write = Write(thing, kind, self.mark, body, fields)
        thing.writes.append(write)
        return write

    def _identifier(self):
        return str(uuid.UUID(int=self.dice.getrandbits(128), version=4))

    # What came of it

    def note_answer(self, write, answer, now):
        write.answered_at, write.status = now, answer.status
        self.counts[answer.status] += 1
        if not write.is_acknowledged:
            return
        if write.kind == "delete":
            write.thing.is_deleted = True
            return
        write.revision = int(answer.fields["etag"].strip('"'))
        write.thing.revision = max(write.thing.revision, write.revision)

    @property
    def acknowledged(self):
        return sum(count for status, count in self.counts.items() if 200 <= status < 300)

    def acknowledgements(self):
        """When each acknowledged write was."""
        return [
            write.answered_at
            for goal in self.goals
            for write in goal.family
            if write.is_acknowledged
        ]

    # What must be there

    def contradictions(self, seen, at=math.inf, until=None, goals=None):
        """What is wrong with what was found, given what clients knew at a moment.

        `seen` has what was found for each id. Writes that were sent later than `until`, which is
        the same moment if it is not given, can't be there; those before it may be. `goals` are
        those that were looked for, if not all.
        """
        until = at if until is None else until
        wrong = []
        strangers = set(seen)
        for goal in self.goals if goals is None else goals:
            found = seen.get(goal.id)
            problem = contradiction(goal, found, at, until) or miscounted(goal, found, at, until)
            problems = [(goal, problem)]
            strangers.discard(goal.id)
            for transaction in goal.transactions:
                strangers.discard(transaction.id)
                there = seen.get(transaction.id)
                # What becomes of a goal becomes of what is below it.
                if found or there:
                    problems.append((transaction, contradiction(transaction, there, at, until)))
            wrong += [f"{thing.path} {problem}" for thing, problem in problems if problem]
        return wrong + [f"{id} was never written" for id in strangers]

    def settle(self, seen, goals):
        """Takes what was found for what is so, once no write is on its way any more."""
        for goal in goals:
            for thing in [goal, *goal.transactions]:
                thing.known = seen.get(thing.id)
                thing.is_deleted = thing.is_deleted or not thing.known
                thing.revision = thing.known.revision if thing.known else 0
                thing.writes.clear()
            goal.transactions = [one for one in goal.transactions if one.known]


def contradiction(thing, found, at, until):
    """What is wrong with a thing as it was found, or `None`."""
    acknowledged = [w for w in thing.writes if w.is_acknowledged and w.answered_at <= at]
    possible = [
        w
        for w in thing.writes
        if w.sent_at <= until and not w.is_refused and w not in acknowledged
    ]
    is_deleted = any(w.kind == "delete" for w in acknowledged)
    last = thing.known or Seen(0, None)
    for write in acknowledged:
        if write.revision > last.revision:
            last = Seen(write.revision, write.mark)
    if not found:
        may_be_deleted = is_deleted or any(w.kind == "delete" for w in possible)
        return None if may_be_deleted or not last.revision else "is lost"
    if is_deleted or (thing.is_deleted and not thing.writes):
        return "is there, though it was deleted"
    if found.mark is None:
        return "is half of one write and half of another"
    if found.revision < last.revision:
        return f"went back from revision {last.revision} to {found.revision}"
    marks = {w.mark for w in possible}
    # The revision of a goal also counts the changes of its transactions.
    if found.revision == last.revision or thing.goal is None:
        marks.add(last.mark)
    if found.revision == last.revision and found.mark != last.mark:
        return f"has revision {found.revision} with the content of another"
    if found.mark not in marks:
        return f"has in revision {found.revision} the content of an older one"
    if thing.goal and found.revision > last.revision + len(possible):
        return f"has revision {found.revision}, which nobody wrote"
    return None


def miscounted(goal, found, at, until):
    """What is wrong with the revision of a goal, which counts all that happened to it."""
    if not found:
        return None
    base = goal.known.revision if goal.known else 0
    sent = [w for w in goal.family if w.sent_at <= until and not w.is_refused]
    least = base + sum(w.is_acknowledged and w.answered_at <= at for w in sent)
    most = base + len(sent)
    if least <= found.revision <= most:
        return None
    return f"has revision {found.revision}, but was changed {least} to {most} times"


def content(mark, is_goal):
    """All that a write sets."""
    if is_goal:
        return {
            "title": f"Goal {mark}",
            "note": f"mark {mark}",
            "targetAmount": f"{mark + 1}.00",
        }
    return {
        "amount": f"{mark // 100}.{mark % 100:02}",
        "note": f"mark {mark}",
        "category": f"Category {mark % CATEGORIES}",
    }


def mark_of(item, is_goal):
    """The mark of what a server has; `None` if not all of it is from one write."""
    mark = int(item["note"].removeprefix("mark "))
    expected = content(mark, is_goal)
    return mark if all(item[name] == value for name, value in expected.items()) else None


# Finding out


def read(server, goals):
    """What a server has of these goals and of all that is below them."""
    seen = {}
    with server.connect(patience=30) as client:
        for goal in goals:
            answer = client.ask("GET", goal.path)
            if answer.status in (404, 410):
                continue
            seen[goal.id] = Seen(answer.json["revision"], mark_of(answer.json, True))
            target = f"{goal.path}/transactions?limit=200"
            while target:
                page = client.ask("GET", target).json
                for item in page["items"]:
                    seen[item["id"]] = Seen(item["revision"], mark_of(item, False))
                cursor = page["nextCursor"]
                target = cursor and f"{goal.path}/transactions?limit=200&cursor={cursor}"
    return seen


def read_file(path):
    """What a data file has, read with SQLite alone."""
    seen = {}
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        for row in database.execute("SELECT id, revision, title, note, target_amount FROM goals"):
            item = {"title": row[2], "note": row[3], "targetAmount": decimal(row[4])}
            seen[str(uuid.UUID(bytes=row[0]))] = Seen(row[1], mark_of(item, True))
        query = "SELECT id, revision, amount, note, category FROM transactions"
        for row in database.execute(query):
            item = {"amount": decimal(row[2]), "note": row[3], "category": row[4]}
            seen[str(uuid.UUID(bytes=row[0]))] = Seen(row[1], mark_of(item, False))
    finally:
        database.close()
    return seen


def decimal(amount):
    return f"{amount // 100}.{amount % 100:02}"


# Writing


class Writers:
    """Connections that each send writes, and more once all of those are answered."""

    def __init__(self, server, ledger, count):
        self.ledger = ledger
        self.selector = selectors.DefaultSelector()
        self.touched = set()
        self.latencies = []
        for _ in range(count):
            client = Client(server.host, server.port)
            client.socket.setblocking(False)
            client.waiting = deque()
            self.selector.register(client.socket, selectors.EVENT_READ, client)

    def run(self, seconds=math.inf, writes=math.inf):
        """Writes for so long, until so many were answered, or until all connections have ended."""
        end = time.monotonic() + seconds
        goal = self.ledger.counts.total() + writes
        for key in list(self.selector.get_map().values()):
            if not key.data.waiting:
                self._send(key.data)
        while self.selector.get_map():
            left = end - time.monotonic()
            if left <= 0 or self.ledger.counts.total() >= goal:
                return
            self._turn(min(left, 0.1), is_sending=True)

    def rest(self, seconds=10):
        """Reads what is still answered."""
        end = time.monotonic() + seconds
        while any(key.data.waiting for key in self.selector.get_map().values()):
            if time.monotonic() > end:
                break
            self._turn(0.1, is_sending=False)

    def finish(self, seconds=10):
        """Reads what is still answered, and ends the connections."""
        self.rest(seconds)
        for key in list(self.selector.get_map().values()):
            self._end(key.data)
        self.selector.close()

    def _turn(self, seconds, is_sending):
        for key, _ in self.selector.select(seconds):
            client = key.data
            try:
                piece = client.socket.recv(65536)
            except ConnectionResetError:
                piece = b""
            client.buffer += piece
            self._take_answers(client)
            if not piece:
                self._end(client)
            elif not client.waiting and is_sending:
                self._send(client)

    def _take_answers(self, client):
        while client.waiting:
            found = parse_answer(client.buffer)
            if not found:
                return
            answer, length = found
            del client.buffer[:length]
            now = time.monotonic()
            write = client.waiting.popleft()
            # Those of a group wait for one another.
            if client.is_alone:
                self.latencies.append((write.sent_at, now - write.sent_at))
            self.ledger.note_answer(write, answer, now)

    def _send(self, client):
        writes = self.ledger.next_writes()
        data = b"".join(write.data for write in writes)
        now = time.monotonic()
        for write in writes:
            write.sent_at = now
            self.touched.add(write.thing.goal or write.thing)
        client.waiting.extend(writes)
        client.is_alone = len(writes) == 1
        try:
            # A group is far smaller than the buffer of an idle connection: all of it is taken.
            client.socket.send(data)
        except ConnectionError:
            self._end(client)

    def _end(self, client):
        self.selector.unregister(client.socket)
        client.close()
