"""The walk through the API that every client makes, for those in Python."""

import json
from dataclasses import dataclass
from urllib.parse import quote


@dataclass
class Answer:
    status: int
    headers: object
    body: bytes

    @property
    def etag(self):
        return self.headers["ETag"]

    @property
    def json(self):
        return json.loads(self.body)


def walk(ask):
    """Makes the walk, and says what came of each step.

    `ask` takes a method, a path, header fields and a body or None, and returns an Answer.
    """

    def get(path, **headers):
        return ask("GET", path, fields(headers), None)

    def say(method, path, value, media_type="application/json", **headers):
        headers = {"Content-Type": media_type, **fields(headers)}
        return ask(method, path, headers, json.dumps(value).encode())

    made = say(
        "POST", "/goals", {"title": "A bike", "targetAmount": "1200.00", "currency": "USD"}
    )
    print("create", made.status, made.etag, made.json["title"], made.json["targetAmount"])
    goal = f"/goals/{made.json['id']}"

    transactions = [("income", f"{n}0.00", f"2026-01-0{n}") for n in range(1, 7)]
    for kind, amount, date in [*transactions, ("expense", "5.00", "2026-01-07")]:
        transaction = {"transactionType": kind, "amount": amount, "date": date}
        made = say("POST", f"{goal}/transactions", transaction)
        print("record", made.status, made.etag, made.json["transactionType"], made.json["amount"])

    page = get(f"{goal}/transactions?limit=3&sort=-date")
    while True:
        print("page", page.status, *(item["amount"] for item in page.json["items"]))
        cursor = page.json["nextCursor"]
        if cursor is None:
            break
        page = get(f"{goal}/transactions?limit=3&sort=-date&cursor={quote(cursor, safe='')}")

    patch = {"title": "Велосипед & co", "targetAmount": "1500.00"}
    media_type = "application/merge-patch+json"
    print("patch", say("PATCH", goal, patch, media_type, If_Match='"1"').status)
    changed = say("PATCH", goal, patch, media_type, If_Match=get(goal).etag)
    goal_now = changed.json
    print("patch", changed.status, changed.etag, goal_now["title"], goal_now["targetAmount"])

    path = f"{goal}/statistics?asOf=2026-02-01"
    report = get(path)
    print(
        "statistics", report.status, "saved", report.json["savedAmount"],
        "remaining", report.json["remainingAmount"], "of", report.json["transactionCount"],
    )
    print("statistics", get(path, If_None_Match=report.etag).status)

    print("delete", ask("DELETE", goal, {}, None).status)
    gone = get(goal)
    print("show", gone.status, gone.json["code"])


def fields(names):
    """Header fields that were named as Python wants names to be."""
    return {name.replace("_", "-"): text for name, text in names.items()}
