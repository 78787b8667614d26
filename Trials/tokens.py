"""Accounts and tokens, changed beside a busy server."""

import os
import random
import signal
import statistics
import subprocess
import threading
import time

from support import Server, command, goal, judge, request

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def play(report, program, short):
    with Server(program) as server:
        data = str(server.folder / "goalpost.sqlite")

        def run(*words):
            ran = subprocess.run(
                command(program, *words, "--data", data),
                capture_output=True,
                text=True,
                timeout=60,
            )
            if ran.returncode != 0:
                raise RuntimeError(f"{words}: {ran.stderr}")
            return ran.stdout.strip()

        token = run("token", "add", "default")
        flood(report, server, run, token, 4_000 if short else 60_000)
        revoked(report, server, run, 5 if short else 40)
        busy_writer(report, server, run, token, 3 if short else 15)
        deletion(report, server, program, data, run, token, 3_000 if short else 30_000)
        report.exactly("the secret in the log", token[20:] in server.log, False)
        report.exactly("goalpost check", judge(program, data), 0)


def bearer(token):
    return f"Authorization: Bearer {token}"


def wrong_token(known):
    """One that nobody has: of no form, of an id that is none, or of one that is there."""
    secret = "".join(random.choices(BASE64, k=42)) + "A"
    kind = random.randrange(3)
    if kind == 0:
        return secret
    return f"gp_{known[3:19] if kind == 1 else random.randbytes(8).hex()}_{secret}"


def flood(report, server, run, token, count):
    """Wrong tokens without end from the address that a right one comes from."""
    # Before anything is measured, what is made once is made.
    with server.connect() as client:
        client.send(request("GET", "/goals", None, bearer(token)))
        client.answer()
        for _ in range(1_000):
            client.send(request("GET", "/goals", None, bearer(wrong_token(token))))
            client.answer()
    before, cpu = server.resident, server.cpu_seconds
    statuses = {}

    def attack(part):
        with server.connect(patience=30) as client:
            for _ in range(part // 20):
                wrong = [wrong_token(token) for _ in range(20)]
                client.send(
                    b"".join(request("GET", "/goals", None, bearer(each)) for each in wrong)
                )
                for _ in wrong:
                    status = client.answer().status
                    statuses[status] = statuses.get(status, 0) + 1

    attackers = [threading.Thread(target=attack, args=(count // 4,)) for _ in range(4)]
    for attacker in attackers:
        attacker.start()
    times = []
    with server.connect(patience=30) as client:
        while any(attacker.is_alive() for attacker in attackers):
            began = time.monotonic()
            client.send(request("GET", "/goals", None, bearer(token)))
            if client.answer().status != 200:
                report.broke("a right token is not let in during the flood")
                break
            times.append(time.monotonic() - began)
            time.sleep(0.005)
    for attacker in attackers:
        attacker.join()
    cost = (server.cpu_seconds - cpu) / count
    report.exactly("statuses of wrong tokens", sorted(set(statuses) - {401, 429}), [])
    report.at_most("memory for it", server.resident - before, 4.0, "MiB")
    report.note("CPU for each wrong token", cost * 1e6, "µs")
    report.note("a right token meanwhile, median", statistics.median(times) * 1e3, "ms")
    # One that the server has never seen, from the same address.
    fresh = run("token", "add", "default")
    with server.connect() as client:
        client.send(request("GET", "/goals", None, bearer(fresh)))
        report.exactly("a new token after the flood", client.answer().status, 200)


def revoked(report, server, run, count):
    """No request that begins after `token revoke` has ended gets in."""
    late = []
    for _ in range(count):
        token = run("token", "add", "default")
        last = [0.0] * 3
        is_over = threading.Event()

        def use(number, token=token, last=last, is_over=is_over):
            with server.connect() as client:
                while not is_over.is_set():
                    began = time.monotonic()
                    client.send(request("GET", "/goals?limit=1", None, bearer(token)))
                    if client.answer().status == 200:
                        last[number] = began

        users = [threading.Thread(target=use, args=(number,)) for number in range(3)]
        for user in users:
            user.start()
        while not all(last):
            time.sleep(0.001)
        run("token", "revoke", token[3:19])
        ended = time.monotonic()
        # Time to be let in wrongly.
        time.sleep(0.05)
        is_over.set()
        for user in users:
            user.join()
        late += [began for began in last if began > ended]
    report.exactly(f"requests let in after {count} revocations", len(late), 0)


def writers(server, token, connections, is_over):
    """Writes without a pause. Returns how long each took, and the statuses there were."""
    times, statuses = [], set()

    def write():
        with server.connect(patience=30) as client:
            while not is_over.is_set():
                began = time.monotonic()
                client.send(request("POST", "/goals", goal("Bike"), bearer(token)))
                statuses.add(client.answer().status)
                times.append(time.monotonic() - began)

    threads = [threading.Thread(target=write) for _ in range(connections)]
    for thread in threads:
        thread.start()

    def result():
        is_over.set()
        for thread in threads:
            thread.join()
        return times, statuses

    return result


def busy_writer(report, server, run, token, count):
    """The commands have their turn, however much the server writes."""
    result = writers(server, token, 8, threading.Event())
    longest = 0.0
    for number in range(count):
        began = time.monotonic()
        run("account", "add", f"Account {number}")
        longest = max(longest, time.monotonic() - began)
    times, statuses = result()
    report.at_most("an account beside 8 that write, the longest", longest, 5.0, "s")
    report.exactly("what the writers got", statuses, {201})
    report.at_most("the longest write beside it", max(times), 5.0, "s")


def deletion(report, server, program, data, run, token, count):
    """A deletion keeps nobody waiting, may be killed at any time, and goes on when it is repeated."""
    run("account", "add", "Anna")
    annas = run("token", "add", "Anna")
    with server.connect(patience=60) as client:
        client.send(request("POST", "/goals", goal("Bike"), bearer(annas)))
        path = f"/goals/{client.answer().json['id']}/transactions"
        body = {"transactionType": "income", "amount": "1.00", "category": "Salary"}
        for _ in range(count // 100):
            client.send(request("POST", path, body, bearer(annas)) * 100)
            for _ in range(100):
                if client.answer().status != 201:
                    raise RuntimeError("No history is made")
    result = writers(server, token, 2, threading.Event())
    kills = 0
    for delay in (0.03, 0.06, 0.1):
        deleting = subprocess.Popen(
            command(program, "account", "delete", "Anna", "--data", data),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            deleting.wait(delay)
        except subprocess.TimeoutExpired:
            os.kill(deleting.pid, signal.SIGKILL)
            deleting.wait()
            kills += 1
        with server.connect() as client:
            client.send(request("GET", "/goals", None, bearer(token)))
            if client.answer().status != 200:
                report.broke("others are not served after a deletion was killed")
    report.note("deletions that were killed", kills)
    report.exactly("goalpost check between", judge(program, data), 0)
    began = time.monotonic()
    said = run("account", "delete", "Anna") if "Anna " in run("account", "list") else "gone"
    took = time.monotonic() - began
    times, statuses = result()
    report.note("the last of them", said)
    report.note(f"the rest of {count} transactions", took, "s")
    report.exactly("what others that write got", statuses, {201})
    report.at_most("the longest write beside it", max(times), 0.5, "s")
    with server.connect() as client:
        client.send(request("GET", "/goals", None, bearer(annas)))
        report.exactly("the token of a deleted account", client.answer().status, 401)
