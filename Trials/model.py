"""Whether the answers to many clients at once could have come from some order of their commands.

Each goal is on its own: its commands, with the moments at which they were sent and answered, are
put into an order in which a simple model gives the same answers, and in which nothing comes before
what was answered before it was sent. The order is found by search; that there is none is an error.
"""

import random
import selectors
import tempfile
import time
import uuid
from collections import Counter, deque
from dataclasses import dataclass
from pathlib import Path

from support import Client, Server, judge, parse_answer, request

CONNECTIONS = 32

# Goals that are written at the same time; few, so that commands meet.
GOALS = 6

# Commands for each goal, before it is looked at for the last time and checked.
COMMANDS = 250

MOVES = {
    "active": {"paused", "completed", "archived"},
    "paused": {"active", "completed", "archived"},
    "completed": {"active", "archived"},
    "archived": {"active"},
}


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        data = Path(folder) / "goalpost.sqlite"
        statuses, goals, commands, wrong, widest, deepest = Counter(), 0, 0, [], 0, 0
        end = time.monotonic() + (10 if short else 600)
        with Server(program, data=data) as server:
            while time.monotonic() < end and not wrong:
                for history in play_round(server, dice):
                    goals += 1
                    commands += len(history)
                    statuses.update(command.status for command in history)
                    search = Search(history)
                    if not search.finds_an_order():
                        wrong.append(search.story())
                    widest = max(widest, search.widest)
                    deepest = max(deepest, search.steps / len(history))
            unsound = judge(program, data)
        blind = control(history, dice)
    what = f"{commands} commands on {goals} goals from {CONNECTIONS} connections"
    report.note(f"{what}: most at once on a goal", widest)
    report.note(f"{what}: most steps of the search for each command", deepest)
    report.note(f"{what}: answers", dict(sorted(statuses.items())))
    report.exactly(f"{what}: answers of failure", sum(statuses[s] for s in statuses if s >= 500), 0)
    report.exactly(f"{what}: goals without an order", len(wrong), 0)
    for story in wrong[:1]:
        print(story, flush=True)
    report.exactly(f"{what}: the file is sound", unsound, 0)
    report.exactly("control, one answer in a history changed: histories believed", blind, 0)


# Commands


@dataclass(eq=False, slots=True)
class Command:
    goal: str
    kind: str
    transaction: str | None = None
    body: dict | None = None
    # Of If-Match: a revision, "*", or nothing.
    match: int | str | None = None
    sent_at: float = 0.0
    answered_at: float = 0.0
    status: int = 0
    answer: tuple = ()

    @property
    def data(self):
        goal = f"/goals/{self.goal}"
        transaction = f"{goal}/transactions/{self.transaction}"
        method, target = {
            "create": ("POST", "/goals"),
            "show": ("GET", goal),
            "edit": ("PATCH", goal),
            "delete": ("DELETE", goal),
            "record": ("POST", f"{goal}/transactions"),
            "showEntry": ("GET", transaction),
            "editEntry": ("PATCH", transaction),
            "deleteEntry": ("DELETE", transaction),
            "statistics": ("GET", f"{goal}/statistics?timeZone=UTC"),
        }[self.kind]
        fields = []
        if self.match is not None:
            fields.append("If-Match: *" if self.match == "*" else f'If-Match: "{self.match}"')
        return request(method, target, self.body, *fields)

    def note(self, answer, now):
        self.answered_at, self.status = now, answer.status
        if answer.status in (200, 201) and self.kind in FACTS:
            body = answer.json
            self.answer = tuple(body[name] for name in FACTS[self.kind])

    def __str__(self):
        return (
            f"{self.sent_at:.6f} to {self.answered_at:.6f} {self.kind} {self.transaction or ''} "
            f"{self.body or ''} if {self.match}: {self.status} {self.answer}"
        )


GOAL_FACTS = ["revision", "title", "status", "savedAmount", "transactionCount"]
ENTRY_FACTS = ["revision", "transactionType", "amount"]
FACTS = {
    **dict.fromkeys(["create", "show", "edit"], GOAL_FACTS),
    **dict.fromkeys(["record", "showEntry", "editEntry"], ENTRY_FACTS),
    "statistics": ["revision", "savedAmount", "incomeTotal", "expenseTotal", "transactionCount"],
}


def next_command(goal, known, dice):
    """A command on a goal; `known` are the transactions and revisions that clients heard of."""
    kind = dice.choices(
        ["create", "show", "edit", "delete", "record", "showEntry", "editEntry", "deleteEntry"]
        + ["statistics"],
        [1, 10, 12, 0.1, 30, 8, 20, 8, 10],
    )[0]
    command = Command(goal, kind)
    if kind == "create":
        command.body = creation(goal)
    elif kind == "edit":
        # Titles from few, so that some changes change nothing.
        name = dice.choice(["title", "status"])
        values = list(MOVES) + ["active"] * 3 if name == "status" else ["A", "B", "C", "D"]
        command.body = {name: dice.choice(values)}
    elif kind == "record":
        is_new = dice.random() < 0.9 or not known.entries
        command.transaction = identifier(dice) if is_new else dice.choice(known.entries)
        if is_new:
            known.entries.append(command.transaction)
        # What follows from the id is the same when it is sent again, or now and then is not.
        number = int(command.transaction[:4], 16) % 900 + (dice.random() < 0.02)
        command.body = {
            "id": command.transaction,
            "transactionType": "expense" if number % 3 == 0 else "income",
            "amount": f"{number + 1}.00",
            "date": "2026-05-01",
        }
    elif kind in ("showEntry", "editEntry", "deleteEntry"):
        command.transaction = dice.choice(known.entries[-8:] or [identifier(dice)])
        if kind == "editEntry":
            command.body = {"amount": f"{dice.randint(1, 5)}.00"}
    if kind in ("edit", "delete", "editEntry", "deleteEntry") and dice.random() < 0.5:
        revision = known.revisions.get(command.transaction or goal, 1)
        command.match = dice.choice([revision, revision, revision, "*"])
    return command


class Known:
    def __init__(self):
        self.entries = []
        self.revisions = {}


def creation(goal):
    return {"id": goal, "title": "A", "currency": "USD"}


def identifier(dice):
    return str(uuid.UUID(int=dice.getrandbits(128), version=4))


# Playing


def play_round(server, dice):
    """Has all connections send commands to a few goals. Returns what was sent to each of them."""
    goals = [identifier(dice) for _ in range(GOALS)]
    histories = {goal: [] for goal in goals}
    known = {goal: Known() for goal in goals}
    left = deque(goals * COMMANDS)
    dice.shuffle(left)
    left.extendleft(goals)
    selector = selectors.DefaultSelector()

    def send(client):
        if not left:
            selector.unregister(client.socket)
            client.close()
            return
        goal = left.popleft()
        command = next_command(goal, known[goal], dice)
        if not histories[goal]:
            command = Command(goal, "create", body=creation(goal))
        histories[goal].append(command)
        client.command = command
        command.sent_at = time.monotonic()
        client.socket.send(command.data)

    for _ in range(CONNECTIONS):
        client = Client(server.host, server.port)
        client.socket.setblocking(False)
        selector.register(client.socket, selectors.EVENT_READ, client)
        send(client)
    while selector.get_map():
        for key, _ in selector.select(10):
            client = key.data
            client.buffer += client.socket.recv(65536)
            found = parse_answer(client.buffer)
            if not found:
                continue
            answer, length = found
            del client.buffer[:length]
            command = client.command
            command.note(answer, time.monotonic())
            if command.answer:
                subject = command.transaction or command.goal
                if command.kind != "statistics":
                    known[command.goal].revisions[subject] = command.answer[0]
            send(client)
    with server.connect() as client:
        for goal in goals:
            look(client, goal, known[goal].entries, histories[goal])
    selector.close()
    return histories.values()


def look(client, goal, entries, history):
    """Looks at the end at all that there is, so that the last state is the model's, too."""
    last = [Command(goal, "show"), Command(goal, "statistics")]
    last += [Command(goal, "showEntry", entry) for entry in entries]
    for command in last:
        command.sent_at = time.monotonic()
        client.send(command.data)
        command.note(client.answer(), time.monotonic())
        history.append(command)


# The model

# The state of a goal: `None` before it is made, then its revision, title, status, and its entries:
# for each id its revision, type and amount in whole units, or `None` once it is deleted.
GONE = "gone"


def run(state, command):
    """The state after a command, and the status and answer that the model gives."""
    if command.kind == "create":
        if state is None:
            state = (1, "A", "active", {})
            return state, 201, facts(state)
        return (state, 410, ()) if state == GONE else (state, 200, facts(state))
    if state is None:
        return state, 404, ()
    if state == GONE:
        return state, 410, ()
    revision, title, status, entries = state
    if command.kind == "show":
        return state, 200, facts(state)
    if command.kind == "statistics":
        return state, 200, statistics(state)
    if command.kind == "edit":
        if command.match not in (None, "*", revision):
            return state, 412, ()
        new_title = command.body.get("title", title)
        new_status = command.body.get("status", status)
        if new_status != status and new_status not in MOVES[status]:
            return state, 409, ()
        if (new_title, new_status) != (title, status):
            state = (revision + 1, new_title, new_status, entries)
        return state, 200, facts(state)
    if command.kind == "delete":
        if command.match not in (None, "*", revision):
            return state, 412, ()
        return GONE, 204, ()
    return run_on_entry(state, command)


def run_on_entry(state, command):
    revision, title, status, entries = state
    is_known = command.transaction in entries
    entry = entries.get(command.transaction)
    if is_known and entry is None:
        return state, 410, ()

    def changed(new):
        return revision + 1, title, status, {**entries, command.transaction: new}

    if command.kind == "record":
        content = (command.body["transactionType"], int(command.body["amount"][:-3]))
        if is_known:
            return (state, 200, shown(entry)) if entry[3] == content else (state, 409, ())
        if status == "archived":
            return state, 409, ()
        entry = (1, *content, content)
        return changed(entry), 201, shown(entry)
    if not is_known:
        return state, 404, ()
    if command.kind == "showEntry":
        return state, 200, shown(entry)
    if command.match not in (None, "*", entry[0]):
        return state, 412, ()
    if command.kind == "deleteEntry":
        return changed(None), 204, ()
    amount = int(command.body["amount"][:-3])
    if amount == entry[2]:
        return state, 200, shown(entry)
    entry = (entry[0] + 1, entry[1], amount, entry[3])
    return changed(entry), 200, shown(entry)


def shown(entry):
    return entry[0], entry[1], f"{entry[2]}.00"


def sums(entries):
    there = [entry for entry in entries.values() if entry]
    income = sum(entry[2] for entry in there if entry[1] == "income")
    return income, sum(entry[2] for entry in there) - income, len(there)


def facts(state):
    revision, title, status, entries = state
    income, expense, count = sums(entries)
    return revision, title, status, f"{income - expense}.00", count


def statistics(state):
    income, expense, count = sums(state[3])
    return state[0], f"{income - expense}.00", f"{income}.00", f"{expense}.00", count


class Search:
    """The search for an order of the commands on one goal."""

    def __init__(self, history):
        self.commands = sorted(history, key=lambda command: command.sent_at)
        self.steps = 0
        self.widest = 0
        self.best = []

    def finds_an_order(self):
        commands, count = self.commands, len(self.commands)
        # A place in the search: the first command that is not yet in the order, those after it that
        # are, and the state. Commands that commute lead to the same place, which is tried once.
        order, seen = [], set()
        places = [(0, frozenset(), None, self._candidates(0, frozenset()))]
        while places:
            first, ahead, state, candidates = places[-1]
            if first == count:
                return True
            for index in candidates:
                self.steps += 1
                command = commands[index]
                new, status, answer = run(state, command)
                if (status, answer) != (command.status, command.answer):
                    continue
                next_first, next_ahead = first, ahead | {index}
                while next_first in next_ahead:
                    next_ahead -= {next_first}
                    next_first += 1
                key = (next_first, next_ahead, frozen(new))
                if key in seen:
                    continue
                seen.add(key)
                order.append(command)
                if len(order) > len(self.best):
                    self.best = list(order)
                places.append(
                    (next_first, next_ahead, new, self._candidates(next_first, next_ahead))
                )
                break
            else:
                places.pop()
                if order:
                    order.pop()
        return False

    def _candidates(self, first, ahead):
        """Those that may be next: sent before any that is left was answered."""
        found, earliest = [], float("inf")
        for index in range(first, len(self.commands)):
            command = self.commands[index]
            if command.sent_at > earliest:
                break
            if index not in ahead:
                found.append(index)
                earliest = min(earliest, command.answered_at)
        self.widest = max(self.widest, len(found))
        return iter(found)

    def story(self):
        """As far as an order was found, and what would have to come next."""
        left = [command for command in self.commands if command not in self.best][:CONNECTIONS]
        lines = ["The last in order:", *map(str, self.best[-10:]), "Those next:", *map(str, left)]
        return "\n".join(lines)


def frozen(state):
    if not isinstance(state, tuple):
        return state
    # What is in the entries follows from what is in the order, but for what came of their edits.
    return state[0], state[1], state[2], hash(frozenset(state[3].items()))


def control(history, dice):
    """How many histories with one wrong answer are believed, of some."""
    believed = 0
    for _ in range(20):
        command = dice.choice([c for c in history if c.kind == "show" and c.answer])
        right = command.answer
        # A revision later than what it was: some other write must have come first, or none did.
        command.answer = (right[0] + 1, *right[1:])
        believed += Search(history).finds_an_order()
        command.answer = right
    return believed
