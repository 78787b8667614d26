#!/usr/bin/env python3
"""Walks through the API with httpx, which keeps its connections.

httpx_client.py URL
"""

import sys

import httpx

from walk import Answer, walk


def main():
    with httpx.Client(base_url=sys.argv[1], timeout=20) as client:

        def ask(method, path, headers, body):
            response = client.request(method, path, headers=headers, content=body)
            return Answer(response.status_code, response.headers, response.content)

        walk(ask)


main()
