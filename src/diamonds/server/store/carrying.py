"""What a commit has added to tables goes with the notification that rings for it, so that nobody has to read it back.

Whoever may connect to a database may ring there, and hear who rings. So all of it is sealed by a key that follows from the house's own:
what does not open is no more than a ring, and what was heard before is nothing. A row of the house's processes says whose ring it is;
each counts its own, and seals with a key of its own, so no number is used twice under one key.

An older program reads the same notification, and takes what is sealed for a part of the sender's mark.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hmac
import secrets
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from diamonds.server.store.contract import DONE, Change
from diamonds.server.store.sharing import Carried, Rung

FORM = "diamonds 1"  # another one where what is carried means something else
NUMBER = 12  # bytes of the number of a ring
KEYS = 64  # of processes, that are kept at hand

_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(list[Carried])


def carried_of(changes: Iterable[tuple[Any, Any]]) -> list[Carried]:
    """What goes along of these changes and what became of them: entries that rest on the seats as they were, and change nothing else."""
    return [
        Carried(
            change.table,
            change.n,
            change.revision,
            change.changes,
            [
                (seat, words, change.person, "" if k else change.key, change.at)
                for k, (seat, words) in enumerate(change.entries)
            ],
            change.clocks,
            change.clock_at,
        )
        for change, outcome in changes
        if isinstance(change, Change) and change.held and change.entries and outcome.what == DONE and not change.more
    ]


class Seal:
    """Seals what this process rings, and opens what others do. ``mark`` is this process's. Until `use` has told the house's key,
    nothing opens."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._count = 0
        self._heard: dict[str, int] = {}  # by whom: the number of their last ring
        self.use(secrets.token_bytes(32))

    def use(self, key: bytes) -> None:
        """From now on seal by what follows from this key."""
        own = hmac.digest(key, b"carried", "sha256")
        self._of = functools.lru_cache(KEYS)(lambda mark: AESGCM(hmac.digest(own, mark.encode(), "sha256")))

    def close(self, number: str, words: str, carried: list[Carried], most: int) -> str:
        """A notification of at most so many bytes. What there is no room for is left out: first entries, and whoever hears it reads them;
        then the words, and whoever hears it asks for them."""
        for told, added in (*((words, some) for some in _less_and_less(carried)), ("", [])):
            self._count += 1
            ring = self._count.to_bytes(NUMBER, "big")
            sealed = self._of(self._mark).encrypt(ring, _encode(added), _about(number, told))
            payload = f"{self._mark}/{base64.b64encode(ring + sealed).decode()} {number} {told}"
            if len(payload.encode()) <= most:
                break
        return payload

    def open(self, payload: str) -> Rung | None:
        """What another process rings for; ``None``: nothing new. Of what does not open nothing is known but that somebody rang."""
        who, _, rest = payload.partition(" ")
        mark, _, sealed = who.partition("/")
        number, _, words = rest.partition(" ")
        if mark == self._mark:
            return None
        try:
            whole = base64.b64decode(sealed, validate=True)
            ring = whole[:NUMBER]
            added = _decoder.decode(self._of(mark).decrypt(ring, whole[NUMBER:], _about(number, words)))
        except (binascii.Error, ValueError, InvalidTag):
            return RING
        count = int.from_bytes(ring, "big")
        if count <= self._heard.get(mark, 0):
            return None
        self._heard[mark] = count
        return Rung(int(number), words, added)


RING = Rung(0, "", [])


def _less_and_less(carried: list[Carried]) -> Iterator[list[Carried]]:
    """All, then half of it each time, at last nothing."""
    while carried:
        yield carried
        carried = carried[: len(carried) // 2]
    yield []


def _about(number: str, words: str) -> bytes:
    """What is read as it is, and has to be as it was said."""
    return f"{FORM} {number} {words}".encode()
