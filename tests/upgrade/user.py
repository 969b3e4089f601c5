"""A user of a server's API: with a cookie, with a program's token, or with neither."""

from __future__ import annotations

import contextlib
import http.client
import json
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from tests.server.support.client import WAIT_TIMEOUT_S
from tests.upgrade.program import UpgradeServer


class UnexpectedStatusError(AssertionError):
    """A request got a different status than expected."""


class User:
    """A user with a cookie, with a program's token, or with neither."""

    def __init__(self, server: UpgradeServer, cookie: str = "", token: str = "") -> None:
        self.server = server
        self.cookie, self.token = cookie, token
        self.status = 0

    def _headers(self) -> dict[str, str]:
        headers = {"Host": f"localhost:{self.server.port}"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        elif self.cookie:
            headers |= {"Cookie": self.cookie, "Sec-Fetch-Site": "same-origin"}
        return headers

    def call(self, method: str, path: str, body: Any = None, expect: int | tuple[int, ...] = (200, 201)) -> Any:
        """Send a request; return the JSON of the reply."""
        headers = self._headers()
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=WAIT_TIMEOUT_S)
        try:
            connection.request(method, path, None if body is None else json.dumps(body).encode(), headers)
            reply = connection.getresponse()
            raw = reply.read()
        finally:
            connection.close()
        self.status = reply.status
        if new := reply.headers.get("Set-Cookie"):
            self.cookie = new.partition(";")[0]
        expected = (expect,) if isinstance(expect, int) else expect
        if reply.status not in expected:
            raise UnexpectedStatusError(f"{method} {path} gave {reply.status}, not {expect}: {raw[:400]!r}")
        return json.loads(raw) if raw else None

    def get(self, path: str, expect: int = 200) -> Any:
        return self.call("GET", path, expect=expect)

    def post(self, path: str, body: Any, expect: int | tuple[int, ...] = (200, 201)) -> Any:
        return self.call("POST", path, body, expect)

    # Identity

    def open_web_client(self) -> User:
        """Open the web client for the first time, which sets a cookie."""
        self.get("/api/server")
        return self

    def register_program(self) -> User:
        self.token = self.post("/api/token", {})["token"]
        return self

    def me(self) -> Any:
        """Return the account: `name`, `has_account`, `passkeys`, `devices`, `has_recovery_code`, `table_count`."""
        return self.get("/api/me")

    def name(self) -> str:
        return str(self.get("/api/server")["display_name"])

    def rename(self, name: str, expect: int = 200) -> None:
        self.post("/api/me", {"name": name}, expect)

    def begin_account(self, name: str, invitation: str = "", expect: int = 200) -> Any:
        """Start registering an account; return the options for the browser's authenticator."""
        return self.post("/api/me/account/begin", {"name": name, "invitation": invitation}, expect).get("options")

    def create_account(self, passkey: Any, label: str = "Phone") -> str:
        """Create the account from the authenticator's reply; return its recovery code."""
        return str(self.post("/api/me/account", {"passkey": passkey, "label": label})["code"])

    def is_banned(self) -> bool:
        self.call("GET", "/api/tables", expect=(200, 403))
        return self.status == 403

    def delete_data(self, name: str) -> None:
        self.post("/api/me/delete", {"name": name})

    def export_data(self) -> Any:
        """Return all data that the server stores about this user."""
        return self.get("/api/me/data")

    # Tables

    def tables(self) -> list[Any]:
        return list(self.get("/api/tables")["your_tables"])

    def create_table(self, game: str, seats: int, places: list[str], **more: Any) -> tuple[str, str]:
        """Create a table and take the seat `me`; return its id and its invite."""
        made = self.post("/api/tables", {"game": game, "seats": seats, "seats_taken_by": places, **more})
        if "me" in places:
            self.sit(made["id"])
        return made["id"], made["invite"]

    def sit(self, table: str, expect: int | tuple[int, ...] = 200, **more: Any) -> Any:
        return self.post(f"/api/tables/{table}/sit", {"nonce": "5eed", **more}, expect)

    def get_table(self, table: str) -> Any:
        return self.get(f"/api/tables/{table}")

    @contextlib.contextmanager
    def connected(self, table: str = "") -> Iterator[http.client.HTTPResponse]:
        """Yield the open stream of a table, or of the lobby if no table is given."""
        path = f"/api/tables/{table}/stream" if table else "/api/lobby"
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=WAIT_TIMEOUT_S)
        try:
            connection.request("GET", path, headers=self._headers())
            reply = connection.getresponse()
            assert reply.status == 200, f"{path} gave {reply.status}"
            yield reply
        finally:
            connection.close()

    def act_at_table(self, table: str, action: str, expect: int | tuple[int, ...] = (200, 201), **body: Any) -> Any:
        """Post an action to a table, with an idempotency key."""
        return self.post(f"/api/tables/{table}/{action}", {**body, "idempotency_key": uuid.uuid4().hex}, expect)

    def answer(self, table: str, *answers: str, message: Any = None) -> Any:
        """Answer the open question. If others have answered first, nothing happens, as on a page that is late."""
        message = message or self.get_table(table)
        return self.act_at_table(table, "answers", (200, 409), n=message["n"], answers=list(answers))

    def send_chat(self, table: str, text: str = "", phrase: str = "", expect: int | tuple[int, ...] = 200) -> Any:
        return self.act_at_table(table, "chat", expect, **({"phrase": phrase} if phrase else {"text": text}))

    def vote(self, table: str, agree: bool = True) -> Any:
        """Vote on another player's proposal."""
        return self.act_at_table(
            table, "proposal", proposal=self.get_table(table)["table"]["proposal"]["id"], accept=agree
        )

    def undo(self, table: str) -> None:
        """Undo this user's last answer, or propose it."""
        while True:
            message = self.get_table(table)
            self.act_at_table(table, "undo", (200, 409), n=message["n"], to=message["undo_last"])
            if self.status == 200:
                return

    def record(self, table: str) -> Any:
        return self.get(f"/api/tables/{table}/record")

    def verify(self, table: str) -> bool:
        return bool(self.get(f"/api/tables/{table}/verify")["ok"])

    def replay(self, table: str) -> Any:
        return self.get(f"/api/tables/{table}/replay")

    def personal_lobby(self, condition: Callable[[Any], bool] = lambda you: True) -> Any:
        """Return the lobby's personal update once `condition` holds."""
        with self.connected() as stream:
            for raw in stream:
                if raw.startswith(b"data:"):
                    event = json.loads(raw[5:])
                    if event.get("personal") is not None and condition(event["personal"]):
                        return event["personal"]
        raise AssertionError("The lobby sends no personal update.")

    def warning(self) -> str:
        """Return the unread warning of this user."""
        with self.connected() as stream:
            for line in stream:
                if line.startswith(b"event: order"):
                    notice = json.loads(stream.readline().partition(b":")[2])
                    return str(notice["reason"]) if notice["kind"] == "warned" else ""
                if line.startswith(b"data:"):
                    first = json.loads(line[5:])
                    if "personal" in first:  # all other events come first
                        return ""
        return ""

    # Push notifications

    def subscribe(self, subscription: Any, label: str) -> None:
        """Send a browser's subscription, as `PushSubscription.toJSON()`."""
        self.post("/api/push", {"endpoint": subscription["endpoint"], **subscription["keys"], "label": label})

    def subscriptions(self) -> Any:
        """Return the subscribed browsers and the quiet hours."""
        return self.get("/api/push")

    # Signing in

    def begin_passkey(self) -> Any:
        """Return the options for the browser's authenticator."""
        return self.post("/api/sign-in/passkey/begin", {})["options"]

    def sign_in_by_passkey(self, passkey: Any, expect: int = 200) -> Any:
        """Sign in with the authenticator's reply."""
        return self.post("/api/sign-in/passkey", {"passkey": passkey, "label": "Upgraded"}, expect)

    def sign_in_by_code(self, code: str, expect: int = 200) -> Any:
        return self.post("/api/sign-in/code", {"code": code, "label": "Upgraded"}, expect)

    # Moderation

    def moderate(self, action: str, expect: int = 200, **more: Any) -> None:
        self.post("/api/moderation/actions", {"action": action, **more}, expect)


def choose_answers(message: Any) -> list[str]:
    """Return answers to the open question that bring a game to its end."""
    ask = message["open_question"]
    legal = ask["legal"]
    choices = [one for one in legal if one not in ("pass", "skip")] or legal  # other choices lead to draws in mines
    return [f"{ask['question']} {choices[message['n'] % len(choices)]}"]


def play_to_end(table: str, users: list[User], condition: Callable[[Any], bool] = lambda message: False) -> Any:
    """Give answers for everyone until the game is over or the first user sees the wanted state; return their view."""
    started = time.monotonic()
    while time.monotonic() - started < WAIT_TIMEOUT_S:
        is_anyone_to_act = False
        for user in users:
            message = user.get_table(table)
            if user is users[0] and (message["result"] or condition(message)):
                return message
            if message["open_question"]:
                is_anyone_to_act = True
                user.answer(table, *choose_answers(message), message=message)
        if not is_anyone_to_act:
            time.sleep(0.02)
    raise AssertionError(f"The game at {table} did not end.")
