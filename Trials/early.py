"""Answers to uploads that are still being sent."""

import errno
import time

from support import MEBIBYTE, Server, request, wait_until

DRAIN = 2

# An upload of many times what the sockets of both ends can hold.
UPLOAD = 256 * MEBIBYTE


def play(report, program, short):
    with Server(program, "--linger-timeout", str(DRAIN)) as server:
        before = server.resident
        json = "Content-Type: application/json"
        length = f"Content-Length: {UPLOAD}"
        chunked = "Transfer-Encoding: chunked"
        cases = [
            ("413 to a length beyond the limit", "POST", "/goals", [json, length], None, {413}),
            ("413 to chunks beyond the limit", "POST", "/goals", [json, chunked], 0, {413}),
            ("a path that is not there", "POST", "/nowhere", [json, length], None, {404, 413}),
            ("a media type that is not taken", "POST", "/goals", [length], None, {413, 415}),
            ("a head that is no HTTP", "NO SENSE", "/", [length], None, {400}),
        ]
        for name, method, target, fields, framing, statuses in cases:
            upload(report, server, name, request(method, target, None, *fields), framing, statuses)
        for status, target, kind in [
            (404, "/nowhere", "application/json"),
            (415, "/goals", "text/plain"),
            (405, "/livez", "application/json"),
        ]:
            within_limit(report, server, status, target, kind)
        without_end(report, server)
        report.at_most(
            "descriptors of closed uploads are free after",
            wait_until(lambda: server.descriptors < 30, DRAIN + 3),
            DRAIN + 1.0,
            "s",
        )
        # A body within the limit is kept, in an array that grows by doubling.
        report.at_most("memory for all of this", server.peak_resident - before, 16.0, "MiB")


def upload(report, server, name, head, framing, statuses):
    """Sends all of a large upload before it reads, as a simple client does; then reads to the end.

    A server that closed at once would reset the connection, and take back the answer.
    """
    piece = b" " * MEBIBYTE
    if framing is not None:
        piece = b"%x\r\n%s\r\n" % (len(piece), piece)
    with server.connect(patience=20) as client:
        client.send(head)
        end = "in order"
        status = None
        try:
            for _ in range(UPLOAD // MEBIBYTE):
                client.send(piece)
            answer = client.answer()
            status = answer.status
            client.read_to_end()
        except ConnectionError as error:
            end = errno.errorcode.get(error.errno, str(error))
    report.exactly(f"{name}: its end", end, "in order")
    report.exactly(f"{name}: {status} is one of {sorted(statuses)}", status in statuses, True)


def within_limit(report, server, status, target, kind):
    """An upload that is not too large, with an answer that does not depend on it."""
    body = b" " * (MEBIBYTE - 1)
    with server.connect() as client:
        client.send(
            f"POST {target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
        )
        for start in range(0, len(body), 65536):
            client.send(body[start : start + 65536])
        answer = client.answer()
        follows = client.ask("GET", "/livez").status
    report.exactly(f"an upload of 1 MiB to {target}", answer.status, status)
    report.exactly(f"an upload of 1 MiB to {target}: the next request", follows, 200)


def without_end(report, server):
    """An upload that never ends is thrown away for a bounded time only."""
    with server.connect(patience=DRAIN + 10) as client:
        client.send(
            b"POST /goals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 1000000000000\r\n\r\n"
        )
        answer = client.answer()
        told_end = client.read_to_end() == b""
        began = time.monotonic()
        try:
            while time.monotonic() - began < DRAIN + 10:
                client.send(b" " * 65536)
        except ConnectionError:
            pass  # The end of its patience, which is what is measured.
        lasted = time.monotonic() - began
    report.exactly("an upload without end: answer", answer.status, 413)
    report.exactly("an upload without end: FIN after the answer", told_end, True)
    report.at_least("an upload without end: thrown away for", lasted, DRAIN - 0.5, "s")
    report.at_most("an upload without end: thrown away for", lasted, DRAIN + 1.0, "s")
