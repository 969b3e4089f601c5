"""How people find each other: what the lobby's stream says, and what is sent to be matched. See `tables` for what holds of all."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from diamonds.server.api.tables import BotSpeed, TimeControlInfo

GameName = Annotated[str, Meta(min_length=1, max_length=40)]
# A clock as people call it: none, one of those suggested for the game and its seats (`GameInfo`), or a day for each decision.
TimeControlName = Literal["none", "fast", "normal", "slow", "day"]


class LobbySeatInfo(Struct):
    """A seat of a table in the lobby: ``open`` to whoever comes, ``kept`` for somebody, a ``bot`` of a level, or a ``person``'s."""

    kind: Literal["open", "kept", "bot", "person"]
    name: str
    level: str | None
    connected: bool


class LobbyTableInfo(Struct):
    """A public table that can be joined (``waiting``) or watched (``playing``) now."""

    id: str
    game: str
    options: dict[str, bool | int | str]
    phase: Literal["waiting", "playing"]
    bot_speed: BotSpeed
    time_control: TimeControlInfo | None
    seat_holders: list[LobbySeatInfo]
    created: float


class SeekInfo(Struct):
    """What somebody would play. After ``bots_after_s`` seconds bots may have the other seats."""

    games: list[str]
    seats: list[int]
    bot_speeds: list[BotSpeed]
    time_controls: list[TimeControlName]
    bots_after_s: int | None


class ListedSeekInfo(Struct):
    """A seek as everybody in the lobby sees it: the display name, and what is sought. ``id`` is new with each seek and says nothing of the person."""

    id: str
    name: str
    games: list[str]
    seats: list[int]
    bot_speeds: list[BotSpeed]
    time_controls: list[TimeControlName]


class FriendInfo(Struct):
    """A friend, and whether they are online: nothing else reveals where they are."""

    name: str
    online: bool


class ChallengeInfo(Struct):
    """Somebody asks somebody to play. ``name`` is the other one; bots have the seats that the two leave."""

    id: str
    name: str
    game: str
    seats: int
    options: dict[str, bool | int | str]
    bot_speed: BotSpeed
    time_control: TimeControlInfo | None


class PersonalLobbyInfo(Struct):
    """What the lobby tells the reader alone: what they ``seek``, and at which table somebody has been found (``matched_table``).

    Whoever has an account (``has_account``) is told of ``friends``, of those who want to be (``friend_requests_in``), of those they have ``blocked``; who
    challenges them (``challenges_in``), and whom they challenge themselves (``challenge_out``).
    """

    seek: SeekInfo | None
    matched_table: str | None
    has_account: bool
    friends: list[FriendInfo]
    friend_requests_in: list[str]
    blocked: list[str]
    challenges_in: list[ChallengeInfo]
    challenge_out: ChallengeInfo | None


class LobbyUpdate(Struct, omit_defaults=True):
    """An event of ``GET /api/lobby``. Its SSE id is the ``version``.

    The first one, and the one for whoever has fallen behind, has all ``tables`` that are shown, in the order in which they came
    to be listed; forget all earlier ones. Any other has the ids of those that are gone (``removed``), and those that came or changed (``upserted``): what is new
    goes to the end. ``hidden_count`` is how many there are besides; ``seek_count`` is how many people look for others now, ``seeks`` the oldest of
    their seeks (the whole list, where it has changed); ``people_count`` is how many people are here, a few seconds late. ``personal`` comes by itself.
    """

    version: int | None = None
    tables: list[LobbyTableInfo] | None = None
    upserted: list[LobbyTableInfo] | None = None
    removed: list[str] | None = None
    hidden_count: int | None = None
    seek_count: int | None = None
    people_count: int | None = None
    seeks: list[ListedSeekInfo] | None = None
    personal: PersonalLobbyInfo | None = None


class SeekRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/seek``: play whichever of these games, numbers of seats, paces and clocks comes first; the ones you like best first.

    ``bots_after_s``: after so many seconds bots may have the seats for which nobody was found. It lasts as long as your lobby's stream, until you sit
    down somewhere, or until `/api/seek/end`; another one takes its place.
    """

    games: Annotated[list[GameName], Meta(min_length=1, max_length=16)]
    seats: Annotated[list[Annotated[int, Meta(ge=2, le=16)]], Meta(min_length=1, max_length=8)]
    bot_speeds: Annotated[list[BotSpeed], Meta(min_length=1, max_length=8)]
    time_controls: Annotated[list[TimeControlName], Meta(min_length=1, max_length=8)] = field(
        default_factory=lambda: ["none"]
    )
    bots_after_s: Annotated[int, Meta(ge=0, le=3600)] | None = None


class CancelSeekRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/seek/end``: look for nobody any more."""


AccountName = Annotated[str, Meta(min_length=1, max_length=40)]


class FriendRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/friends``: ask somebody to be friends, by the name of their account, or agree to it. The reply tells nothing."""

    name: AccountName


class RelationshipRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/relationships``: ``part`` with a friend or with somebody who asks to be one; ``block`` them, or ``unblock`` somebody."""

    name: AccountName
    action: Literal["part", "block", "unblock"]


class BlockSeatRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/block``: block whoever has a seat there, with an account or without."""

    seat: Annotated[int, Meta(ge=0, le=15)]


class ChallengeRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/challenges``: ask somebody who has an account to play, by name. The reply tells nothing; it stands for a minute."""

    name: AccountName
    game: GameName
    seats: Annotated[int, Meta(ge=2, le=16)]
    options: dict[str, bool | int | str] = {}
    bot_speed: BotSpeed = "steady"
    time_control: TimeControlInfo | None = None


class ChallengeCreatedResponse(Struct):
    """What a challenge is called."""

    id: str


class ChallengeAnswerRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/challenges/answer``: agree to a challenge, or not; who asks takes it back by not agreeing."""

    id: Annotated[str, Meta(max_length=40)]
    accept: bool


class ChallengeAnswerResponse(Struct):
    """The table at which the two play now, if they do."""

    table: str | None
