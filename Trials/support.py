"""What the trials share: a server of their own, clients over raw sockets, load, and the report."""

import json
import math
import multiprocessing
import os
import re
import resource
import selectors
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import tempfile
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MEBIBYTE = 1024 * 1024
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")

# Children must not inherit a trial's threads or locks half-way; the trials have no threads.
processes = multiprocessing.get_context("fork")


class Skipped(Exception):
    """The trial can't be played here; says why."""


class Report:
    """Prints each figure of a trial, and counts the bounds that were broken."""

    def __init__(self, trial):
        self.trial = trial
        self.broken = 0

    def at_most(self, what, value, bound, unit=""):
        self._line(what, value, f"at most {text(bound)}", unit, value <= bound)

    def at_least(self, what, value, bound, unit=""):
        self._line(what, value, f"at least {text(bound)}", unit, value >= bound)

    def exactly(self, what, value, bound, unit=""):
        self._line(what, value, f"exactly {text(bound)}", unit, value == bound)

    def note(self, what, value, unit=""):
        """A figure without a bound."""
        self._line(what, value, "", unit, True)

    def broke(self, what):
        """Something that has no figure."""
        self.broken += 1
        print(f"BROKE {self.trial}: {what}", flush=True)

    def _line(self, what, value, bound, unit, is_kept):
        self.broken += not is_kept
        mark = "ok   " if is_kept else "BROKE"
        figure = f"{text(value)} {unit}".rstrip()
        print(f"{mark} {self.trial}: {what}: {figure}{f' ({bound})' if bound else ''}", flush=True)


def text(value):
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def allow_descriptors():
    """Raises the limit of descriptors, of the servers too, as far as the system allows."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(hard, 65_536), max(hard, 65_536)))
    except (OSError, ValueError):
        # Only root may go beyond the hard limit.
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def need_descriptors(count):
    """Skips a trial that takes more connections than this process can have."""
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if allowed < count + 200:
        raise Skipped(f"it takes {count} connections, and {allowed} descriptors are allowed here")


def wait_until(condition, seconds, pause=0.01):
    """Waits until a condition holds. Returns for how long, or `inf` if it never did."""
    began = time.monotonic()
    while True:
        if condition():
            return time.monotonic() - began
        if time.monotonic() - began > seconds:
            return math.inf
        time.sleep(pause)


# The program


def command(program, *arguments):
    """A command of the program, without the settings of whoever plays the trial.

    It would take GOALPOST_PROGRAM for a setting, too.
    """
    unset = [name for name in os.environ if name.startswith("GOALPOST_")]
    return ["env", *(f"--unset={name}" for name in unset), program, *arguments]


def judge(program, data):
    """Examines a data file with `goalpost check`, and prints what it says of one that is not sound.

    Returns its exit status.
    """
    check = subprocess.run(
        command(program, "check", str(data)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    if check.returncode != 0:
        print(check.stdout[:2000], flush=True)
    return check.returncode


def manage(program, data, *words):
    """Carries out a command about accounts or tokens. Returns what it prints."""
    return subprocess.run(
        command(program, *words, "--data", str(data)),
        stdout=subprocess.PIPE,
        # A new token is followed by a remark there.
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=60,
        check=True,
    ).stdout.strip()


class Server:
    """A `goalpost` on a free port, with a data file that is gone when the block that uses it ends.

    `prefix` is a command that starts it, such as `prlimit`; `data` a data file to keep.
    """

    def __init__(self, program, *options, prefix=(), data=None):
        self.command = [*prefix, program, "--port", "0", "--log-level", "error", *options]
        self.data = data
        self.folder = None

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="goalpost-trial-"))
        data = self.data or self.folder / "goalpost.sqlite"
        # It would take GOALPOST_PROGRAM for a setting, and a user's settings are not the trial's.
        variables = {n: v for n, v in os.environ.items() if not n.startswith("GOALPOST_")}
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [*self.command, "--data", str(data)], stdout=log, stderr=log, env=variables
            )
        self.pid = self.process.pid
        began = time.monotonic()
        self.host = "127.0.0.1"
        wait_until(lambda: self._address() or self.process.poll() is not None, 10)
        self.started_in = time.monotonic() - began
        address = self._address()
        if not address:
            log = self.log
            self.__exit__()
            raise RuntimeError(f"The server does not start: {log}")
        self.host, self.port = address
        return self

    def __exit__(self, *_):
        if self.is_alive:
            self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder)

    def _address(self):
        found = re.search(r"Listening on http://([0-9.]+):([0-9]+)", self.log)
        return (found.group(1), int(found.group(2))) if found else None

    @property
    def log(self):
        return (self.folder / "log").read_text()

    @property
    def is_alive(self):
        return self.process.poll() is None

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self, seconds=30):
        """Asks it to end. Returns its exit status, -9 if it had to be killed, and the seconds."""
        began = time.monotonic()
        self.signal(signal.SIGTERM)
        return self.wait(seconds, began)

    def wait(self, seconds, began):
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        return status, time.monotonic() - began

    # What it uses

    @property
    def resident(self):
        """Its resident memory, in MiB."""
        return int(self._status("VmRSS")) / 1024

    @property
    def peak_resident(self):
        """The most that its resident memory has ever been, in MiB."""
        return int(self._status("VmHWM")) / 1024

    @property
    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    @property
    def cpu_seconds(self):
        """User and system time it has used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    def _status(self, name):
        status = Path(f"/proc/{self.pid}/status").read_text()
        return re.search(rf"{name}:\s+(\d+)", status).group(1)

    # Asking it

    def connect(self, source=None, receive_buffer=None, patience=10):
        return Client(self.host, self.port, source, receive_buffer, patience)

    def ask(self, method, target, body=None, patience=10):
        """One request on a connection of its own."""
        with self.connect(patience=patience) as client:
            client.send(request(method, target, body, "Connection: close"))
            return client.answer()

    def is_serving(self):
        try:
            return self.ask("GET", "/livez", patience=2).status == 200
        except OSError:
            return False

    def fill(self, goals=200):
        """Makes goals with long notes. Returns the size of a list of 200, in bytes."""
        with self.connect() as client:
            for number in range(goals):
                client.send(
                    request("POST", "/goals", goal(f"Goal {number}") | {"note": "n" * 200})
                )
                if client.answer().status != 201:
                    raise RuntimeError("The server makes no goals")
        return len(self.ask("GET", "/goals?limit=200").body)


def goal(title):
    return {"title": title, "targetAmount": "1200.00"}


def request(method, target, body=None, *fields):
    """The bytes of a request; a body that is no bytes becomes JSON."""
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *fields]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


# Clients


@dataclass
class Answer:
    status: int
    fields: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class Ended(ConnectionError):
    """The connection ended before a whole answer; `rest` is what came of it."""

    def __init__(self, rest):
        super().__init__(f"The connection ended after {rest[:200]!r}")
        self.rest = rest


class Client:
    """A connection that waits for everything, at most for its patience."""

    def __init__(self, host, port, source=None, receive_buffer=None, patience=10):
        self.socket = socket.socket()
        self.buffer = bytearray()
        self.socket.settimeout(patience)
        # Before connecting, so that the window is never larger.
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        if source:
            self.socket.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
            self.socket.bind((source, 0))
        try:
            self.socket.connect((host, port))
        except OSError:
            self.socket.close()
            raise
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, data):
        self.socket.sendall(data)

    def answer(self, to_head=False):
        """The next answer but 100."""
        while True:
            while not (found := parse_answer(self.buffer, to_head)):
                piece = self.socket.recv(65536)
                if not piece:
                    raise Ended(bytes(self.buffer))
                self.buffer += piece
            answer, length = found
            del self.buffer[:length]
            if answer.status >= 200:
                return answer

    def ask(self, method, target, body=None):
        self.send(request(method, target, body))
        return self.answer(method == "HEAD")

    def read_to_end(self):
        """What comes until the server ends the connection in order; a reset raises."""
        while piece := self.socket.recv(65536):
            self.buffer += piece
        rest, self.buffer = bytes(self.buffer), bytearray()
        return rest

    def finish(self):
        """Sends no more, and goes on reading."""
        self.socket.shutdown(socket.SHUT_WR)

    def close(self):
        self.socket.close()

    def reset(self):
        """Ends the connection with RST."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def parse_answer(buffer, to_head=False):
    """The first whole answer in a buffer and its length; `None` if it isn't all there."""
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    first, *lines = bytes(buffer[:end]).decode("latin-1").split("\r\n")
    match = re.fullmatch(r"HTTP/1\.1 ([1-5]\d\d) [^\r\n]*", first)
    if not match:
        raise AssertionError(f"No answer begins like this: {first!r}")
    status = int(match.group(1))
    fields = {name.lower(): value.strip() for name, _, value in (l.partition(":") for l in lines)}
    has_body = not to_head and status >= 200 and status not in (204, 304)
    size = int(fields["content-length"]) if has_body else 0
    if len(buffer) < end + 4 + size:
        return None
    return Answer(status, fields, bytes(buffer[end + 4 : end + 4 + size])), end + 4 + size


# Load


@dataclass
class Load:
    """What a load gave: latencies in milliseconds, and how often each status came."""

    seconds: float = 0.0
    latencies: list = field(default_factory=list)
    statuses: dict = field(default_factory=dict)

    def rate(self, status):
        """Answers of a status for each second."""
        return self.statuses.get(status, 0) / self.seconds

    @property
    def count(self):
        return sum(self.statuses.values())

    @property
    def median(self):
        return statistics.median(self.latencies) if self.latencies else math.inf

    @property
    def p99(self):
        if not self.latencies:
            return math.inf
        return sorted(self.latencies)[math.ceil(len(self.latencies) * 0.99) - 1]


@contextmanager
def in_background(work, *arguments):
    """Does work in a process of its own for as long as the block lasts.

    The work is called with an event that tells it to end, and its result is what the function
    returns that the block is given: that ends the work. Its `is_over` says whether it has ended by
    itself.
    """
    stop = processes.Event()
    ready = processes.Event()
    receiver, sender = processes.Pipe(duplex=False)
    process = processes.Process(
        target=lambda: sender.send(work(*arguments, ready=ready, stop=stop)), daemon=True
    )
    process.start()
    sender.close()

    def result():
        stop.set()
        return receiver.recv()

    result.is_over = lambda: not process.is_alive()
    ready.wait(10)
    try:
        yield result
    finally:
        stop.set()
        process.join(10)
        if process.is_alive():
            process.kill()
        receiver.close()


def probe(server, data, pause, *, ready, stop):
    """A polite client: asks, and after a pause asks again. Runs in a process of its own."""
    load = Load()
    began = time.monotonic()
    with server.connect() as client:
        ready.set()
        while not stop.is_set():
            asked = time.monotonic()
            client.send(data)
            status = client.answer().status
            load.latencies.append((time.monotonic() - asked) * 1000)
            load.statuses[status] = load.statuses.get(status, 0) + 1
            time.sleep(pause)
    load.seconds = time.monotonic() - began
    return load


def others(server, target="/goals?limit=10", pause=0.005):
    """The background work of a polite client, whose latency is what others notice."""
    return in_background(probe, server, request("GET", target), pause)


def loaded(server, data, connections, seconds, pause=0):
    """Loads the server with connections that each ask again once they have their answer: at once,
    or after a pause in seconds if that was 503."""
    if shutil.which("wrk"):
        return wrk(server, data, connections, seconds, pause)
    with in_background(busy, server, data, connections, pause) as result:
        time.sleep(seconds)
        return result()


def busy(server, data, connections, pause, *, ready, stop):
    """The load generator where there is no wrk."""
    load = Load()
    pausing = deque()

    def ask(client):
        client.asked = time.monotonic()
        client.send(data)

    selector = selectors.DefaultSelector()
    clients = [server.connect() for _ in range(connections)]
    for client in clients:
        client.socket.setblocking(False)
        ask(client)
        selector.register(client.socket, selectors.EVENT_READ, client)
    ready.set()
    began = time.monotonic()
    while not stop.is_set():
        while pausing and pausing[0][0] <= time.monotonic():
            ask(pausing.popleft()[1])
        for key, _ in selector.select(0.005 if pausing else 0.1):
            client = key.data
            piece = client.socket.recv(1 << 20)
            if not piece:
                raise Ended(bytes(client.buffer))
            client.buffer += piece
            found = parse_answer(client.buffer)
            if not found:
                continue
            answer, length = found
            del client.buffer[:length]
            now = time.monotonic()
            load.latencies.append((now - client.asked) * 1000)
            load.statuses[answer.status] = load.statuses.get(answer.status, 0) + 1
            if answer.status == 503 and pause:
                pausing.append((now + pause, client))
            else:
                ask(client)
    load.seconds = time.monotonic() - began
    for client in clients:
        client.close()
    return load


# What wrk is told: the request as bytes, and to say in the end what it counted.
WRK_SCRIPT = """
local threads = {}
function setup(thread) table.insert(threads, thread) end
function init() counts = {} ; data = io.open(os.getenv("TRIAL_REQUEST"), "rb"):read("*a") end
function request() return data end
function response(status) counts[status] = (counts[status] or 0) + 1 end
function done(summary, latency)
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get("counts")) do
      print("status " .. status .. " " .. count)
    end
  end
  print("duration " .. summary.duration)
  for percent = 0.5, 99.5, 1 do print("latency " .. latency:percentile(percent)) end
end
"""


# The connections of a thread take turns: whichever is next pauses for the one that was refused.
WRK_PAUSE = """
local refused = 0
function response(status)
  counts[status] = (counts[status] or 0) + 1
  if status == 503 then refused = refused + 1 end
end
function delay()
  if refused == 0 then return 0 end
  refused = refused - 1
  return tonumber(os.getenv("TRIAL_PAUSE"))
end
"""


def wrk(server, data, connections, seconds, pause):
    with tempfile.TemporaryDirectory(prefix="goalpost-trial-") as folder:
        script, bytes_file = Path(folder) / "script.lua", Path(folder) / "request"
        script.write_text(WRK_SCRIPT + (WRK_PAUSE if pause else ""))
        bytes_file.write_bytes(data)
        run = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(script)]
            + [f"http://{server.host}:{server.port}/"],
            env=os.environ
            | {"TRIAL_REQUEST": str(bytes_file), "TRIAL_PAUSE": str(round(pause * 1000))},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    load = Load()
    for line in run.stdout.splitlines():
        word, _, rest = line.partition(" ")
        if word == "status":
            status, count = map(int, rest.split())
            load.statuses[status] = load.statuses.get(status, 0) + count
        elif word == "duration":
            load.seconds = int(float(rest)) / 1e6
        elif word == "latency":
            load.latencies.append(float(rest) / 1000)
    return load
