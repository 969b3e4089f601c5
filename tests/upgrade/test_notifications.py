"""A push notification that was due when an earlier version stopped."""

from __future__ import annotations

import base64
import json
import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tests.upgrade.program import wait_for

pytestmark = pytest.mark.later


class PushService(BaseHTTPRequestHandler):
    """A handler that accepts every message."""

    received: list[tuple[str, bytes]]

    def do_POST(self) -> None:
        self.received.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *given: object) -> None:
        """Print no log."""


@pytest.fixture
def push_service() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """Start a push service on this machine; return its address and received messages."""
    received: list[tuple[str, bytes]] = []
    handler = type("Service", (PushService,), {"received": received})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", received
    server.shutdown()
    server.server_close()
    thread.join()


def test_notification_that_was_due_is_sent(version_fixtures, start_server, push_service, tmp_path):
    known, (address, received) = version_fixtures.expected["push"], push_service
    folder = version_fixtures.unpack(tmp_path / "data")
    database = sqlite3.connect(folder / version_fixtures.expected["files"]["database"])
    with database:  # in the words of that version
        database.execute(known["reroute"].format(service=address))
    database.close()
    settings = folder / version_fixtures.expected["files"]["settings"]
    settings.write_text(settings.read_text(encoding="utf-8").replace(known["service"], address), encoding="utf-8")
    start_server(folder, version_fixtures.an_hour_later)
    wait_for(lambda: received, "no notification is sent")
    path, body = received[0]
    key = load_pem_private_key(known["private"].encode(), None)
    auth = known["subscription"]["keys"]["auth"]
    secret = base64.urlsafe_b64decode(auth + "=" * (-len(auth) % 4))
    message = json.loads(http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm"))
    assert path == "/to/bens-phone"
    assert message["table"] == known["table"]
    assert "Anna" in message["text"], f"Expected the player who moved: {message['text']}"
