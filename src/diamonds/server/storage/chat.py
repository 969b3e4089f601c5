"""A line of the chat, as it is kept."""

from __future__ import annotations

from typing import NamedTuple


class ChatRecord(NamedTuple):
    """Something said at a table: a sentence, or one of the ready phrases by its id; ``aside`` is what spectators say among themselves.

    ``name`` is what the speaker was called there, ``at`` the time in seconds since 1970. ``person`` is not told to anyone; of
    the oldest lines it is not known.
    """

    name: str
    text: str
    said_at: float
    person: str = ""
    is_phrase: bool = False
    spectators_only: bool = False


def chat_record(name: str, text: str, said_at: float, person: str, is_phrase: int, spectators_only: int) -> ChatRecord:
    """A line from its row."""
    return ChatRecord(name, text, said_at, person, bool(is_phrase), bool(spectators_only))
