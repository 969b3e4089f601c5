"""What is kept of people who have an account: how they sign in, and from which devices. Of a guest only the name is kept.

A guest is a random identity; a guest who makes an account keeps it, so that every table stays theirs. Signed in is a *device*,
which has an identity of its own. Nobody's identity is ever told, nor an address kept; times are days.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from diamonds.server.store.books import BooksChange
from diamonds.server.store.circles import Circle, CircleChange
from diamonds.server.store.lines import Line

TAKEN, APART = "not free", "apart"  # outcomes besides those of `Change`: the name is another's; they sit at one table


def today() -> int:
    """The day, as the number of days since 1970."""
    return int(time.time() // 86400)


class Account(NamedTuple):
    """Someone who can sign in. The ``handle`` is what their passkeys know them by; ``since`` is a day."""

    person: str
    handle: bytes
    since: int
    has_code: bool


class Passkey(NamedTuple):
    """A passkey: its public key, and how often it says that it was used. Nothing of it is secret. ``label`` is what its owner is told."""

    id: bytes
    person: str
    key: bytes
    uses: int
    label: str
    since: int


class Device(NamedTuple):
    """A browser that is signed in. Its ``id`` is what its cookie says, ``mark`` what its owner calls it by; ``seen`` is a day."""

    id: str
    person: str
    mark: str
    label: str
    since: int
    seen: int


class Code(NamedTuple):
    """A recovery code: by ``name`` it is found, and ``proof`` is what became of its secret, with some salt."""

    name: str
    proof: bytes


class Part(NamedTuple):
    """What one table has of one person: the seats' places and the header as stored, and what this person answered and said."""

    table: str
    header: bytes
    places: bytes
    phase: str
    created: float
    entries: list[tuple[int, int, str, int]]  # n, seat, words, time
    lines: list[Line]


class AccountChange(NamedTuple):
    """What changes about a person, all or none; empty fields change nothing.

    ``handle`` makes an account; of who has one the ``name``, with all that it looks like, is theirs alone. The outcome is `TAKEN` if any of
    its ``looks`` is another's, a guest's new name too. ``joins`` is a guest who turns out to be this person: their tables become this
    person's; the outcome is `APART` if both have had a seat at a table whose game is not over. ``forget`` lets go of everything: at each table somebody without a name
    remains, and what was said is gone, also what was said under the name ``called`` before it was kept whose lines they are.

    What has become otherwise since it was looked at is a `CONFLICT`: a way in that is not the account's (any more); that somebody has an
    account, or has none; that a passkey which is to go is the last one.
    """

    person: str
    handle: bytes = b""
    name: str = ""
    looks: tuple[str, ...] = ()
    code: Code | None = None
    passkey: Passkey | None = None
    used: tuple[bytes, int] | None = None  # a passkey, and how often it has been used by now
    by_code: str = ""  # the recovery code by which they sign in
    no_passkey: bytes = b""
    device: Device | None = None
    no_devices: tuple[str, ...] = ()
    seen: str = ""  # a device, today
    joins: str = ""
    leaves: str = ""  # a guest whose browser this was: no messages for them come to it any more
    forget: bool = False
    called: str = ""
    circle: CircleChange | None = None  # with somebody else
    no_name: bool = False  # a guest is called as one who has chosen none
    invitation: str = ""  # is used up; the outcome is `NOT_INVITED` if it is not there
    books: BooksChange | None = None


class Accounts(Protocol):
    """What the house asks of a store about people; see `Store` for what holds of every call."""

    async def account(self, person: str) -> Account | None:
        """A person's account, if they have one."""
        ...

    async def whose(self, looks: Collection[str]) -> dict[str, str]:
        """Of what names look like, that which is somebody's alone, and whose; nobody's (an empty string), if it was taken away."""
        ...

    async def code(self, name: str) -> tuple[str, bytes] | None:
        """Whose recovery code this is, and its proof."""
        ...

    async def passkey(self, id: bytes) -> Passkey | None:
        """A passkey that is known here."""
        ...

    async def passkeys(self, person: str) -> list[Passkey]:
        """A person's passkeys, the first one first."""
        ...

    async def device(self, id: str) -> Device | None:
        """A device that is signed in."""
        ...

    async def devices(self, person: str) -> list[Device]:
        """A person's devices, those first that were seen last."""
        ...

    async def circle(self, person: str) -> Circle:
        """The people around a person."""
        ...

    async def tables_of(self, person: str) -> list[str]:
        """All tables of a person, the one first at which they sat down first."""
        ...

    async def talked_at(self, person: str) -> list[str]:
        """All tables at which a person said something, in no order."""
        ...

    async def parts(self, person: str, tables: Sequence[str]) -> list[Part]:
        """What each of these tables has of a person, in this order; without those that are not kept."""
        ...
