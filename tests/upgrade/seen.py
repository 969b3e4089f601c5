"""Observations of people on a server, in words of these tests.

The words stay when names or values of the API change: this module translates.
"""

from __future__ import annotations

from typing import Any

from upgrade.user import User, first_legal


def summary(message: Any) -> dict[str, Any]:
    """Return what one person sees of a table."""
    table, view, ask, wish = message["table"], message["view"], message["ask"], message["table"]["wish"]
    clocks = message["clocks"]
    hand = view["hand"][message["seat"]] if view and message["seat"] is not None and "hand" in view else None
    return {
        "game": table["game"],
        "options": table["options"],
        "phase": table["phase"],
        "n": message["n"],
        "seat": message["seat"],
        "hand": hand,
        "question": ask and ask["question"],
        "legal": ask and ask["legal"],
        "undo_step": message["undo_step"],
        "undo_to": message["undo_to"],
        "result": message["result"],
        "seats": [[seat["kind"], seat["name"], seat["level"], seat["kept"]] for seat in table["places"]],
        "kept": table["kept"],
        "private": table["private"],
        "host": table["host"],
        "invite": table["invite"],
        "hints": table["hints"],
        "speed": table["pace"],
        "chat_mode": table["talk"],
        "substitute_s": table["takeover"],
        "commitment": table["commitment"],
        "fork": table["fork"] and table["fork"]["n"],
        "rematch": table["again"],
        "proposal": wish and [wish["kind"], wish["seat"], wish["mine"]],
        "chat": [[line["name"], line["text"] or line["phrase"], line["aside"]] for line in table["chat"]],
        "time_control": table["clock"],
        "left": clocks and clocks["left"],
        "runs": clocks and clocks["runs"],
        "lost": clocks and clocks["lost"],
        "timeouts": clocks and clocks["outs"],
        "paused": clocks and clocks["paused"],
    }


def is_settled(user: User, table: str) -> bool:
    """Return whether no bot is to act at a table."""
    message = user.look(table)
    view, seats = message["view"], message["table"]["places"]
    paused = message["clocks"] and message["clocks"]["paused"]
    return (
        not view
        or bool(paused)
        or bool(message["result"])
        or all(seats[seat]["kind"] == "person" for seat in view["to_act"])
    )


AUDIT_LOG = "/api/order/acts"


def audit(moderator: User) -> list[list[Any]]:
    """Return the action, name, moderator and reason of each entry of the audit log, the newest first."""
    return [[one["what"], one["name"], one["by"], one["reason"]] for one in moderator.get(AUDIT_LOG)["acts"]]


def reports(moderator: User) -> dict[str, list[list[Any]]]:
    """Return the author, name, reason, text and number of chat messages of each report."""
    told = moderator.get("/api/order/reports")
    return {
        kind: [[one["by"], one["name"], one["reason"], one["text"], len(one["lines"])] for one in told[kind]]
        for kind in ("open", "handled")
    }


def about(user: User) -> dict[str, Any]:
    """Return what the server says of itself."""
    told = user.get("/api/about")
    return {
        "name": told["name"],
        "rules": told["rules"],
        "registration": told["registration"],
        "moderator": told["host"],
    }


def quiet_hours(found: Any) -> list[Any]:
    """Return the first and the last minute of the quiet hours, and their time zone."""
    return [found["quiet"]["begins"], found["quiet"]["ends"], found["quiet"]["zone"]]


def try_to_go_on(user: User, table: str) -> Any:
    """Sit down at a table or answer there; return the error."""
    message = user.look(table)
    if message["ask"]:
        return user.do(table, "answers", 409, n=message["n"], answers=[first_legal(message)])
    return user.do(
        table, "undo" if message["n"] else "stand", 409, **({"n": message["n"], "to": 0} if message["n"] else {})
    )


def go_on(table: str, users: list[User]) -> None:
    """Let clocks go on that are paused, and agree to what somebody proposes."""
    for user in users:
        message = user.look(table)
        if (message["clocks"] or {}).get("paused") and message["seat"] is not None:
            user.do(table, "pause", on=False)
        proposal = message["table"]["wish"]
        if proposal and message["seat"] in proposal["waiting"]:
            user.agree(table)


def rematch(user: User, table: str) -> str:
    """Return the table of the rematch."""
    return str(user.do(table, "again")["id"])


def fork(user: User, table: str, n: int) -> str:
    """Play on from a moment of a finished game, in the first seat; return the new table."""
    return str(user.do(table, "fork", n=n, seat=0, level="simple")["id"])


def sanctions(user: User) -> dict[str, Any]:
    """Return what moderators have done to this person, as their own data says it."""
    told = user.data().get("standing")
    return {key: told.get(key) for key in ("warning", "muted", "banned", "reason")} if told else {}


def relationships(user: User) -> dict[str, list[str]]:
    """Return the names of an account's friends, of those who ask to be, and of those whom it has blocked."""
    you = user.lobby()
    return {"friends": [friend["name"] for friend in you["friends"]], "asks": you["asks"], "blocked": you["blocked"]}


def history(replay: Any) -> list[list[Any]]:
    """Return every answer of a replay with the side events before it."""
    side = ("undo", "seat", "by", "timeout", "fork")
    return [
        [step["answer"], [told["event"] for told in step["told"] if told["event"].get("event") in side]]
        for step in replay["steps"]
    ]
