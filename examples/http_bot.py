"""A bot that plays over HTTP, with only the standard library: it plays a game of fourteen and reads the proof of its deals.

    python examples/http_bot.py http://127.0.0.1:8000

After a 429, a 503 or a broken connection it waits for `Retry-After` seconds (or one) and repeats the request with its
idempotency key, which makes the server count it once. docs/api.md explains the routes.
"""

from __future__ import annotations

import http.client
import json
import random
import secrets
import sys
import time
import urllib.request
from typing import Any

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
ATTEMPTS = 60
HEADERS = {"Content-Type": "application/json"}


def call(path: str, body: dict[str, Any] | None = None) -> Any:
    """Return the reply to a GET, or to a POST if there is a body."""
    key = {"idempotency_key": secrets.token_hex(16)} if body else {}
    data = None if body is None else json.dumps({**body, **key}).encode()
    for attempts_left in reversed(range(ATTEMPTS)):
        try:
            request = urllib.request.Request(SERVER + path, data, HEADERS)
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)
        except (OSError, http.client.HTTPException) as error:
            status = getattr(error, "code", 503)  # without a reply, the server may be restarting
            if status not in (429, 503) or not attempts_left:
                raise
            time.sleep(int(getattr(error, "headers", {}).get("Retry-After", 1)))
    raise AssertionError


HEADERS["Authorization"] = "Bearer " + call("/api/token", {})["token"]
table = "/api/tables/" + call("/api/tables", {"game": "fourteen", "seats": 4})["id"]
call(table + "/sit", {"nonce": secrets.token_hex(16)})
message = call(table)
while message["result"] is None:
    ask = message["open_question"]
    if ask is None:
        time.sleep(0.05)
    else:
        answer = f"{ask['question']} {random.choice(ask['legal'])}"  # put your idea here
        call(table + "/answers", {"n": message["n"], "answers": [answer]})
    message = call(f"{table}?after={message['version']}")
    for told in message["events"]:
        print(told["event"])
print(message["result"], call(table + "/verify"))
