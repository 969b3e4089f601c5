"""What is kept of people who have an account: how they sign in, and from which devices. Of a guest only the name is kept.

A guest is a random identity; a guest who makes an account keeps it, so that every table stays theirs. Signed in is a *device*,
which has an identity of its own. Nobody's identity is ever told, nor an address kept; times are days.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.moderation import ModerationChange
from diamonds.server.storage.relationships import RelationshipChange, Relationships

NAME_TAKEN, SAME_TABLE = (
    "not free",
    "apart",
)  # outcomes besides those of `TableChange`: the name is another's; they sit at one table


def today() -> int:
    """The day, as the number of days since 1970."""
    return int(time.time() // 86400)


class Account(NamedTuple):
    """Someone who can sign in. The ``handle`` is what their passkeys know them by; ``since`` is a day."""

    person: str
    handle: bytes
    created_day: int
    has_recovery_code: bool


class Passkey(NamedTuple):
    """A passkey: its public key, and how often it says that it was used. Nothing of it is secret. ``label`` is what its owner is told."""

    id: bytes
    person: str
    public_key: bytes
    sign_count: int
    label: str
    created_day: int


class Device(NamedTuple):
    """A browser that is signed in. Its ``id`` is what its cookie says, ``mark`` what its owner calls it by; ``seen`` is a day."""

    id: str
    person: str
    public_id: str
    label: str
    created_day: int
    last_seen_day: int


class RecoveryCodeRecord(NamedTuple):
    """A recovery code: by ``name`` it is found, and ``proof`` is what became of its secret, with some salt."""

    lookup: str
    proof: bytes


class PersonTableExport(NamedTuple):
    """What one table has of one person: the seats' places and the header as stored, and what this person answered and said."""

    table: str
    header: bytes
    seating: bytes
    phase: str
    created: float
    entries: list[tuple[int, int, str, int]]  # n, seat, words, time
    chat: list[ChatRecord]


class AccountChange(NamedTuple):
    """What changes about a person, all or none; empty fields change nothing.

    ``handle`` makes an account; of who has one the ``name``, with all that it looks like, is theirs alone. The outcome is `NAME_TAKEN` if any of
    its ``looks`` is another's, a guest's new name too. ``joins`` is a guest who turns out to be this person: their tables become this
    person's; the outcome is `SAME_TABLE` if both have had a seat at a table whose game is not over. ``forget`` lets go of everything: at each table somebody without a name
    remains, and what was said is gone, also what was said under the name ``called`` before it was kept whose lines they are.

    What has become otherwise since it was looked at is a `CONFLICT`: a way in that is not the account's (any more); that somebody has an
    account, or has none; that a passkey which is to go is the last one.
    """

    person: str
    handle: bytes = b""
    name: str = ""
    skeletons: tuple[str, ...] = ()
    recovery_code: RecoveryCodeRecord | None = None
    passkey: Passkey | None = None
    used_passkey: tuple[bytes, int] | None = None  # a passkey, and how often it has been used by now
    used_recovery_lookup: str = ""  # the recovery code by which they sign in
    remove_passkey: bytes = b""
    device: Device | None = None
    remove_devices: tuple[str, ...] = ()
    seen_device: str = ""  # a device, today
    merged_guest: str = ""
    unsubscribed_guest: str = ""  # a guest whose browser this was: no messages for them come to it any more
    delete_person: bool = False
    current_name: str = ""
    relationship: RelationshipChange | None = None  # with somebody else
    remove_name: bool = False  # a guest is called as one who has chosen none
    invitation: str = ""  # is used up; the outcome is `NOT_INVITED` if it is not there
    moderation: ModerationChange | None = None


class AccountStore(Protocol):
    """What the house asks of a store about people; see `Store` for what holds of every call."""

    async def account(self, person: str) -> Account | None:
        """A person's account, if they have one."""
        ...

    async def skeleton_holders(self, skeletons: Collection[str]) -> dict[str, str]:
        """Of what names look like, that which is somebody's alone, and whose; nobody's (an empty string), if it was taken away."""
        ...

    async def recovery_code(self, lookup: str) -> tuple[str, bytes] | None:
        """Whose recovery code this is, and its proof."""
        ...

    async def passkey(self, passkey_id: bytes) -> Passkey | None:
        """A passkey that is known here."""
        ...

    async def passkeys(self, person: str) -> list[Passkey]:
        """A person's passkeys, the first one first."""
        ...

    async def device(self, device_id: str) -> Device | None:
        """A device that is signed in."""
        ...

    async def devices(self, person: str) -> list[Device]:
        """A person's devices, those first that were seen last."""
        ...

    async def relationships(self, person: str) -> Relationships:
        """The people around a person."""
        ...

    async def tables_of(self, person: str) -> list[str]:
        """All tables of a person, the one first at which they sat down first."""
        ...

    async def tables_chatted_at(self, person: str) -> list[str]:
        """All tables at which a person said something, in no order."""
        ...

    async def exports(self, person: str, tables: Sequence[str]) -> list[PersonTableExport]:
        """What each of these tables has of a person, in this order; without those that are not kept."""
        ...
