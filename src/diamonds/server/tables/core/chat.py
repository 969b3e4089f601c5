"""Chat at a table: the rules for posting and reading."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.server.api import tables as messages
from diamonds.server.errors import ForbiddenError
from diamonds.server.people.display_names import clean_text
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.tables.core.table import Table

MAX_CHAT_LINES = 30  # of players, and of spectators, sent to clients; older ones stay in the store


def is_chat_disabled(table: Table) -> bool:
    """Return whether chat is off: partners are playing (C23), or people could reveal a match still in progress.

    A spectator might be one of the partners at another screen.
    """
    return (table.phase == "playing" and table.has_partners) or _is_match_in_play(table)


def _is_match_in_play(table: Table) -> bool:
    """Return whether a game is over but its duplicate match is not, so that its players may know others' next cards."""
    return table.is_over and table.header.match is not None and table.is_withheld


def chat_message(table: Table, person: str, name: str, request: messages.ChatRequest, now: float) -> ChatRecord:
    """Return the chat message that a person wants to post.

    During a game, spectators talk only among themselves; a person who has left a seat knows a hand and may not post.
    Raise `NotAllowedError` for them and while partners play, `ForbiddenError` if the chat mode does not allow the
    message, `InvalidInputError` if it is not exactly one text or phrase.
    """
    seat = table.seat_of(person)
    if _is_match_in_play(table):
        raise NotAllowedError("table-match-withheld")
    if is_chat_disabled(table):
        raise NotAllowedError("table-partners-silent" if seat >= 0 else "table-nobody-talks")
    if seat < 0 and not sees_spectator_chat(table, table.has_played(person)):
        raise NotAllowedError("table-chat-former-player")
    if (request.text is None) == (request.phrase is None):
        raise InvalidInputError("server-nothing-to-say")
    if table.seating.chat_mode == "none":
        raise ForbiddenError("table-chat-none")
    if table.seating.chat_mode == "phrases" and request.phrase is None:
        raise ForbiddenError("table-chat-phrases")
    text = request.phrase or clean_text(request.text or "")
    spectators_only = seat < 0 and table.phase == "playing"
    return ChatRecord(name, text, now, person, request.phrase is not None, spectators_only)


def newest_lines(records: Sequence[ChatRecord]) -> list[ChatRecord]:
    """Return the newest messages of players and of spectators. Neither can push out those of the others."""
    kept = {
        k
        for kind in (False, True)
        for k in [k for k, record in enumerate(records) if record.spectators_only == kind][-MAX_CHAT_LINES:]
    }
    return [record for k, record in enumerate(records) if k in kept]


def sees_spectator_chat(table: Table, has_played: bool) -> bool:
    """Return whether a viewer reads spectator messages. Anyone who has had a seat must wait for the end of the game."""
    return not has_played or table.phase != "playing"


def visible_chat(table: Table, person: str) -> list[ChatRecord]:
    """Return the chat messages that a person may read now."""
    sees_all = sees_spectator_chat(table, table.has_played(person))
    return [record for record in table.chat if sees_all or not record.spectators_only]


def chat_for(
    table: Table, sees_spectator_messages: bool, blocked_speakers: frozenset[str] = frozenset()
) -> list[messages.ChatMessageInfo]:
    """Return the chat for a viewer, without blocked speakers and without spectator messages that they may not see."""
    visible = [
        record
        for record in table.chat
        if (sees_spectator_messages or not record.spectators_only) and record.person not in blocked_speakers
    ]
    return chat_infos(visible, table.id)


def chat_infos(records: Iterable[ChatRecord], table_id: str) -> list[messages.ChatMessageInfo]:
    """Return lines of a table's chat as API messages."""
    infos = []
    for record in records:
        text, phrase = ("", record.text) if record.is_phrase else (record.text, None)
        speaker = _speaker_id(table_id, record.person)
        said_at, spectators_only = record.said_at, record.spectators_only
        infos.append(messages.ChatMessageInfo(record.name, speaker, said_at, text, phrase, spectators_only))  # type: ignore[arg-type]
    return infos


def person_of_speaker(table_id: str, records: Iterable[ChatRecord], speaker: str) -> str:
    """Return the person behind a speaker id; empty if none of the records is theirs."""
    return next(
        (record.person for record in records if speaker and _speaker_id(table_id, record.person) == speaker), ""
    )


def _speaker_id(table_id: str, person: str) -> str:
    """Return the id of a speaker.

    It is the same for all their lines at this table, different at others, and not reversible.
    """
    return hashlib.blake2b(f"{table_id} {person}".encode(), digest_size=6).hexdigest() if person else ""
