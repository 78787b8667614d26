"""The two servers: goalpost, and nginx with a fixed answer."""

import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from client import Client, expect
from processes import cpu_seconds, descendants, resident_mebibytes


class Server:
    """A server process on a port of its own, ended with the block that uses it.

    `{port}` in the command stands for the port.
    """

    def __init__(self, command, log):
        self.port = free_port()
        self.command = [part.replace("{port}", str(self.port)) for part in command]
        self.log = log

    def __enter__(self):
        # A user's settings are not those of the measurement.
        variables = {n: v for n, v in os.environ.items() if not n.startswith("GOALPOST_")}
        with open(self.log, "ab") as log:
            self.began = time.monotonic()
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env=variables)
        try:
            self._wait_until_it_listens(1800)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _wait_until_it_listens(self, seconds):
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > self.began + seconds:
                    raise RuntimeError(
                        f"{self.command[0]} does not listen: {Path(self.log).read_text()[-2000:]}"
                    ) from None
            # Short, for the time to the first answer is one of the figures.
            time.sleep(0.0005)

    def client(self):
        return Client(self.port)

    @property
    def pids(self):
        return descendants(self.process.pid)

    @property
    def cpu_seconds(self):
        return cpu_seconds(self.pids)

    @property
    def resident_mebibytes(self):
        return resident_mebibytes(self.pids)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def goalpost(program, data, *settings):
    """A server over a data file, which is made if it is not there."""
    return Server(
        [str(program), "--port", "{port}", "--data", str(data), "--log-level", "error", *settings],
        f"{data}.log",
    )


def nginx(folder, body_bytes, status=200):
    """nginx with two workers that answers everything with so many bytes, and keeps no log."""
    place = Path(tempfile.mkdtemp(prefix="nginx-", dir=folder))
    # A word of the configuration may have 4,096 bytes at most, so the body comes in pieces.
    piece = 1000
    text = "${piece}" * (body_bytes // piece) + "x" * (body_bytes % piece)
    answer = f' "{text}"' if body_bytes else ""
    server = Server(["nginx", "-p", str(place), "-c", str(place / "nginx.conf")], place / "log")
    (place / "nginx.conf").write_text(
        f"""
        daemon off;
        worker_processes 2;
        pid {place}/pid;
        error_log /dev/null crit;
        events {{ worker_connections 1024; }}
        http {{
            access_log off;
            keepalive_requests 1000000000;
            default_type application/json;
            client_body_temp_path {place}/body;
            server {{
                listen 127.0.0.1:{server.port};
                set $piece "{"x" * piece}";
                location / {{ return {status}{answer}; }}
            }}
        }}
        """
    )
    return server


def check(program, data):
    """Has the program examine a data file that no server uses."""
    found = subprocess.run(
        [str(program), "check", str(data)], capture_output=True, text=True, env={}
    )
    expect(found.returncode == 0, f"goalpost check {data}: {found.stdout}{found.stderr}")
