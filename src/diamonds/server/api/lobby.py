"""Messages about the lobby: its stream, seeks, friends and challenges. See `tables` for common rules."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from diamonds.server.api.tables import BotSpeed, TimeControlInfo

GameName = Annotated[str, Meta(min_length=1, max_length=40)]
# None, one of the suggested time controls of the game (`GameInfo`), or a day per move.
TimeControlName = Literal["none", "fast", "normal", "slow", "day"]


class LobbySeatInfo(Struct):
    """A seat of a table in the lobby: `open` to anyone, `kept` for a person, a `bot` of a level, or a `person`'s."""

    kind: Literal["open", "kept", "bot", "person"]
    name: str
    level: str | None
    connected: bool


class LobbyTableInfo(Struct):
    """A public table to join (`waiting`) or watch (`playing`)."""

    id: str
    game: str
    options: dict[str, bool | int | str]
    phase: Literal["waiting", "playing"]
    bot_speed: BotSpeed
    time_control: TimeControlInfo | None
    seat_holders: list[LobbySeatInfo]
    created: float


class SeekInfo(Struct):
    """Your seek. After `bots_after_s` seconds, bots may take the other seats."""

    games: list[str]
    seats: list[int]
    bot_speeds: list[BotSpeed]
    time_controls: list[TimeControlName]
    bots_after_s: int | None


class ListedSeekInfo(Struct):
    """A seek as everyone in the lobby sees it, with the display name.

    `id` is new with each seek and independent of the person.
    """

    id: str
    name: str
    games: list[str]
    seats: list[int]
    bot_speeds: list[BotSpeed]
    time_controls: list[TimeControlName]


class FriendInfo(Struct):
    """A friend, and whether they are online."""

    name: str
    online: bool


class ChallengeInfo(Struct):
    """A challenge to or from you. `name` is the other person; bots take the remaining seats."""

    id: str
    name: str
    game: str
    seats: int
    options: dict[str, bool | int | str]
    bot_speed: BotSpeed
    time_control: TimeControlInfo | None


class PersonalLobbyInfo(Struct):
    """The private part of the lobby: your `seek`, and the table where you were matched (`matched_table`).

    With an account (`has_account`) it also has your `friends`, `friend_requests_in`, `blocked` people, and
    challenges to you (`challenges_in`) and from you (`challenge_out`).
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
    """An event of `GET /api/lobby`. Its SSE id is the `version`.

    The first event, and any after a missed one, lists all visible `tables` in display order; the list replaces earlier
    ones. Other events have the ids of tables that are gone (`removed`) and the tables that are new or changed
    (`upserted`); new ones go to the end. `hidden_count` is the number of tables not shown, `seek_count` the number
    of people with a seek, and `seeks` the oldest seeks (the whole list, when it has changed). `people_count` is the
    number of connected people, a few seconds late. `personal` comes in an event of its own.
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
    """`POST /api/seek`: play any of these games, seat counts, bot speeds and time controls, in order of preference.

    After `bots_after_s` seconds, bots may take the seats left. A seek lasts as long as your lobby stream, until you
    sit down somewhere, or until `/api/seek/end`; a new seek replaces it.
    """

    games: Annotated[list[GameName], Meta(min_length=1, max_length=16)]
    seats: Annotated[list[Annotated[int, Meta(ge=2, le=16)]], Meta(min_length=1, max_length=8)]
    bot_speeds: Annotated[list[BotSpeed], Meta(min_length=1, max_length=8)]
    time_controls: Annotated[list[TimeControlName], Meta(min_length=1, max_length=8)] = field(
        default_factory=lambda: ["none"]
    )
    bots_after_s: Annotated[int, Meta(ge=0, le=3600)] | None = None


class CancelSeekRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/seek/end`: end your seek."""


AccountName = Annotated[str, Meta(min_length=1, max_length=40)]


class FriendRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/friends`: send a friend request to an account by name, or accept one. The reply is always the same."""

    name: AccountName


class RelationshipRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/relationships`: `part` with a friend or decline a request, `block` or `unblock` someone."""

    name: AccountName
    action: Literal["part", "block", "unblock"]


class BlockSeatRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/block`: block the person in a seat, with or without an account."""

    seat: Annotated[int, Meta(ge=0, le=15)]


class ChallengeRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/challenges`: challenge an account by name. It is open for a minute. The reply is always the same."""

    name: AccountName
    game: GameName
    seats: Annotated[int, Meta(ge=2, le=16)]
    options: dict[str, bool | int | str] = {}
    bot_speed: BotSpeed = "steady"
    time_control: TimeControlInfo | None = None


class ChallengeCreatedResponse(Struct):
    """The id of a challenge."""

    id: str


class ChallengeAnswerRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/challenges/answer`: accept or decline a challenge; the challenger withdraws it by declining."""

    id: Annotated[str, Meta(max_length=40)]
    accept: bool


class ChallengeAnswerResponse(Struct):
    """The table where both play now; `null` if the challenge was declined."""

    table: str | None
