#!/usr/bin/env python3
"""Writes a data file as a released program makes it, and what that program answers about it.

    Scripts/make-fixture.py PROGRAM FOLDER

FOLDER gets goalpost.sqlite and answers.json, which the tests of later versions hold their own answers
against. Each value that has a place in the data is there: the least and the greatest, none at all, and
texts that are hard to read. The moments and the server's own ids differ from run to run.
"""
import http.client
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

FAMILY = "👩🏻\u200d👩🏽\u200d👧🏿\u200d👦🏼"

# What is long comes once, so that the files stay small.
LONG_TITLES = ["\ufdfa" * 11, FAMILY * 18, "e\u0301" * 200, "x" * 200]
LONG_NOTES = ["n" * 2000, FAMILY * 1000]
TITLES = [
    "A bicycle", "Urlaub: Übersee", "U\u0308bersee", "Отпуск", "旅行", "한글 \u1112\u1161\u11ab",
    "שלום\u200f עולם", "\u200fa\u200e", "ＡＢＣ　１２", "ﬁn ⅷ ㎏", "\ufdfa", FAMILY,
    'quotes " and \\ back', "100%_\\", "Łódź Ødegård", "İstanbul ısı", "Straße", "'; DROP TABLE goals; --",
    "a" + "\u0316" * 40, "  many   blanks\tbetween  ", "null",
]
NOTES = [
    "", "one line", "two\nlines\r\nand a tab\t.", " blanks kept ", FAMILY, "ü\u0308",
    "\u2028", '{"json": "not"}',
]
CATEGORIES = [None, "Food", "food", "Élan", "c" * 100, FAMILY, "null", "0"]
DAYS = ["1900-01-01", "2199-12-31", "2024-02-29", "2026-11-30", "2027-01-31"]
RARE_DAYS = 2
PLANNED = ["2026-12-31", "2027-06-30", "2028-02-29"]
DECIMALS = {"USD": 2, "EUR": 2, "JPY": 0, "KWD": 3, "CLF": 4}
GOAL_SORTS = ["updatedAt", "createdAt", "title", "plannedCompletionDate"]
TRANSACTION_SORTS = ["date", "amount", "createdAt"]
QUERIES = [
    "asOf=2026-11-30&timeZone=UTC", "asOf=1999-01-01&timeZone=UTC",
    "asOf=2027-02-15&timeZone=Europe%2FWarsaw&onlyExpenses=true",
    "asOf=2027-02-15&timeZone=UTC&from=2026-11-15&to=2027-01-31", "asOf=2027-02-15&timeZone=UTC&category=",
    "asOf=2027-02-15&timeZone=UTC&category=Food",
]


class Client:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(self, method, target, body=None):
        headers = {"X-Request-Id": "fixture"}
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body).encode()
        self.connection.request(method, target, body, headers)
        response = self.connection.getresponse()
        return response.status, response.getheader("ETag"), response.read().decode()

    def must(self, status, method, target, body=None):
        answer = self.ask(method, target, body)
        if answer[0] != status:
            sys.exit(f"{method} {target} answered {answer[0]} rather than {status}: {answer[2]}")
        return json.loads(answer[2]) if answer[2] else None


def amount(choice, currency):
    """The least and the greatest amounts, and some between."""
    unit = 10 ** DECIMALS[currency]
    minor = choice([1, unit, 12_345, 999_999_999_999_999, choice(range(1, 10_000_000))])
    whole, rest = divmod(minor, unit)
    return f"{whole}" + (f".{rest:0{DECIMALS[currency]}}" if unit > 1 else "")


def identifier(random):
    digits = f"{random.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:]}"


def fill(client):
    """Makes goals and transactions, edits some and deletes others."""
    dice = random.Random(1)
    goals, transactions, gone = [], [], []
    for number in range(120):
        currency = dice.choice(list(DECIMALS))
        title = LONG_TITLES[number] if number < len(LONG_TITLES) else dice.choice(TITLES)
        goal = {"title": title, "currency": currency, "note": dice.choice(NOTES)}
        if number < len(LONG_NOTES):
            goal["note"] = LONG_NOTES[number]
        if dice.random() < 0.3:
            goal["id"] = identifier(dice)
        if dice.random() < 0.7:
            goal["targetAmount"] = amount(dice.choice, currency)
        if dice.random() < 0.5:
            goal["startingAmount"] = amount(dice.choice, currency)
        if dice.random() < 0.6:
            goal["plannedCompletionDate"] = DAYS[number] if number < len(DAYS) else dice.choice(PLANNED)
        path = "/goals/" + client.must(201, "POST", "/goals", goal)["id"]
        goals.append(path)
        for _ in range(dice.choice([0, 0, 1, 3, 8])):
            transaction = {
                "transactionType": dice.choice(["income", "expense"]),
                "amount": amount(dice.choice, currency),
                "date": dice.choice(DAYS if number < 10 else DAYS[RARE_DAYS:]),
                "category": dice.choice(CATEGORIES),
                "note": dice.choice(NOTES),
            }
            made = client.must(201, "POST", path + "/transactions", transaction)["id"]
            transactions.append(f"{path}/transactions/{made}")
            if dice.random() < 0.2:
                client.must(200, "PATCH", transactions[-1], {"amount": amount(dice.choice, currency)})
            if dice.random() < 0.2:
                client.must(200, "PATCH", transactions[-1], {"category": dice.choice(CATEGORIES)})
            if dice.random() < 0.1:
                client.must(204, "DELETE", transactions[-1])
                gone.append(transactions.pop())
        status = dice.choice(["active", "paused", "completed", "archived"])
        if status != "active":
            client.must(200, "PATCH", path, {"status": status})
        if dice.random() < 0.1:
            client.must(204, "DELETE", path)
            gone.append(path)
            goals.pop()
            transactions = [other for other in transactions if not other.startswith(path)]
    return goals, transactions, gone


def pages(client, target, limit):
    """Walks a list, and yields what each of its pages shows."""
    query = "&" if "?" in target else "?"
    cursor = None
    while True:
        page = f"{target}{query}limit={limit}" + (f"&cursor={cursor}" if cursor else "")
        answer = client.must(200, "GET", page)
        cursor = answer["nextCursor"]
        yield {"target": page, "ids": [item["id"] for item in answer["items"]], "nextCursor": cursor}
        if cursor is None:
            return


def checksum(text):
    """FNV-1a with 64 bits, in place of a text that is too long to keep."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def record(client, goals, transactions, gone):
    """Asks for everything there is."""
    lists = [f"/goals?sort={sign}{sort}" for sort in GOAL_SORTS for sign in ("", "-")]
    lists += ["/goals?search=uber", "/goals?search=%25_%5C", "/goals?status=paused,archived&currency=JPY"]
    for goal in goals:
        sorts = [f"{sign}{sort}" for sort in TRANSACTION_SORTS for sign in ("", "-")]
        lists += [f"{goal}/transactions?sort={sort}" for sort in sorts]
        lists.append(f"{goal}/transactions?search=elan")
    targets = goals + transactions + gone
    targets += [f"{goal}/statistics?{query}" for goal in goals for query in QUERIES]
    answers = []
    for target in targets:
        status, etag, body = client.ask("GET", target)
        kept = {"body": body} if len(body) < 3000 else {"checksum": checksum(body)}
        answers.append({"target": target, "status": status, "etag": etag, **kept})
    return {"answers": answers, "pages": [page for each in lists for page in pages(client, each, 11)]}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        data = os.path.join(work, "goalpost.sqlite")
        arguments = [program, "--port", "0", "--data", data, "--log-level", "error"]
        server = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
        try:
            port = next(line for line in server.stderr if "Listening" in line).rsplit(":", 1)[1]
            client = Client(int(port.strip().rstrip('"}')))
            recorded = record(client, *fill(client))
        finally:
            server.terminate()
            if server.wait() != 0:
                sys.exit("The server did not stop in order")
        (folder / "goalpost.sqlite").write_bytes(pathlib.Path(data).read_bytes())
    text = json.dumps(recorded, ensure_ascii=False, indent=0)
    (folder / "answers.json").write_text(text + "\n", encoding="utf-8")
    print(f"{len(recorded['answers'])} answers, {len(recorded['pages'])} pages")


main()
