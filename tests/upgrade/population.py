"""The people on a server, and their actions there."""

from functools import partial
from typing import Any

from tests.server.support.client import wait_until
from tests.upgrade import observations
from tests.upgrade.passkey import Passkey
from tests.upgrade.program import UpgradeServer
from tests.upgrade.user import User, choose_answers


class Population:
    """The people on a server. Their actions write its data; `expected` collects what tests check."""

    def __init__(self, server: UpgradeServer) -> None:
        self.server = server
        self.people: dict[str, User] = {}
        self.expected: dict[str, Any] = {"people": {}, "tables": {}}

    # People

    def account(self, name: str, invitation: str = "") -> User:
        user = User(self.server).open_web_client()
        options = user.begin_account(name, invitation)
        key = Passkey(options)
        reply = key.register(options, self.server.address)
        code = user.create_account(reply, f"{name}'s phone")
        self.people[name] = user
        self.expected["people"][name] = {"account": True, "code": code, "passkeys": [key.stored]}
        return user

    def second_device(self, name: str) -> None:
        """Sign an account in on another device, and give it another passkey."""
        about, user = self.expected["people"][name], User(self.server).open_web_client()
        key = Passkey.load(about["passkeys"][0])
        user.sign_in_by_passkey(key.sign(user.begin_passkey(), self.server.address))
        options = user.post("/api/me/passkeys/begin", {})["options"]
        second = Passkey(options)
        reply = second.register(options, self.server.address)
        user.post("/api/me/passkeys", {"passkey": reply, "label": "Security key"})
        about["passkeys"] = [key.stored, second.stored]
        about["second_cookie"] = user.cookie

    def guest(self, name: str) -> User:
        """Add a guest, who has a cookie."""
        user = self.people[name] = User(self.server).open_web_client()
        user.rename(name)
        self.expected["people"][name] = {"account": False}
        return user

    def program_client(self, name: str) -> User:
        user = self.people[name] = User(self.server).register_program()
        user.rename(name)
        self.expected["people"][name] = {"account": False}
        return user

    # Tables

    def table(
        self, label: str, game: str, names: list[str], options: dict[str, Any] | None = None, **more: Any
    ) -> tuple[str, list[User]]:
        """Seat these people and bots at a new table, created by the first."""
        places = ["me", *(name if name.startswith("bot:") else "open" for name in names[1:])]
        more.setdefault("substitute_after_s", 0)
        host = self.people[names[0]]
        table, invite = host.create_table(game, len(names), places, options=options or {}, **more)
        for seat, name in enumerate(names[1:], 1):
            if name in self.people:
                self.people[name].sit(table, seat=seat, invite=invite)
        seated = [name for name in names if name in self.people]
        self.expected["tables"][label] = {"id": table, "people": seated, "invite": invite}
        return table, [self.people[name] for name in seated]

    def play_answers(self, table: str, users: list[User], count: int) -> None:
        goal = users[0].get_table(table)["n"] + count
        for _ in range(10_000):
            for user in users:
                message = user.get_table(table)
                if message["n"] >= goal:
                    return
                if message["open_question"]:
                    user.answer(table, *choose_answers(message), message=message)
        raise AssertionError(f"{table} does not go on.")

    def record_observations(self) -> None:
        """Record what everyone sees at a table once no bot is to act."""
        for about in self.expected["tables"].values():
            if not about.get("closed"):
                wait_until(
                    partial(observations.is_settled, self.people[about["people"][0]], about["id"]),
                    "a bot does not answer",
                )
        for about in self.expected["tables"].values():
            about["seen"] = {
                name: observations.table_summary(self.people[name].get_table(about["id"]))
                for name in [*about["people"], *about.get("spectators", [])]
                if not about.get("closed") and name in self.people
            }
        for name, user in self.people.items():
            about = self.expected["people"][name]
            about |= {"name": user.name(), "cookie": user.cookie, "token": user.token}
            about["sanctions"] = observations.sanctions(user)
            if not about.get("banned"):
                about["tables"] = sorted(line["id"] for line in user.tables())
            if about["account"]:
                about["devices"] = len(user.me()["devices"])
            if about["account"] and not about.get("banned"):
                about["relationships"] = observations.relationships(user)
        self.expected |= {
            "audit": observations.audit_log(self.moderator),
            "reports": observations.reports(self.moderator),
        }

    @property
    def moderator(self) -> User:
        return self.people["Anna"]
