"""What is said at a table: who may say what now, and who reads it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from diamonds.game import Illegal, Malformed
from diamonds.server.api import messages
from diamonds.server.api.refusals import Forbidden
from diamonds.server.store.lines import Line
from diamonds.server.table.names import clean_text
from diamonds.server.table.table import Table

MOST_LINES = 30  # that are told; older ones are kept, but not read again


def is_silent(table: Table) -> bool:
    """Whether nobody talks, because partners play (C23): whoever watches them might be one of them at another screen."""
    return table.phase == "playing" and table.partners


def line_of(table: Table, person: str, name: str, asked: messages.Chat, now: float) -> Line:
    """The line that someone wants to say.

    Spectators of a game talk among themselves. Whoever has left a seat knows a hand, and says nothing until the game is over.
    `Illegal` to them and while partners play; `Forbidden` where the table's maker lets nothing of this kind be said; `Malformed`
    if it is not one text or one phrase.
    """
    seat = table.seat_of(person)
    if is_silent(table):
        raise Illegal("table-partners-silent" if seat >= 0 else "table-nobody-talks")
    if seat < 0 and not hears_spectators(table, table.has_played(person)):
        raise Illegal("table-chat-former-player")
    if (asked.text is None) == (asked.phrase is None):
        raise Malformed("server-nothing-to-say")
    if table.places.talk == "none":
        raise Forbidden("table-talk-none")
    if table.places.talk == "phrases" and asked.phrase is None:
        raise Forbidden("table-talk-phrases")
    text = asked.phrase or clean_text(asked.text or "")
    aside = seat < 0 and table.phase == "playing"
    return Line(name, text, now, person, asked.phrase is not None, aside)


def hears_spectators(table: Table, has_played: bool) -> bool:
    """Return whether a viewer reads spectator messages: nobody who has had a seat does before the game is over."""
    return not has_played or table.phase != "playing"


def lines_heard(table: Table, person: str) -> list[Line]:
    """Return the chat lines that a person may read now."""
    hears_all = hears_spectators(table, table.has_played(person))
    return [line for line in table.chat if hears_all or not line.aside]


def lines_for(table: Table, asides: bool, unheard: frozenset[str] = frozenset()) -> list[messages.ChatLine]:
    """The chat, as a reader is told it who hears asides or does not, and does not hear some people at all."""
    heard = [line for line in table.chat if (asides or not line.aside) and line.person not in unheard]
    return told(heard, table.id)


def told(lines: Iterable[Line], table: str) -> list[messages.ChatLine]:
    """Lines of a table's chat, as they are told."""
    found = []
    for line in lines:
        text, phrase = ("", line.text) if line.phrase else (line.text, None)
        by = _speaker(table, line.person)
        found.append(messages.ChatLine(line.name, by, line.at, text, phrase, line.aside))  # type: ignore[arg-type]
    return found


def said_by(table: str, lines: Iterable[Line], by: str) -> str:
    """Return the person whose lines are told as ``by`` somebody; empty if none of these are."""
    return next((line.person for line in lines if by and _speaker(table, line.person) == by), "")


def _speaker(table: str, person: str) -> str:
    """The same for all that a person says here, and at no other table; from it nobody finds the person."""
    return hashlib.blake2b(f"{table} {person}".encode(), digest_size=6).hexdigest() if person else ""
