"""Clients that hang up in every way, at every moment."""

import itertools
import selectors
import time

from support import Server, goal, in_background, request, wait_until

# Each source address has about 28,000 ports, which stay taken for a minute after an orderly end.
SOURCES = itertools.cycle([f"127.0.0.{number}" for number in range(2, 18)])

# As few as the trial can do with, so that it shows when some are not given back.
CONNECTIONS = 500
IN_FLIGHT = 100


def play(report, program, short):
    storms = 100 if short else 2_000
    connects = 5_000 if short else 100_000
    places = ["--max-connections", str(CONNECTIONS), "--max-requests-in-flight", str(IN_FLIGHT)]
    with Server(program, "--linger-timeout", "1", *places) as server:
        server.fill()
        # A first round of all, so that what the server keeps for good is there.
        for reset in (True, False):
            storm(server, 50, reset)
        connect_and_go(server, 1_000)
        before = settled(server)
        with in_background(check_answers, server) as checked:
            for reset in (True, False):
                count = storm(server, storms, reset)
                report.note(f"connections {'reset' if reset else 'closed'} in every state", count)
            # Until the server has seen the ends of them, there may be no place for others.
            wait_until(lambda: server.descriptors < before[0] + CONNECTIONS // 2, 10)
            half_closed(report, server, 5 if short else 50)
            began = time.monotonic()
            connect_and_go(server, connects)
            lasted = time.monotonic() - began
            answers, foreign = checked()
        report.note("connects and disconnects", connects)
        report.note("connects and disconnects, each second", connects / lasted)
        report.note("answers to 16 other clients meanwhile", answers)
        report.exactly("of those, answers that were for somebody else", foreign, 0)
        report.exactly("alive", server.is_alive, True)
        report.exactly("serves", server.is_serving(), True)
        wait_until(lambda: server.descriptors <= before[0], 5)
        after = settled(server)
        all_places(report, server)
        # The store opens its connections when they are needed: two more may be.
        report.at_most("descriptors after", after[0], before[0] + 4)
        report.at_most("threads after", after[1], before[1])
        report.note("resident memory before", before[2], "MiB")
        report.at_most("resident memory after", after[2], before[2] + 8, "MiB")


def settled(server):
    """Descriptors, threads and memory, once they are as few as they get."""
    least = server.descriptors
    wait_until(lambda: server.descriptors < least, 2)
    return server.descriptors, server.threads, server.resident


def all_places(report, server):
    """All connections and requests in flight that may be at a time: a place that was not given back
    would be missed."""
    clients = [server.connect() for _ in range(CONNECTIONS)]
    statuses = [client.ask("GET", "/livez").status for client in clients]
    report.exactly("places for connections after", statuses.count(200), CONNECTIONS)
    for client in clients[:IN_FLIGHT]:
        client.send(request("POST", "/goals", goal("One of as many as may be")))
    statuses = [client.answer().status for client in clients[:IN_FLIGHT]]
    report.exactly("places for requests in flight after", statuses.count(201), IN_FLIGHT)
    for client in clients:
        client.close()


# Hanging up in every state

POST = b"POST /goals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
STATES = {
    "nothing was sent": b"",
    "in the head": b"GET /goals HTTP/1.1\r\nHo",
    "before the body": POST + b"Content-Length: 100\r\n\r\n",
    "in the body": POST + b"Content-Length: 100\r\n\r\n{",
    "in a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n10\r\n{",
    "before 100 Continue": POST + b"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n",
    "while a write waits for the disk": request("POST", "/goals", goal("Never read")),
    "while many writes wait": request("POST", "/goals", goal("Never read")) * 20,
    "while an answer comes": request("GET", "/goals?limit=200"),
    "while many answers come": request("GET", "/goals?limit=200") * 30,
    "after a refusal": b"NO SENSE\r\n\r\n",
    "in an upload that was refused": POST + b"Content-Length: 9000000\r\n\r\n" + b" " * 100_000,
}


def storm(server, count, is_reset):
    """Hangs up in every state, some of them together so that events of many are taken at once."""
    for _ in range(count // 10):
        clients = []
        for data in STATES.values():
            for _ in range(10):
                client = server.connect(source=next(SOURCES), receive_buffer=4096)
                try:
                    client.send(data)
                except ConnectionError:
                    pass  # It was refused while it still sent: also a state.
                clients.append(client)
        for client in clients:
            if is_reset:
                client.reset()
            else:
                client.close()
    return count // 10 * 10 * len(STATES)


def half_closed(report, server, count):
    """Sends all its requests, then no more: every answer comes, and then the end."""
    missing = 0
    for _ in range(count):
        with server.connect() as client:
            client.send(request("POST", "/goals", goal("Half closed")))
            client.send(request("GET", "/goals?limit=200") * 30)
            client.send(request("DELETE", "/nowhere"))
            client.finish()
            statuses = [client.answer().status for _ in range(32)]
            missing += statuses != [201] + [200] * 30 + [404]
            missing += client.read_to_end() != b""
    report.exactly("clients that finished sending, and missed an answer or the end", missing, 0)


def connect_and_go(server, count):
    """Connects and disconnects: every other one asks first, every third resets."""
    for number in range(count):
        client = server.connect(source=next(SOURCES))
        if number % 2:
            client.send(request("GET", "/livez"))
            if number % 4 == 1:
                client.answer()
        if number % 3:
            client.close()
        else:
            client.reset()


def check_answers(server, *, ready, stop):
    """Clients that check that each answer is theirs: a descriptor that is closed twice, or used
    after it was closed, would be another one's.

    Returns how many answers came, and how many of them were for somebody else."""
    selector = selectors.DefaultSelector()
    for number in range(16):
        client = server.connect()
        client.name = f"Goal of client {number}"
        client.target = "/goals/" + client.ask("POST", "/goals", goal(client.name)).json["id"]
        client.count = 0
        selector.register(client.socket, selectors.EVENT_READ, client)
        ask_for_own(client)
    ready.set()
    answers = foreign = 0
    while not stop.is_set():
        for key, _ in selector.select(0.1):
            answer = key.data.answer()
            answers += 1
            foreign += answer.fields["x-request-id"] != key.data.id
            foreign += answer.json.get("title") != key.data.name
            ask_for_own(key.data)
            time.sleep(0.001)
    return answers, foreign


def ask_for_own(client):
    client.count += 1
    client.id = f"{client.name.replace(' ', '-')}-{client.count}"
    client.send(request("GET", client.target, None, f"X-Request-Id: {client.id}"))
