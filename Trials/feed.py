"""Clients of the change feed: streams of events that are taken apart strictly, and copies of an
account that follow it."""

import json
import re
import time
from dataclasses import dataclass

from support import Ended, parse_answer, request

HEAD_END = b"\r\n\r\n"

# What an answer that is a stream ends with.
LAST_CHUNK = b"0\r\n\r\n"


@dataclass(slots=True)
class Event:
    id: str
    data: bytes
    name: str = "message"
    came_at: float = 0.0

    @property
    def change(self):
        return json.loads(self.data)


class Stream:
    """A `GET /events` of which every byte must be in its place.

    `is_over` tells that the server ended it in order. An answer that is no stream is in `refusal`.
    """

    def __init__(self, server, since=None, last_event=None, fields=(), **options):
        self.client = server.connect(**options)
        self.refusal = None
        self.has_begun = self.is_over = False
        self.heartbeats = 0
        self.last_id = last_event or since
        self._raw, self._text, self._ready = bytearray(), bytearray(), []
        target = f"/events?since={since}" if since else "/events"
        if last_event:
            fields = (*fields, f"Last-Event-ID: {last_event}")
        self.client.send(request("GET", target, None, *fields))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def socket(self):
        return self.client.socket

    def close(self):
        self.client.close()

    def begin(self):
        """Waits until the answer has begun. Returns the stream."""
        while not self.has_begun:
            self._ready += self.receive()
        if self.refusal:
            raise AssertionError(f"No stream, but {self.refusal}")
        return self

    def receive(self):
        """What comes next, which may be no event, or several. The end raises unless in order."""
        if self._ready:
            ready, self._ready = self._ready, []
            return ready
        piece = self.socket.recv(65536)
        if not piece:
            if self.is_over and not self._raw:
                return []
            raise Ended(bytes(self._raw))
        return self.take(piece)

    def events(self, count, seconds=10):
        """The next events, so many at least unless time is over or the server ends the stream."""
        found = []
        self.socket.settimeout(seconds)
        end = time.monotonic() + seconds
        while len(found) < count and not self.is_over and time.monotonic() < end:
            try:
                found += self.receive()
            except TimeoutError:
                break
        return found

    def take(self, piece):
        """Takes bytes apart. Returns the events that are whole with them."""
        self._raw += piece
        if not self.has_begun and not self._take_head():
            return []
        self._take_chunks()
        *blocks, rest = bytes(self._text).split(b"\n\n")
        self._text = bytearray(rest)
        now = time.monotonic()
        found = [event for block in blocks if (event := self._event(block, now))]
        if self.is_over and rest:
            raise AssertionError(f"The stream ended within {rest[:200]!r}")
        return found

    def _take_head(self):
        end = self._raw.find(HEAD_END)
        if end < 0:
            return False
        if not self._raw.startswith(b"HTTP/1.1 200 "):
            found = parse_answer(self._raw)
            if not found:
                return False
            self.refusal, length = found
            self.has_begun = self.is_over = True
            del self._raw[:length]
            return True
        head = bytes(self._raw[:end]).lower()
        if b"\r\ntransfer-encoding: chunked" not in head:
            raise AssertionError(f"No stream begins like this: {head!r}")
        del self._raw[: end + len(HEAD_END)]
        self.has_begun = True
        return True

    def _take_chunks(self):
        while not self.is_over:
            end = self._raw.find(b"\r\n")
            if end < 0:
                return
            size = bytes(self._raw[:end])
            if not re.fullmatch(rb"[0-9a-f]+", size):
                raise AssertionError(f"No chunk begins with {size[:50]!r}")
            begin, length = end + 2, int(size, 16)
            if len(self._raw) < begin + length + 2:
                return
            if self._raw[begin + length : begin + length + 2] != b"\r\n":
                raise AssertionError(f"A chunk of {length} bytes does not end after them")
            self._text += self._raw[begin : begin + length]
            del self._raw[: begin + length + 2]
            self.is_over = length == 0
        if self._raw:
            raise AssertionError(f"After the last chunk comes {bytes(self._raw[:50])!r}")

    def _event(self, block, now):
        if block == b":":
            self.heartbeats += 1
            return None
        event = Event("", b"", came_at=now)
        for line in block.split(b"\n"):
            name, _, value = line.partition(b":")
            value = value.removeprefix(b" ")
            if name == b"id":
                event.id = value.decode()
            elif name == b"data":
                event.data = value
            elif name == b"event":
                event.name = value.decode()
            elif name != b"retry":
                raise AssertionError(f"No line of an event: {line[:200]!r}")
        if not event.data:
            return None
        self.last_id = event.id
        return event


class Copy:
    """What a client has of an account that applies the changes it is told of, and nothing else."""

    def __init__(self):
        self.goals, self.transactions = {}, {}
        self.revisions, self.deleted = {}, set()
        self.told = 0
        self.wrong = []

    def apply(self, change):
        self.told += 1
        key, revision = change["id"], change["revision"]
        # Told twice of the same, or of what was before it.
        if revision <= self.revisions.get(key, 0):
            self.wrong.append(f"{key}: revision {revision} after {self.revisions[key]}")
        if key in self.deleted:
            self.wrong.append(f"{key}: told of after its deletion")
        self.revisions[key] = revision
        if change["type"] == "goal":
            things = self.goals
        else:
            things = self.transactions.setdefault(change["goalId"], {})
        if change["deleted"]:
            self.deleted.add(key)
            things.pop(key, None)
            if change["type"] == "goal":
                self.transactions.pop(key, None)
            return
        item = change[change["type"]]
        mine = item["id"] == key and item["revision"] == revision
        if not mine or item.get("goalId") != change.get("goalId"):
            self.wrong.append(f"{key}: the change is of another thing than {item}")
        things[key] = item

    @property
    def state(self):
        """All there is, by its id, to compare with what others have."""
        state = dict(self.goals)
        for transactions in self.transactions.values():
            state |= transactions
        return state


def walk(client, since=None, limit=200, fields=()):
    """The changes since a place, page by page, and the place after them."""
    changes = []
    while True:
        page = change_page(client, since, limit, fields)
        changes += page["changes"]
        since = page["next"]
        if not page["hasMore"]:
            return changes, since


def change_page(client, since, limit, fields=()):
    target = f"/changes?limit={limit}" + (f"&since={since}" if since else "")
    client.send(request("GET", target, None, *fields))
    answer = client.answer()
    if answer.status != 200:
        raise AssertionError(f"No page of changes, but {answer}")
    return answer.json


def listed(client, fields=()):
    """All that the lists of an account show, as `Copy.state` has it."""
    goals = pages(client, "/goals?limit=200", fields)
    state = dict(goals)
    for goal in goals:
        state |= pages(client, f"/goals/{goal}/transactions?limit=200", fields)
    return state


def pages(client, target, fields):
    found, cursor = {}, ""
    while cursor is not None:
        client.send(request("GET", target + cursor, None, *fields))
        page = client.answer().json
        found |= {item["id"]: item for item in page["items"]}
        cursor = page["nextCursor"] and f"&cursor={page['nextCursor']}"
    return found
