"""Messages that reach you anywhere: your turns, challenges, and push notifications."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from diamonds.server.api.lobby import ChallengeInfo


class TurnInfo(Struct):
    """A table where it is your turn.

    `deadline_ms` is the end of your time in server time (ms since 1970), if there is a clock. `days_per_move` is 0
    with a live clock or none. `match` is the duplicate match of the table.
    """

    table: str
    game: str
    others: list[str]
    deadline_ms: int | None
    days_per_move: int
    match: str | None


class TurnFeedUpdate(Struct):
    """Your turns, earliest deadline first, those without a clock last.

    `challenges_in` are the challenges to you; `now` is the server's time.
    """

    now: int
    turns: list[TurnInfo]
    challenges_in: list[ChallengeInfo]


class PushSubscriptionInfo(Struct):
    """A browser with push notifications. `last_seen_day` is a day since 1970; `current` marks the caller's own."""

    id: str
    label: str
    last_seen_day: int
    current: bool


class QuietHoursRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/push/quiet`: set your quiet hours.

    They are minutes of the day in a time zone (`Europe/Berlin`); equal minutes mean none.
    """

    start_minute: Annotated[int, Meta(ge=0, le=1439)]
    end_minute: Annotated[int, Meta(ge=0, le=1439)]
    time_zone: Annotated[str, Meta(min_length=1, max_length=60)]


class PushResponse(Struct):
    """`GET /api/push`: the server's public key for push services, your subscriptions, and your quiet hours."""

    key: str
    subscriptions: list[PushSubscriptionInfo]
    quiet_hours: QuietHoursRequest | None


class SubscribeRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/push`: turn on push notifications in this browser, with the data of its `PushSubscription`."""

    endpoint: Annotated[str, Meta(min_length=10, max_length=1000)]
    p256dh: Annotated[str, Meta(min_length=80, max_length=100)]
    auth: Annotated[str, Meta(min_length=16, max_length=40)]
    label: Annotated[str, Meta(max_length=200)] = ""


class UnsubscribeRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/push/remove`: turn off push notifications of one of your browsers."""

    id: Annotated[str, Meta(max_length=40)]
