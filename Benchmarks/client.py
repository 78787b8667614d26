"""A client that costs little, and a word for answers that are wrong."""

import json
import socket


class WrongAnswer(Exception):
    """An answer that is not the right one: figures that come of it mean nothing."""


def expect(condition, sentence):
    if not condition:
        raise WrongAnswer(sentence)


class Answer:
    def __init__(self, status, fields, body):
        self.status = status
        self.fields = fields
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)


class Client:
    """One kept connection. Reads answers whose length is given, as all of ours are."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def ask(self, path, method="GET", body=None, fields=()):
        """One request. Returns the answer, whatever its status."""
        self.send(path, method, body, fields)
        return self.answer()

    def send(self, path, method="GET", body=None, fields=()):
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *fields]
        content = b"" if body is None else body.encode()
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode() + content)

    def get(self, path):
        answer = self.ask(path)
        expect(answer.status == 200, f"GET {path}: {answer.status} {answer.body[:500]!r}")
        return answer

    def post(self, path, content):
        answer = self.ask(path, "POST", json.dumps(content))
        expect(answer.status == 201, f"POST {path}: {answer.status} {answer.body[:500]!r}")
        return answer

    def answer(self):
        data = self._more(b"")
        while (end := data.find(b"\r\n\r\n")) < 0:
            data = self._more(data)
        status, *lines = data[:end].decode("latin-1").split("\r\n")
        fields = {}
        for line in lines:
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        status = int(status.split(" ")[1])
        length = 0 if status == 304 else int(fields.get("content-length", 0))
        while len(data) < end + 4 + length:
            data = self._more(data)
        return Answer(status, fields, data[end + 4 :])

    def _more(self, data):
        piece = self.socket.recv(262_144)
        expect(piece, "the server has closed the connection")
        return data + piece
