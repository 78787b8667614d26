"""Load from wrk, and what it cost the server."""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from client import expect

SCRIPT = Path(__file__).resolve().parent / "requests.lua"
MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


@dataclass
class Request:
    path: str
    method: str = "GET"
    body: str = ""


@dataclass
class Load:
    """What to ask for again and again.

    With `is_random` the requests come at random, else in turn.
    """

    requests: list
    is_random: bool = False
    etag: str = ""

    def write(self, folder):
        """Writes the requests to a file for wrk, and returns its path."""
        descriptor, path = tempfile.mkstemp(prefix="requests-", dir=folder)
        with os.fdopen(descriptor, "w") as file:
            for request in self.requests:
                file.write("\t".join([request.method, request.path, request.body]) + "\n")
        return path


@dataclass
class Figures:
    """What one load of one server gave."""

    answers: int
    requests_per_second: float
    cpu_microseconds: float
    median_milliseconds: float
    p99_milliseconds: float


def start_wrk(server, load, folder, seconds, connections):
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(SCRIPT)]
    if load.etag:
        command += ["-H", f"If-None-Match: {load.etag}"]
    variables = {
        **os.environ,
        "REQUESTS": load.write(folder),
        "ORDER": "random" if load.is_random else "turn",
    }
    # The rest of the address is that of the requests.
    command.append(f"http://127.0.0.1:{server.port}{load.requests[0].path}")
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=variables
    )


def end_wrk(process, seconds):
    """Waits for wrk. Returns its answers, rate, median and p99; insists that all went well."""
    try:
        text, _ = process.communicate(timeout=seconds + 60)
    except BaseException:
        process.kill()
        process.wait()
        raise
    expect(process.returncode == 0, f"wrk ended with {process.returncode}: {text}")
    expect("Non-2xx" not in text, f"an answer that is none of the right ones: {text}")
    expect("Socket errors" not in text, f"connections that failed: {text}")
    # Only the part of latencies has both.
    times = {
        share: float(number) * MILLISECONDS[unit]
        for share, number, unit in re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s)\b", text)
    }
    answers = int(re.search(r"(\d+) requests in", text).group(1))
    expect(answers > 0, f"no answer at all: {text}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
    return answers, rate, times["50"], times["99"]


def put_on(server, load, folder, seconds, connections):
    """Loads a server. Returns the figures."""
    before = server.cpu_seconds
    process = start_wrk(server, load, folder, seconds, connections)
    answers, rate, median, p99 = end_wrk(process, seconds)
    used = server.cpu_seconds - before
    return Figures(answers, rate, used / answers * 1e6, median, p99)
