"""Observations of people on a server, in the words of these tests.

The words stay the same when names or values in the API change, because this module translates them.
"""

from typing import Any

from tests.server.support.client import first_legal
from tests.upgrade.user import User

CONTROL_WORDS = {"start": "initial_s", "increment": "increment_s", "days": "days_per_move"}


def table_summary(message: Any) -> dict[str, Any]:
    table, view, ask, wish = message["table"], message["view"], message["open_question"], message["table"]["proposal"]
    clocks, control = message["clocks"], table["time_control"]
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
        "undo_step": message["undo_last"],
        "undo_to": message["undo_min"],
        "result": message["result"],
        "seats": [[seat["kind"], seat["name"], seat["level"], seat["reserved"]] for seat in table["seat_holders"]],
        "kept": table["reserved_seat"],
        "private": table["private"],
        "host": table["is_host"],
        "invite": table["invite"],
        "hints": table["hints"],
        "speed": table["bot_speed"],
        "chat_mode": table["chat_mode"],
        "substitute_s": table["substitute_after_s"],
        "commitment": table["commitment"],
        "fork": table["fork"] and table["fork"]["n"],
        "rematch": table["rematch_table"],
        "proposal": wish and [wish["kind"], wish["seat"], wish["is_yours"]],
        "chat": [[line["name"], line["text"] or line["phrase"], line["spectators_only"]] for line in table["chat"]],
        "time_control": control and {key: control[name] for key, name in CONTROL_WORDS.items()},
        "left": clocks and clocks["remaining_ms"],
        "runs": clocks and clocks["running"],
        "lost": clocks and clocks["forfeited"],
        "timeouts": clocks and clocks["timeouts"],
        "paused": clocks and clocks["paused"],
    }


def is_settled(user: User, table: str) -> bool:
    """Return whether no bot is to act at a table."""
    message = user.get_table(table)
    view, seats = message["view"], message["table"]["seat_holders"]
    paused = message["clocks"] and message["clocks"]["paused"]
    return (
        not view
        or bool(paused)
        or bool(message["result"])
        or all(seats[seat]["kind"] == "person" for seat in view["to_act"])
    )


AUDIT_LOG = "/api/moderation/actions"


def audit_log(moderator: User) -> list[list[Any]]:
    """Return the action, name, moderator and reason of each entry of the audit log, the newest first."""
    return [
        [one["action"], one["name"], one["moderator"], one["reason"]] for one in moderator.get(AUDIT_LOG)["actions"]
    ]


def reports(moderator: User) -> dict[str, list[list[Any]]]:
    """Return the author, name, reason, text and number of chat messages of each report."""
    reply = moderator.get("/api/moderation/reports")
    return {
        word: [
            [one["reporter"], one["name"], one["reason"], one["text"], len(one["chat_excerpt"])] for one in reply[kind]
        ]
        for word, kind in (("open", "open"), ("handled", "resolved"))
    }


def about_server(user: User) -> dict[str, Any]:
    """Return the server's information about itself."""
    reply = user.get("/api/about")
    return {
        "name": reply["name"],
        "rules": reply["rules"],
        "registration": reply["registration"],
        "moderator": reply["is_moderator"],
    }


def quiet_hours(found: Any) -> list[Any]:
    """Return the first and the last minute of the quiet hours, and their time zone."""
    return [found["quiet_hours"][key] for key in ("start_minute", "end_minute", "time_zone")]


def error_of_action(user: User, table: str) -> Any:
    """Sit down at a table or answer there; return the error."""
    message = user.get_table(table)
    if message["open_question"]:
        return user.act_at_table(table, "answers", 409, n=message["n"], answers=[first_legal(message)])
    return user.act_at_table(
        table, "undo" if message["n"] else "stand", 409, **({"n": message["n"], "to": 0} if message["n"] else {})
    )


def resume_table(table: str, users: list[User]) -> None:
    """Resume paused clocks, and accept open proposals."""
    for user in users:
        message = user.get_table(table)
        if (message["clocks"] or {}).get("paused") and message["seat"] is not None:
            user.act_at_table(table, "pause", on=False)
        proposal = message["table"]["proposal"]
        if proposal and message["seat"] in proposal["waiting_for"]:
            user.vote(table)


def rematch(user: User, table: str) -> str:
    return str(user.act_at_table(table, "rematch")["id"])


def fork(user: User, table: str, n: int) -> str:
    """Fork a finished game at some moment, in the first seat; return the new table."""
    return str(user.act_at_table(table, "fork", n=n, seat=0, level="simple")["id"])


def sanctions(user: User) -> dict[str, Any]:
    """Return the sanctions against this person from their own data."""
    exported = user.export_data().get("sanctions")
    return {key: exported.get(key) for key in ("warning", "muted", "banned", "reason")} if exported else {}


def relationships(user: User) -> dict[str, list[str]]:
    """Return an account's friends, requests and blocked accounts by name."""
    you = user.personal_lobby()
    return {
        "friends": [friend["name"] for friend in you["friends"]],
        "asks": you["friend_requests_in"],
        "blocked": you["blocked"],
    }


def replay_history(replay: Any) -> list[list[Any]]:
    """Return every answer of a replay with the side events before it."""
    side = ("undo", "seat", "by", "timeout", "fork")
    return [
        [step["answer"], [event["event"] for event in step["events"] if event["event"].get("event") in side]]
        for step in replay["steps"]
    ]
