"""Chat messages, as stored."""

from __future__ import annotations

from typing import NamedTuple


class ChatRecord(NamedTuple):
    """A chat message: a text or the id of a phrase. Players see `spectators_only` messages only after the game.

    `name` is the author's name at that time, `said_at` the time in seconds since 1970. `person` is never revealed, and
    empty for the oldest lines.
    """

    name: str
    text: str
    said_at: float
    person: str = ""
    is_phrase: bool = False
    spectators_only: bool = False


def chat_record(name: str, text: str, said_at: float, person: str, is_phrase: int, spectators_only: int) -> ChatRecord:
    """Return a chat message from its row."""
    return ChatRecord(name, text, said_at, person, bool(is_phrase), bool(spectators_only))
