"""Accounts beside one another: whether anything of one comes to another, and who is let in when.

What an account is answered about the things of another one must be, byte for byte, what it is
answered about things that never were. Meanwhile all accounts are written to, and tokens and
accounts come and go by the program's own commands.
"""

import random
import re
import time
import uuid
from contextlib import ExitStack
from dataclasses import dataclass

from feed import Stream, change_page
from support import Server, goal, in_background, judge, manage, request

ACCOUNTS = 8

# What the answers to two requests may differ in.
OF_THE_MOMENT = {"date"}

# Else the server would make one for each.
SAME_ID = "X-Request-Id: the-same"


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    dice = random.Random(seed)
    seconds = 6 if short else 600
    with Server(program, "--heartbeat-interval", "1") as server, ExitStack() as stack:
        data = server.folder / "goalpost.sqlite"
        residents = [Resident.move_in(program, data, server, number) for number in range(ACCOUNTS)]
        routes = routes_of(server)
        lives = [
            stack.enter_context(in_background(live, server, resident, residents))
            for resident in residents
        ]
        end = time.monotonic() + seconds
        probes, leaks, doors, late = 0, [], 0, []
        while (time.monotonic() < end or doors < 2) and not leaks and not late:
            asker, owner = dice.sample(residents, 2)
            for probe in probes_of(routes, asker, owner, server):
                probes += 1
                leaks += probe.differences(asker, server)
            leaks += keys(asker, owner, server)
            doors += 1
            late += doorkeeping(program, data, server, doors)
        answers, wrong = 0, []
        for one in lives:
            count, found = one()
            answers += count
            wrong += found
        leaks += control(residents, server)
        judged = judge(program, data)
        secrets = sum(resident.token in server.log for resident in residents)
    what = f"{seconds} s with {ACCOUNTS} accounts"
    report.note(f"{what}: routes of the contract", len(routes))
    report.at_least(f"{what}: pairs of requests compared", probes, 100)
    report.exactly(f"{what}: answers that differ", leaks[:2], [])
    report.at_least(f"{what}: answers to those who live there", answers, 500)
    report.exactly(f"{what}: of them wrong, refused, or of another account", wrong[:3], [])
    report.at_least(f"{what}: tokens revoked, accounts closed, opened and deleted, each", doors, 2)
    report.exactly(f"{what}: let in after the command had ended, or kept out", late[:3], [])
    report.exactly(f"{what}: tokens in the log", secrets, 0)
    report.exactly(f"{what}: the file is sound", judged, 0)


# Those who live there


@dataclass(eq=False)
class Resident:
    """An account with things that stay, and a word that is in all that it writes."""

    name: str
    token: str
    mark: str
    goal: str = ""
    transaction: str = ""
    key: str = ""
    tag: str = ""
    report_tag: str = ""
    cursor: str = ""
    entry_cursor: str = ""
    since: str = ""

    @classmethod
    def move_in(cls, program, data, server, number):
        name, mark = f"Account {number}", f"mark{number}{random.randrange(1 << 40):010x}"
        manage(program, data, "account", "add", name)
        self = cls(name, manage(program, data, "token", "add", name), mark)
        self.key = str(uuid.uuid4())
        with server.connect(patience=30) as client:
            made = self.ask(client, "POST", "/goals", goal(mark), f"Idempotency-Key: {self.key}")
            self.goal, self.tag = made.json["id"], made.fields["etag"]
            path = f"/goals/{self.goal}"
            # As many as make the revision, and with it the tag, one that no other account has.
            for amount in range(1, number + 3):
                entry = {"transactionType": "income", "amount": f"{amount}.00", "note": mark}
                entry_made = self.ask(client, "POST", f"{path}/transactions", entry)
                self.transaction = entry_made.json["id"]
            self.ask(client, "POST", "/goals", goal(mark))
            self.report_tag = self.ask(client, "GET", f"{path}/statistics").fields["etag"]
            self.cursor = self.ask(client, "GET", "/goals?limit=1").json["nextCursor"]
            entries = self.ask(client, "GET", f"{path}/transactions?limit=1")
            self.entry_cursor = entries.json["nextCursor"]
            self.since = change_page(client, None, 1, self.fields)["next"]
        return self

    @property
    def fields(self):
        return (f"Authorization: Bearer {self.token}",)

    def ask(self, client, method, target, body=None, *fields):
        client.send(request(method, target, body, *self.fields, *fields))
        return client.answer(method == "HEAD")


def live(server, resident, residents, *, ready, stop):
    """Somebody who writes and reads without end. Runs in a process of its own.

    Returns the count of answers, and those that were not the right ones.
    """
    marks = [other.mark.encode() for other in residents if other is not resident]
    answers, wrong = 0, []
    ready.set()

    def check(data, what):
        if any(mark in data for mark in marks):
            wrong.append(f"{resident.name} was told of another account: {what}: {data!r}")

    with server.connect(patience=30) as client:

        def ask(method, target, body=None, expected=200):
            nonlocal answers
            answers += 1
            answer = resident.ask(client, method, target, body)
            if answer.status != expected:
                wrong.append(f"{method} {target}: {answer}")
            check(answer.body, target)
            return answer

        while not stop.is_set() and not wrong:
            made = ask("POST", "/goals", goal(resident.mark), 201).json
            path = f"/goals/{made['id']}"
            entry = {"transactionType": "income", "amount": "5.00", "note": resident.mark}
            command = {"method": "POST", "path": f"{path}/transactions", "body": entry}
            ask("POST", f"{path}/transactions", entry, 201)
            ask("POST", "/batch", {"commands": [command]})
            ask("PATCH", path, {"note": resident.mark})
            ask("GET", f"{path}/statistics")
            # Each of them writes "mark".
            ask("GET", "/goals?search=mark&limit=200")
            ask("GET", f"{path}/transactions?search=mark")
            page = change_page(client, resident.since, 200, resident.fields)
            check(str(page).encode(), "/changes")
            with Stream(server, since=resident.since, fields=resident.fields) as stream:
                for event in stream.events(10, 0.2):
                    check(event.data, "/events")
            ask("DELETE", path, None, 204)
    return answers, wrong


# Who is let in


def doorkeeping(program, data, server, number):
    """An account whose tokens, state and self come and go under load. Returns what was wrong."""

    def run(*words):
        return manage(program, data, *words)

    name, wrong = f"Visitor {number}", []
    run("account", "add", name)
    token, other = run("token", "add", name), run("token", "add", name)
    with server.connect(patience=30) as client, Stream(server, fields=bearer(token)) as stream:
        stream.begin()
        wrong += shut_out(server, token, lambda: run("token", "revoke", token[3:19]))
        client.send(request("POST", "/goals", goal("Not for all"), *bearer(other)))
        if client.answer().status != 201:
            wrong.append("the other token of the account is refused")
        told = [event.data for event in stream.events(1_000_000, 10)]
        if not stream.is_over or any(b"Not for all" in data for data in told):
            wrong.append("the stream of a revoked token goes on")
    wrong += shut_out(server, other, lambda: run("account", "disable", name))
    run("account", "enable", name)
    if look(server, other) != 200:
        wrong.append("an account that was enabled is refused")
    wrong += shut_out(server, other, lambda: run("account", "delete", name))
    # Another one of the name has nothing of the one before it, its tokens least of all.
    run("account", "add", name)
    fresh = run("token", "add", name)
    with server.connect() as client:
        client.send(request("GET", "/changes", None, *bearer(fresh)))
        if client.answer().json["changes"]:
            wrong.append("a new account has changes of one that was deleted")
    if look(server, token) != 401 or look(server, other) != 401:
        wrong.append("a token of a deleted account is let in")
    run("account", "delete", name)
    return wrong


def bearer(token):
    return (f"Authorization: Bearer {token}",)


def look(server, token):
    with server.connect(patience=30) as client:
        client.send(request("GET", "/goals?limit=1", None, *bearer(token)))
        return client.answer().status


def shut_out(server, token, act):
    """Does what shuts a token out while it is used without a pause. Returns what was wrong."""
    with in_background(knock, server, token) as result:
        act()
        ended = time.monotonic()
        # Those that are asked after it.
        after = look(server, token)
        last_in, first_out = result()
    if after == 401 and last_in <= ended and first_out < float("inf"):
        return []
    return [f"let in {last_in - ended:.3f} s after the command, then {after}"]


def knock(server, token, *, ready, stop):
    """Asks until it is shut out, and for some time then. Runs in a process of its own.

    Returns when the last request that was let in was sent, and the first that was not.
    """
    last_in, first_out = 0.0, float("inf")
    with server.connect(patience=30) as client:
        is_over = False
        while not is_over:
            # Once more at least after the command has ended.
            is_over = stop.is_set()
            for method, body in [("GET", None), ("POST", goal("In time"))]:
                sent_at = time.monotonic()
                client.send(request(method, "/goals", body, *bearer(token)))
                if client.answer().status < 300:
                    last_in = sent_at
                else:
                    first_out = min(first_out, sent_at)
                ready.set()
    return last_in, first_out


# Asking for what another one has


def routes_of(server):
    """The methods and paths of the contract that the server shows, a new one included."""
    contract = server.ask("GET", "/openapi.yaml").body.decode()
    section = contract.partition("\npaths:\n")[2].partition("\ncomponents:\n")[0]
    routes, path = [], None
    for line in section.splitlines():
        if found := re.fullmatch(r"  (/\S*):", line):
            path = found.group(1)
        elif found := re.fullmatch(r"    (get|post|patch|put|delete):", line):
            routes.append((found.group(1).upper(), path))
    routes += [("HEAD", path) for method, path in routes if method == "GET"]
    return routes


@dataclass
class Probe:
    """The same request twice: about a thing of another account, and about one that never was."""

    method: str
    theirs: str
    nobodys: str
    # What is not the same in the bodies and targets of both, in this order.
    names: tuple
    body: dict | None = None
    fields: tuple = ()

    def differences(self, asker, server):
        answers = []
        with server.connect(patience=30) as client:
            for place, target in enumerate([self.theirs, self.nobodys]):
                replaced = {theirs: nobodys for theirs, nobodys in self.names if place == 1}
                fields = tuple(renamed(field, replaced) for field in self.fields)
                body = request(self.method, target, self.body, *asker.fields, SAME_ID, *fields)
                head, separator, content = body.partition(b"\r\n\r\n")
                content = renamed(content.decode(), replaced).encode()
                client.send(head + separator + content)
                answer = client.answer(self.method == "HEAD")
                answers.append(comparable(answer, self.names))
        if answers[0] == answers[1]:
            return []
        return [f"{self.method} {self.theirs} {self.fields}: {answers[0]}, but {answers[1]}"]


def comparable(answer, names):
    """An answer without what may differ."""
    fields = {name: value for name, value in answer.fields.items() if name not in OF_THE_MOMENT}
    blank = {one: "0" * len(one) for pair in names for one in pair}
    text = renamed(f"{answer.status} {fields} {answer.body.decode()}", blank)
    # What is made anew each time: a moment, and the server's own ids.
    return re.sub(r'("(?:createdAt|updatedAt)":)"[^"]*"', r"\1", text)


def renamed(text, names):
    for old, new in names.items():
        text = text.replace(old, new)
    return text


ENTRY = {"transactionType": "income", "amount": "1.00", "date": "2026-01-02"}
BODIES = {
    ("PATCH", "/goals/{goal}"): {"note": "From another"},
    ("POST", "/goals/{goal}/transactions"): ENTRY,
    ("PATCH", "/goals/{goal}/transactions/{transaction}"): {"note": "From another"},
}


def probes_of(routes, asker, owner, server):
    """All that one account may try to get at another one."""
    for method, path in routes:
        # Routes without an id are asked in the ways below.
        if "{" not in path:
            continue
        # Also each of the two ids with one of the asker's own.
        pairs = [(owner.goal, owner.transaction), (owner.goal, asker.transaction)]
        if "{transaction}" in path:
            pairs.append((asker.goal, owner.transaction))
        filled = [path.replace("{goal}", g).replace("{transaction}", t) for g, t in pairs]
        for target in dict.fromkeys(filled):
            if "{" in target:
                raise AssertionError(f"What goes into {target}?")
            body = BODIES.get((method, path))
            if method in ("POST", "PATCH") and body is None:
                raise AssertionError(f"What is sent to {method} {path}?")
            for fields in conditions(method, owner):
                yield about(owner, method, target, body, fields)
            if method not in ("GET", "HEAD"):
                command = {"method": method, "path": target}
                if body is not None:
                    command["body"] = body
                yield about(owner, "POST", "/batch", {"commands": [command]}, ())
    yield from tokens(asker, owner)
    yield from ids(asker, owner, server)


def conditions(method, owner):
    yield ()
    if method in ("GET", "HEAD"):
        yield (f"If-None-Match: {owner.tag}",)
        yield (f"If-None-Match: {owner.report_tag}",)
        yield ("If-None-Match: *",)
    if method != "POST":
        yield (f"If-Match: {owner.tag}",)
        yield ("If-Match: *",)
    if method == "POST":
        # A key that the owner has used, and an answer is kept for.
        yield (f"Idempotency-Key: {owner.key}",)


def about(owner, method, target, body, fields):
    """A request about a thing of the owner; the other is about one that never was."""
    names = tuple((one, str(uuid.uuid4())) for one in (owner.goal, owner.transaction))
    return Probe(method, target, renamed(target, dict(names)), names, body, fields)


def tokens(asker, owner):
    """Places in the owner's lists and changes, against made-up ones.

    Not its tags for a goal of the asker's own: a tag is one of its address alone, and goals that have
    changed as often have the same.
    """
    entries = f"/goals/{asker.goal}/transactions?limit=1&cursor="
    places = [("/goals?limit=1&cursor=", owner.cursor), (entries, owner.entry_cursor)]
    places += [("/changes?limit=1&since=", owner.since), ("/events?since=", owner.since)]
    for target, place in places:
        for method in ["GET", "HEAD"]:
            made_up = changed(place)
            yield Probe(method, target + place, target + made_up, ((place, made_up),))
    made_up = changed(owner.since)
    names = ((owner.since, made_up),)
    yield Probe("GET", "/events", "/events", names, None, (f"Last-Event-ID: {owner.since}",))


def changed(token):
    """The token with another letter in its middle."""
    place = len(token) // 2
    return token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]


def ids(asker, owner, server):
    """Creations under an id that another account has: as if nobody had it."""
    for collection in ["/goals", "/goals/{}/transactions"]:
        taken, free = str(uuid.uuid4()), str(uuid.uuid4())
        content = goal("Of two accounts") if collection == "/goals" else ENTRY
        path = collection.format(asker.goal)
        with server.connect(patience=30) as client:
            owner.ask(client, "POST", collection.format(owner.goal), content | {"id": taken})
            yield Probe("POST", path, path, ((taken, free),), content | {"id": taken})
            owner.ask(client, "DELETE", f"{collection.format(owner.goal)}/{taken}")
            for one in (taken, free):
                asker.ask(client, "DELETE", f"{path}/{one}")


def keys(asker, owner, server):
    """The same request with the same key in two accounts: each is carried out."""
    key, made = f"Idempotency-Key: {uuid.uuid4()}", []
    with server.connect(patience=30) as client:
        for resident in (owner, asker, owner, asker):
            made.append(resident.ask(client, "POST", "/goals", goal("Of two accounts"), key))
        found = [one.json["id"] for one in made]
        replayed = [one.fields.get("idempotent-replayed") for one in made]
        for resident, one in zip((owner, asker), found):
            resident.ask(client, "DELETE", f"/goals/{one}")
    right = found[0] == found[2] != found[1] == found[3]
    if right and replayed == [None, None, "true", "true"]:
        return []
    return [f"POST /goals with the key of another account: {made}"]


def control(residents, server):
    """A probe about a thing of the asker itself must be seen to differ."""
    asker = residents[0]
    if about(asker, "GET", f"/goals/{asker.goal}", None, ()).differences(asker, server):
        return []
    return ["control: an answer that differs is not noticed"]
