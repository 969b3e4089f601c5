"""Messages to people's devices: which browsers take them, when nobody wants to be disturbed, and what is to be sent."""

from __future__ import annotations

from typing import NamedTuple, Protocol

MAX_SUBSCRIPTIONS = 10  # browsers of one person: the one that came first goes
SUBSCRIPTION_TTL_DAYS = 400  # days for which a browser that does not come again is kept: as long as its cookie lasts


class PushSubscription(NamedTuple):
    """A browser that takes messages: the address that its push service gave it, and the keys by which it alone can read them.

    ``browser`` is the identity that its cookie says, ``id`` what its owner calls it by; ``since`` is a day.
    """

    id: str
    person: str
    browser: str
    endpoint: str
    key: bytes
    auth: bytes
    label: str
    language: str
    last_seen_day: int


class QuietHours(NamedTuple):
    """The hours in which somebody is not disturbed, in minutes of the day where they are; equal: there are none."""

    start_minute: int
    end_minute: int
    time_zone: str


class PendingPush(NamedTuple):
    """A message to a browser that its person is asked at a table, ``due`` by the machine's clock; 0: it was sent.

    ``answered`` is the n of the person's last answer there: until it is another, there is no second message.
    """

    subscription: str
    table: str
    question_n: int
    due_ms: int
    attempts: int = 0


class PushChange(NamedTuple):
    """What changes about messages, all or none; empty fields change nothing.

    Who is ``put`` at an address that is known there already keeps the ``id`` that it had; a browser has no other address any more, and
    nobody else has this one. ``calls`` to whom there is not are not kept.
    """

    subscription: PushSubscription | None = None
    removed_subscriptions: tuple[str, ...] = ()  # subscriptions
    quiet_hours: tuple[str, QuietHours] | None = None  # whose
    pending: tuple[PendingPush, ...] = ()
    cancelled: tuple[tuple[str, str], ...] = ()  # calls that are not wanted any more: subscription, table
    claimed: PendingPush | None = (
        None  # what is about to be sent; if it is otherwise by now, nothing is written (`CONFLICT`)
    )


class PushStore(Protocol):
    """What the house asks of a store about messages; see `Store` for what holds of every call."""

    async def subscriptions_of(self, person: str) -> list[PushSubscription]:
        """A person's browsers, those first that came first."""
        ...

    async def subscription(self, subscription_id: str) -> PushSubscription | None:
        """A browser by its mark."""
        ...

    async def quiet_hours(self, person: str) -> QuietHours | None:
        """When somebody is not disturbed."""
        ...

    async def subscribers(self) -> list[str]:
        """Everyone who takes messages, in no order."""
        ...

    async def pending_of(self, person: str) -> list[PendingPush]:
        """What was sent to a person, and what is to be, in no order."""
        ...

    async def due(self, now_ms: int, limit: int) -> list[PendingPush]:
        """What is to be sent by now (ms since 1970), what is due for longest first; at most so many."""
        ...

    async def next_due_ms(self) -> int | None:
        """When something is to be sent next (ms since 1970)."""
        ...
