"""A push notification that was due when an earlier version stopped."""

import base64
import json
import sqlite3

import http_ece
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tests.server.support.client import wait_until
from tests.server.support.push_service import PushService

pytestmark = pytest.mark.later


def test_notification_that_was_due_is_sent(version_fixtures, start_server, tmp_path):
    known = version_fixtures.expected["push"]
    with PushService() as push_service:
        folder = version_fixtures.unpack(tmp_path / "data")
        database = sqlite3.connect(folder / version_fixtures.expected["files"]["database"])
        with database:  # in the words of that version
            database.execute(known["reroute"].format(service=push_service.address))
        database.close()
        settings = folder / version_fixtures.expected["files"]["settings"]
        settings.write_text(
            settings.read_text(encoding="utf-8").replace(known["service"], push_service.address), encoding="utf-8"
        )
        start_server(folder, version_fixtures.an_hour_later)
        wait_until(lambda: push_service.requests, "no notification is sent")
        path, _, body = push_service.requests[0]
    key = load_pem_private_key(known["private"].encode(), None)
    auth = known["subscription"]["keys"]["auth"]
    secret = base64.urlsafe_b64decode(auth + "=" * (-len(auth) % 4))
    message = json.loads(http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm"))
    assert path == "/to/bens-phone"
    assert message["table"] == known["table"]
    assert "Anna" in message["text"], f"Expected the player who moved: {message['text']}"
