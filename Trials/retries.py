"""Answers that are lost: the same request with the same key gets them, and does nothing twice."""

import json
import random
import tempfile
import time
import uuid
from pathlib import Path

from feed import Stream, listed, walk
from support import Ended, Server, goal, judge, request

# What an answer that is given again does not share with the first.
OF_ITS_OWN = {"date", "x-request-id", "idempotent-replayed"}


def play(report, program, short):
    seed = random.randrange(1 << 32)
    report.note("seed", seed)
    dice = random.Random(seed)
    with Server(program) as server:
        cut(report, server, dice, rounds=60 if short else 3_000)
        at_once(report, server, rounds=3 if short else 50)
        later(report, server)
        report.exactly("the file is sound", judge(program, server.folder / "goalpost.sqlite"), 0)
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        data = Path(folder) / "goalpost.sqlite"
        told_and_killed(report, program, data, rounds=3 if short else 50)
        killed_at_random(report, program, data, dice, rounds=5 if short else 150)
        report.exactly("after all kills the file is sound", judge(program, data), 0)


def keyed(content, key):
    path, body = content
    return request("POST", path, body, f"Idempotency-Key: {key}")


def creation(kind, home):
    """A request that makes something without an id of the client's, so that twice makes two."""
    title = f"Made once {uuid.uuid4()}"
    entry = {"transactionType": "income", "amount": "2.50", "note": title}
    if kind == "goal":
        return title, ("/goals", goal(title))
    if kind == "transaction":
        return title, (f"/goals/{home}/transactions", entry)
    commands = [
        {"method": "POST", "path": "/goals", "body": goal(title)},
        {"method": "POST", "path": f"/goals/{home}/transactions", "body": entry},
    ]
    return title, ("/batch", {"commands": commands})


# How many things with its title or note each of them makes.
KINDS = {"goal": 1, "transaction": 1, "batch": 2}


def same(one, other):
    """Whether two answers are the same, byte for byte, but for what is of each one's own."""

    def kept(answer):
        return {name: text for name, text in answer.fields.items() if name not in OF_ITS_OWN}

    return (one.status, kept(one), one.body) == (other.status, kept(other), other.body)


def is_replayed(answer):
    return answer.fields.get("idempotent-replayed") == "true"


def rows(server):
    """How often each title and note is there, of goals and transactions."""
    with server.connect(patience=30) as client:
        found = {}
        for item in listed(client).values():
            name = item["title"] if "title" in item else item["note"]
            found[name] = found.get(name, 0) + 1
    return found


def make_home(server):
    with server.connect() as client:
        return client.ask("POST", "/goals", goal("Home")).json["id"]


# Cut connections


def cut(report, server, dice, rounds):
    """The connection is cut once the request is sent: at once, or when its commit is known."""
    home, wrong, replays, expected = make_home(server), [], 0, {}
    with server.connect() as client:
        since = walk(client)[1]
    with Stream(server, since=since).begin() as stream:
        for number in range(rounds):
            kind = dice.choice(list(KINDS))
            title, content = creation(kind, home)
            expected[title] = KINDS[kind]
            data = keyed(content, uuid.uuid4())
            is_known = number % 2 == 0
            client = server.connect()
            client.send(data)
            if is_known:
                # Committed: whoever follows is told of it. The answer is on its way, and is lost.
                told_of(stream, title)
            dice.choice([client.reset, client.close])()
            with server.connect() as client:
                client.send(data)
                answers = [client.answer()]
                client.send(data)
                answers.append(client.answer())
            replays += is_replayed(answers[0])
            right = same(*answers) and is_replayed(answers[1])
            if answers[0].status not in (200, 201) or not right:
                wrong.append(f"{data!r}: {answers}")
            if is_known and not is_replayed(answers[0]):
                wrong.append(f"carried out twice: {data!r}")
    found = rows(server)
    counts = {title: found.get(title, 0) for title in expected}
    what = f"{rounds} answers that were cut off"
    report.at_least(f"{what}: that were given again", replays, rounds // 2)
    report.exactly(f"{what}: wrong when asked again", wrong[:2], [])
    report.exactly(f"{what}: things that are there once", counts == expected, True)


def told_of(stream, title):
    """Waits until the last thing of a title is told of. Returns its change."""
    while True:
        for event in stream.receive():
            change = event.change
            item = change.get("goal") or change.get("transaction") or {}
            if title in (item.get("title"), item.get("note")):
                return event


def at_once(report, server, rounds):
    """Fifty connections with one key at the same time."""
    home, wrong, expected = make_home(server), [], {}
    for number in range(rounds):
        kind = list(KINDS)[number % len(KINDS)]
        title, content = creation(kind, home)
        expected[title] = KINDS[kind]
        key = uuid.uuid4()
        data = keyed(content, key)
        clients = [server.connect() for _ in range(50)]
        for client in clients:
            client.send(data)
        answers = [client.answer() for client in clients]
        for client in clients:
            client.close()
        replays = sum(is_replayed(answer) for answer in answers)
        if replays != 49 or not all(same(answer, answers[0]) for answer in answers):
            wrong.append(f"{replays} replayed: {answers[:3]}")
        # Another request with the key is a mistake, and changes nothing.
        with server.connect() as client:
            client.send(keyed((content[0], creation(kind, home)[1][1]), key))
            answer = client.answer()
        if answer.status != 422 or answer.json["code"] != "idempotency-key-reused":
            wrong.append(f"another request with the key: {answer}")
    found = rows(server)
    counts = {title: found.get(title, 0) for title in expected}
    what = f"{rounds} times 50 requests at once with one key"
    report.exactly(f"{what}: wrong", wrong[:2], [])
    report.exactly(f"{what}: things that are there once", counts == expected, True)


def later(report, server):
    """What was made has been changed and deleted since: the answer is still the first."""
    _, content = creation("goal", None)
    data, answers = keyed(content, uuid.uuid4()), []
    with server.connect() as client:
        for method, body in [("PATCH", {"note": "Other"}), ("DELETE", None), ("GET", None)]:
            client.send(data)
            answers.append(client.answer())
            last = client.ask(method, f"/goals/{answers[0].json['id']}", body)
    right = all(same(answer, answers[0]) for answer in answers)
    report.exactly("changed and deleted since: the first answer is given again", right, True)
    report.exactly("changed and deleted since: what is there", last.status, 410)


# Kills


def told_and_killed(report, program, data, rounds):
    """A kill once the commit is known, and before the answer is read."""
    wrong, expected = [], {}
    for _ in range(rounds):
        with Server(program, data=data) as server:
            with server.connect() as client:
                since = walk(client)[1]
            title, content = creation("goal", None)
            expected[title] = 1
            request_data = keyed(content, uuid.uuid4())
            with Stream(server, since=since).begin() as stream, server.connect() as client:
                client.send(request_data)
                event = told_of(stream, title)
                server.process.kill()
                server.process.wait()
        with Server(program, data=data) as server, server.connect() as client:
            client.send(request_data)
            answer = client.answer()
        told = json.dumps(event.change["goal"], separators=(",", ":"), ensure_ascii=False)
        if not is_replayed(answer) or answer.status != 201 or answer.body.decode() != told:
            wrong.append(f"{request_data!r}: told of {told}, answered {answer}")
    with Server(program, data=data) as server:
        found = rows(server)
    counts = {title: found.get(title, 0) for title in expected}
    what = f"{rounds} kills after a commit and before its answer was read"
    report.exactly(f"{what}: the answer afterwards is not that one", wrong[:2], [])
    report.exactly(f"{what}: things that are there once", counts == expected, True)


def killed_at_random(report, program, data, dice, rounds):
    """Sixteen requests at once, and a kill at any moment. All are sent again after it."""
    wrong, expected, answered, replays = [], {}, 0, 0
    with Server(program, data=data) as server:
        home = make_home(server)
    for _ in range(rounds):
        sent = []
        with Server(program, data=data) as server:
            clients = [server.connect() for _ in range(16)]
            for client in clients:
                kind = dice.choice(list(KINDS))
                title, content = creation(kind, home)
                expected[title] = KINDS[kind]
                sent.append(keyed(content, uuid.uuid4()))
                client.send(sent[-1])
            time.sleep(dice.uniform(0, 0.03))
            server.process.kill()
            firsts = [first_answer(client) for client in clients]
        with Server(program, data=data) as server, server.connect(patience=30) as client:
            for request_data, first in zip(sent, firsts):
                client.send(request_data)
                answer = client.answer()
                replays += is_replayed(answer)
                answered += first is not None
                if answer.status not in (200, 201):
                    wrong.append(f"{request_data!r}: {answer}")
                elif first and not (is_replayed(answer) and same(first, answer)):
                    wrong.append(f"{request_data!r}: first {first}, then {answer}")
    with Server(program, data=data) as server:
        found = rows(server)
    counts = {title: found.get(title, 0) for title in expected}
    what = f"{rounds} kills under 16 requests with keys"
    report.note(f"{what}: answered before, given again after", f"{answered}, {replays}")
    report.exactly(f"{what}: wrong when asked again", wrong[:2], [])
    report.exactly(f"{what}: things that are there once", counts == expected, True)


def first_answer(client):
    """The answer that came before the kill, if one did."""
    with client:
        try:
            return client.answer()
        except (Ended, ConnectionResetError):
            return None
