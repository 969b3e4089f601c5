"""How people find each other: what the lobby's stream says, and what is sent to be matched. See `messages` for what holds of all."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from diamonds.server.api.clocks import Clock
from diamonds.server.api.messages import Pace

GameName = Annotated[str, Meta(min_length=1, max_length=40)]
# A clock as people call it: none, one of those suggested for the game and its seats (`GameInfo`), or a day for each decision.
Timing = Literal["none", "fast", "normal", "slow", "day"]


class LobbySeat(Struct):
    """A seat of a table in the lobby: ``open`` to whoever comes, ``kept`` for somebody, a ``bot`` of a level, or a ``person``'s."""

    kind: Literal["open", "kept", "bot", "person"]
    name: str
    level: str | None
    here: bool


class LobbyTable(Struct):
    """A public table that can be joined (``waiting``) or watched (``playing``) now."""

    id: str
    game: str
    options: dict[str, bool | int | str]
    phase: Literal["waiting", "playing"]
    pace: Pace
    clock: Clock | None
    places: list[LobbySeat]
    created: float


class SeekInfo(Struct):
    """What somebody would play, and with which ``bots_after`` how many seconds bots may have the other seats."""

    games: list[str]
    seats: list[int]
    paces: list[Pace]
    clocks: list[Timing]
    bots_after: int | None


class FriendInfo(Struct):
    """A friend, and whether they are in the house now: no more is told of where anybody is."""

    name: str
    here: bool


class ChallengeInfo(Struct):
    """Somebody asks somebody to play. ``name`` is the other one; bots have the seats that the two leave."""

    id: str
    name: str
    game: str
    seats: int
    options: dict[str, bool | int | str]
    pace: Pace
    clock: Clock | None


class You(Struct):
    """What the lobby tells the reader alone: what they ``seek``, and at which table somebody has been found (``met``).

    Whoever has an ``account`` is told of ``friends``, of those who want to be (``asks``), of those they have ``blocked``; and by
    whom they are ``challenged``, and whom they have ``asked`` to play.
    """

    seek: SeekInfo | None
    met: str | None
    account: bool
    friends: list[FriendInfo]
    asks: list[str]
    blocked: list[str]
    challenged: list[ChallengeInfo]
    asked: ChallengeInfo | None


class LobbyNews(Struct, omit_defaults=True):
    """An event of ``GET /api/lobby``. Its SSE id is the ``version``.

    The first one, and the one for whoever has fallen behind, has all ``tables`` that are shown, in the order in which they came
    to be listed; forget all earlier ones. Any other has those that are ``gone``, and those that came or changed (``put``): what is new
    goes to the end. ``more`` is how many there are besides; ``seeking`` is how many people look for others now. ``you`` comes by itself.
    """

    version: int | None = None
    tables: list[LobbyTable] | None = None
    put: list[LobbyTable] | None = None
    gone: list[str] | None = None
    more: int | None = None
    seeking: int | None = None
    you: You | None = None


class NewSeek(Struct, forbid_unknown_fields=True):
    """``POST /api/seek``: play whichever of these games, numbers of seats, paces and clocks comes first; the ones you like best first.

    ``bots_after``: after so many seconds bots may have the seats for which nobody was found. It lasts as long as your lobby's stream, until you sit
    down somewhere, or until `/api/seek/end`; another one takes its place.
    """

    games: Annotated[list[GameName], Meta(min_length=1, max_length=16)]
    seats: Annotated[list[Annotated[int, Meta(ge=2, le=16)]], Meta(min_length=1, max_length=8)]
    paces: Annotated[list[Pace], Meta(min_length=1, max_length=8)]
    clocks: Annotated[list[Timing], Meta(min_length=1, max_length=8)] = field(default_factory=lambda: ["none"])
    bots_after: Annotated[int, Meta(ge=0, le=3600)] | None = None


class NoSeek(Struct, forbid_unknown_fields=True):
    """``POST /api/seek/end``: look for nobody any more."""


Called = Annotated[str, Meta(min_length=1, max_length=40)]


class AskFriend(Struct, forbid_unknown_fields=True):
    """``POST /api/friends``: ask somebody to be friends, by the name of their account, or agree to it. The reply tells nothing."""

    name: Called


class Around(Struct, forbid_unknown_fields=True):
    """``POST /api/friends/change``: ``part`` with a friend or with somebody who asks to be one; ``block`` them, or ``unblock`` somebody."""

    name: Called
    what: Literal["part", "block", "unblock"]


class BlockAt(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/block``: block whoever has a seat there, with an account or without."""

    seat: Annotated[int, Meta(ge=0, le=15)]


class NewChallenge(Struct, forbid_unknown_fields=True):
    """``POST /api/challenges``: ask somebody who has an account to play, by name. The reply tells nothing; it stands for a minute."""

    name: Called
    game: GameName
    seats: Annotated[int, Meta(ge=2, le=16)]
    options: dict[str, bool | int | str] = {}
    pace: Pace = "steady"
    clock: Clock | None = None


class Challenged(Struct):
    """What a challenge is called."""

    id: str


class AnswerChallenge(Struct, forbid_unknown_fields=True):
    """``POST /api/challenges/answer``: agree to a challenge, or not; who asks takes it back by not agreeing."""

    id: Annotated[str, Meta(max_length=40)]
    agree: bool


class Agreed(Struct):
    """The table at which the two play now, if they do."""

    table: str | None
