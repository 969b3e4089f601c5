"""What you are told wherever you are: where it is your turn, who asks you to play, and how you are reminded of games over days."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from diamonds.server.api.lobby import ChallengeInfo


class TurnInfo(Struct):
    """A table at which it is your turn; ``deadline_ms`` is when your time is up, by the server's clock (milliseconds since 1970), where there is a clock.

    ``days_per_move`` are those that there are for each decision, 0 with a live clock or none.
    """

    table: str
    game: str
    others: list[str]
    deadline_ms: int | None
    days_per_move: int


class TurnFeedUpdate(Struct):
    """Where it is your turn, those tables first at which you have least time left, those without a clock last, and who challenges you (``challenges_in``); ``now`` is the server's time."""

    now: int
    turns: list[TurnInfo]
    challenges_in: list[ChallengeInfo]


class PushSubscriptionInfo(Struct):
    """A browser that takes messages; ``current`` is the one that asks."""

    id: str
    label: str
    created_day: int
    current: bool


class QuietHoursRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/push/quiet``: when no message is to come, in minutes of the day in a time zone (``Europe/Berlin``); alike: never."""

    start_minute: Annotated[int, Meta(ge=0, le=1439)]
    end_minute: Annotated[int, Meta(ge=0, le=1439)]
    time_zone: Annotated[str, Meta(min_length=1, max_length=60)]


class PushResponse(Struct):
    """``GET /api/push``: the key by which push services know this server, your browsers that take messages, and your quiet hours."""

    key: str
    subscriptions: list[PushSubscriptionInfo]
    quiet_hours: QuietHoursRequest | None


class SubscribeRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/push``: this browser takes messages when it is your turn; the rest is as its `PushSubscription` says it."""

    endpoint: Annotated[str, Meta(min_length=10, max_length=1000)]
    p256dh: Annotated[str, Meta(min_length=80, max_length=100)]
    auth: Annotated[str, Meta(min_length=16, max_length=40)]
    label: Annotated[str, Meta(max_length=200)] = ""


class UnsubscribeRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/push/remove``: a browser of yours takes no messages any more."""

    id: Annotated[str, Meta(max_length=40)]
