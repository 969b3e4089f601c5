"""A Web Push service on this machine, and browsers that can decrypt the messages it accepts."""

from __future__ import annotations

import base64
import json
import secrets
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def to_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class PushBrowser:
    """A browser's subscription: its endpoint at the service, and the keys that decrypt its messages."""

    def __init__(self, service: PushService) -> None:
        self.service = service
        self.path = f"/to/{secrets.token_urlsafe(9)}"
        self.endpoint = service.address + self.path
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = secrets.token_bytes(16)
        public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {
            "endpoint": self.endpoint,
            "p256dh": to_base64url(public),
            "auth": to_base64url(self._auth),
        }

    @property
    def messages(self) -> list[Any]:
        return [
            json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"))
            for path, _, body in list(self.service.requests)
            if path == self.path
        ]


class PushService:
    """The push service. ``answers`` has the next statuses, by path or for all paths; without any, it replies 201."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], bytes]] = []  # (path, headers, body)
        self.next_statuses: list[int] = []
        self.reply_headers: dict[str, str] = {}
        self.before_reply: Callable[[], Any] = lambda: None  # called before the reply
        postbox = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                postbox.requests.append((self.path, {n.lower(): v for n, v in self.headers.items()}, body))
                postbox.before_reply()
                self.send_response(postbox.next_statuses.pop(0) if postbox.next_statuses else 201)
                for name, value in postbox.reply_headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *given: Any) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> PushService:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
