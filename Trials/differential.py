"""What nginx in front of the server and the server itself make of the same doubtful bytes.

A request is smuggled where two parties disagree on where a message ends: what is one's body is the
other's next request. So each case of the corpus that is about such ends is sent, with another
request after it, to the server and to nginx before it. nginx gives each request that it forwards an
id of its own, and both keep a log: the two logs must tell of the same requests.
"""

import json
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from support import Server, Skipped, wait_until

FIXTURES = Path(__file__).resolve().parent.parent / "Tests/APITests/Fixtures"

# What the corpus calls the kinds of cases in which a message may seem to end in two places.
AREAS = {
    "chunked",
    "connection",
    "content-length",
    "expect",
    "headers",
    "line-endings",
    "request-line",
    "smuggling",
    "transfer-encoding",
}

# How nginx may be set up: it holds a body back until it has it all, or passes on what comes; it
# drops fields with odd names, or passes them on as well.
MANNERS = {
    "holding": "proxy_request_buffering on;",
    "passing": "proxy_request_buffering off;",
    "lenient": "proxy_request_buffering off;"
    " ignore_invalid_headers off; underscores_in_headers on;",
}

VERDICTS = ["neither refuses", "nginx refuses", "the server refuses", "both refuse"]

CONFIGURATION = """
daemon off;
master_process off;
pid @FOLDER@/pid;
error_log @FOLDER@/errors crit;
events {}
http {
    log_format seen escape=json
        '["$request_id", "$status", "$upstream_status", "$request_method", "$request_uri"]';
    access_log @FOLDER@/seen seen;
    client_body_temp_path @FOLDER@/client;
    proxy_temp_path @FOLDER@/proxy;
    fastcgi_temp_path @FOLDER@/fastcgi;
    uwsgi_temp_path @FOLDER@/uwsgi;
    scgi_temp_path @FOLDER@/scgi;
    client_header_timeout 1s;
    client_body_timeout 1s;
    keepalive_timeout 1s;
    lingering_timeout 1s;
    client_max_body_size 0;
    large_client_header_buffers 4 64k;
    add_header X-Seen $request_id always;

    # One connection, which all clients share: an answer too many would be another's.
    upstream server { server 127.0.0.1:@PORT@; keepalive 1; }
    proxy_http_version 1.1;
    proxy_next_upstream off;
    proxy_set_header X-Request-Id $request_id;
    proxy_set_header Host $http_host;
    proxy_set_header Connection "";
    @SERVERS@
}
"""


def play(report, program, short):
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if not Path(nginx).exists():
        raise Skipped("there is no nginx here")
    cases = corpus(short)
    with LoggingServer(program) as server, Proxy(nginx, server) as proxy:
        # The requests that each case amounts to when nobody is in between.
        direct = [converse(server, number, case) for number, case in enumerate(cases)]
        broken = [f"{case.name}, direct: {w}" for case, d in zip(cases, direct) for w in d.wrong]
        for manner in MANNERS:
            counts = dict.fromkeys(VERDICTS, 0)
            for number, case in enumerate(cases):
                proxied = converse_through(proxy, manner, number, case)
                wrong = proxied.wrong + differences(direct[number], proxied)
                broken += [f"{case.name}, {manner}: {text}" for text in wrong]
                counts[verdict(direct[number], proxied)] += 1
            for what, count in counts.items():
                report.note(f"{manner}: {what}", count, "cases")
        for text in broken:
            print(f"      {text}", flush=True)
        report.at_least("cases", len(cases), 90 if short else 320)
        report.exactly("different ideas of where a message ends", len(broken), 0)


# The cases


class Case:
    def __init__(self, name, data):
        self.name = name
        self.data = data


def corpus(short):
    """The cases that are about where a message ends, as bytes; when short, those of fewer kinds."""
    areas = {"smuggling", "transfer-encoding", "content-length"} if short else AREAS
    found = []
    for name in ["http.json", "http-more.json"]:
        for case in json.loads((FIXTURES / name).read_text()):
            if case["area"] in areas and not case.get("requires"):
                found.append(Case(case["id"], expand(case)))
    return found


def expand(case):
    """All that a case sends, in one piece: where it is cut must not matter."""
    blocks = case.get("blocks", {})
    values = {"HOST": "trial", "AUTH": "", "NONCE": "01234567"}

    def value(match):
        name = match.group(1)
        if name in values:
            return values[name]
        if name in blocks:
            return text(blocks[name])
        kind, block = name.split(" ")
        length = len(text(blocks[block]))
        return f"{length:x}" if kind == "HEX" else str(length)

    def text(piece):
        if isinstance(piece, dict):
            return piece["repeat"] * piece["times"]
        return re.sub(r"{{([A-Za-z0-9_ ]+)}}", value, piece)

    def step(step):
        if isinstance(step, list):
            return "".join(map(text, step))
        return text(step) if isinstance(step, str) else text(step.get("text", ""))

    return "".join(map(step, case["send"])).encode("latin-1")


# The two parties


class Log:
    """A log that is being written, each of whose lines is read once."""

    def __init__(self, path, parse):
        self.path = path
        self.parse = parse
        self.offset = 0
        self.read = []

    def lines(self):
        """What `parse` makes of each line so far; it returns None for one that does not matter."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            # The last line may not be whole yet.
            whole, end, _ = file.read().rpartition(b"\n")
        self.offset += len(whole + end)
        parsed = [self.parse(line) for line in whole.decode("latin-1").splitlines()]
        self.read += [line for line in parsed if line]
        return self.read


class LoggingServer(Server):
    """A server that logs each request, and waits for the rest of one only for a second."""

    def __init__(self, program):
        super().__init__(
            program, "--loops", "1",
            "--head-timeout", "1", "--body-timeout", "1", "--idle-timeout", "1",
        )
        self.command[self.command.index("error")] = "info"

    def __enter__(self):
        super().__enter__()
        self.requests = Log(self.folder / "log", self.parse)
        return self

    def lines(self):
        """A line for each answer: id, status, method and path."""
        return self.requests.lines()

    @staticmethod
    def parse(line):
        entry = json.loads(line)
        if "requestId" in entry:
            return entry["requestId"], entry["status"], entry["method"], entry["path"]


class Proxy:
    """An nginx before the server, with a socket for each of its manners."""

    def __init__(self, nginx, server):
        self.nginx = nginx
        self.server = server

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="goalpost-trial-"))
        servers = [
            f"server {{ listen unix:{self.folder}/{manner}; {settings}"
            " location / { proxy_pass http://server; } }"
            for manner, settings in MANNERS.items()
        ]
        configuration = CONFIGURATION.replace("@FOLDER@", str(self.folder))
        configuration = configuration.replace("@PORT@", str(self.server.port))
        (self.folder / "conf").write_text(configuration.replace("@SERVERS@", "\n".join(servers)))
        self.process = subprocess.Popen(
            [self.nginx, "-e", "stderr", "-p", self.folder, "-c", self.folder / "conf"]
        )
        sockets = [self.folder / manner for manner in MANNERS]
        wait_until(lambda: all(s.exists() for s in sockets) or self.process.poll() is not None, 10)
        if self.process.poll() is not None:
            self.__exit__()
            raise SystemExit("nginx does not start")
        self.requests = Log(self.folder / "seen", self.parse)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder)

    def lines(self):
        """A line for each answer: id, status, upstream's status or None, method and path."""
        return self.requests.lines()

    @staticmethod
    def parse(line):
        name, status, upstream, method, target = json.loads(line)
        path = target.split("?")[0]
        return name, int(status), int(upstream) if upstream.isdigit() else None, method, path


# Conversations


class Conversation:
    """What came of a case: the requests that were read, the last of them None if it was refused."""

    def __init__(self):
        self.requests = []
        self.wrong = []

        # Whether the last answer says that it is the last.
        self.is_over = False


def converse(server, number, case):
    """Sends a case and the marker to the server itself."""
    seen = len(server.lines())
    with server.connect() as client:
        answers = say(client.socket, case.data + marker(number))
    # The log is in order, so nothing of the case is missing once this is in it.
    fence(server, f"/fence-{number}")

    result = Conversation()
    lines = server.lines()[seen:-1]
    result.requests = [None if method == "-" else (method, path) for _, _, method, path in lines]
    result.is_over = says_it_is_the_last(answers)
    count = count_answers(answers, [method for _, _, method, _ in lines])
    if count != len(lines):
        result.wrong.append(f"{count} answers to {len(lines)} requests")
    return result


def fence(server, path):
    server.ask("GET", path)
    wait_until(lambda: [line[3] for line in server.lines()[-1:]] == [path], 10)


def converse_through(proxy, manner, number, case):
    """Sends a case and the marker to nginx, and then lets another client ask for something."""
    server = proxy.server
    seen, seen_by_nginx = len(server.lines()), len(proxy.lines())
    victim = f"/victim-{manner}-{number}"
    with socket.socket(socket.AF_UNIX) as client:
        connect(client, proxy, manner)
        if manner == "holding":
            answers = say(client, case.data + marker(number))
        else:
            # With the whole body in its hands, nginx would tell its length; it is to pass it on.
            head, blank, rest = case.data.partition(b"\r\n\r\n")
            answers = say(client, head + blank, rest + marker(number))
    with socket.socket(socket.AF_UNIX) as client:
        connect(client, proxy, manner)
        other = say(client, request(victim))
    wait_until(lambda: proxy.lines()[-1][4] == victim, 10)
    wait_until(lambda: server.lines()[-1][3] == victim, 10)

    result = Conversation()
    lines = proxy.lines()[seen_by_nginx:-1]
    result.requests = [
        None if upstream is None else (method, path) for _, _, upstream, method, path in lines
    ]
    result.is_over = says_it_is_the_last(answers)
    result.wrong += compare_logs(lines, server.lines()[seen:-1])
    result.wrong += compare_ids(answers, "an answer") + compare_ids(other, "another's answer")
    if not other.startswith(b"HTTP/1.1 404 "):
        result.wrong.append(f"another client got {other[:60]!r}")
    # nginx says nothing to a client whose head does not come.
    silent = sum(upstream is None and status == 408 for _, status, upstream, _, _ in lines)
    count = count_answers(answers, [method for _, _, _, method, _ in lines])
    if not len(lines) - silent <= count <= len(lines):
        result.wrong.append(f"{count} answers to {len(lines)} requests")
    return result


def connect(client, proxy, manner):
    client.settimeout(20)
    client.connect(str(proxy.folder / manner))


def request(path):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()


def marker(number):
    return request(f"/marker-{number}")


def say(client, *pieces):
    """Sends everything, in pieces. Returns all that comes until the other side hangs up."""
    try:
        client.sendall(pieces[0])
        for piece in pieces[1:]:
            # Nothing tells when the other side has read the piece before, alone.
            time.sleep(0.02)
            client.sendall(piece)
    except ConnectionError:
        # It was refused before it was all sent; the answer says so.
        pass
    received = b""
    while True:
        try:
            piece = client.recv(65536)
        except ConnectionError:
            return received
        if not piece:
            return received
        received += piece


def count_answers(data, methods):
    """How many final answers there are, with nothing between; `methods` says which are to HEAD."""
    if data and not data.startswith(b"HTTP/"):
        # In HTTP/0.9 an answer is a body and nothing else, and there is no other after it.
        return 1
    count = 0
    while data:
        head, blank, rest = data.partition(b"\r\n\r\n")
        status = re.match(rb"HTTP/1\.1 ([1-5][0-9][0-9]) ", head)
        if not (status and blank):
            return -1
        data = rest
        if status[1].startswith(b"1"):
            continue
        length = re.search(rb"\r\n[Cc]ontent-[Ll]ength: ([0-9]+)", head)
        is_head = count < len(methods) and methods[count] == "HEAD"
        if length and not is_head and status[1] not in (b"204", b"304"):
            if len(data) < int(length[1]):
                return -1
            data = data[int(length[1]):]
        count += 1
    return count


def says_it_is_the_last(answers):
    head = answers[answers.rfind(b"HTTP/1.1 "):].partition(b"\r\n\r\n")[0]
    return b"\r\nconnection: close" in head.lower()


# Comparing


def compare_logs(lines, received):
    """What nginx forwarded as one request, the server must have read as one, and nothing else."""
    # nginx may wait in vain for a body of which the server has refused the head.
    names = {name for name, *_ in received}
    forwarded = [line for line in lines if line[2] is not None or line[0] in names]
    wrong = []
    if len(forwarded) != len(received):
        wrong.append(f"nginx forwarded {len(forwarded)} requests, the server read {len(received)}")
    for ours, theirs in zip(received, forwarded):
        (name, status, method, path), (their_name, _, upstream, their_method, target) = ours, theirs
        # A request that was refused for its first line has no id, method and path in the log.
        is_refused = method == "-"
        if upstream not in (status, None) or (name != their_name and not is_refused):
            wrong.append(f"the answer {status} to {name} was taken for {upstream} to {their_name}")
        if not is_refused and (method, path) != (their_method, target):
            wrong.append(f"of {their_method} {target} the server makes {method} {path}")
    return wrong


def compare_ids(answers, what):
    """nginx adds the id of what it forwarded to the server's answer, which must have the same.

    An answer to a request that was refused for its first line has an id of the server's, which is
    shorter: such answers are compared in the logs alone.
    """
    pairs = re.findall(
        rb"\r\nX-Request-Id: ([0-9a-f]{32})(?:\r\n[^\r]+)*?\r\nX-Seen: ([^\r]*)", answers
    )
    return [f"{what} was meant for {got}" for got, wanted in pairs if got != wanted]


def differences(direct, proxied):
    """Two readings may end early, by a refusal or in order, but not differ in what they read."""
    for ours, theirs in zip(direct.requests, proxied.requests):
        if ours is None or theirs is None:
            return []
        if ours != theirs:
            return [f"the server reads {ours}, nginx reads {theirs}"]
    shorter = min(direct, proxied, key=lambda reading: len(reading.requests))
    if len(direct.requests) != len(proxied.requests) and not shorter.is_over:
        counts = len(direct.requests), len(proxied.requests)
        return ["the server reads {} requests, nginx {}".format(*counts)]
    return []


def verdict(direct, proxied):
    """Who refuses a case, or whether neither does."""
    match (None in direct.requests, None in proxied.requests):
        case (True, True):
            return "both refuse"
        case (True, False):
            return "the server refuses"
        case (False, True):
            return "nginx refuses"
        case _:
            return "neither refuses"
