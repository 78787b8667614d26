#!/usr/bin/env python3
"""Walks through the API with Python's http.client on one connection.

http_client.py URL
"""

import http.client
import sys
from urllib.parse import urlsplit

from walk import Answer, walk


def main():
    address = urlsplit(sys.argv[1])
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=20)
    connection.connect()
    socket = connection.sock

    def ask(method, path, headers, body):
        connection.request(method, path, body=body, headers=headers)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        # The client would silently connect again.
        if connection.sock is not socket:
            sys.exit(f"the connection did not stay after {method} {path}")
        return answer

    walk(ask)


main()
