"""Messages about tables: creation, lists, seats, answers, clocks and chat; and the shape of every error.

Requests with unknown fields are refused. A seat is 0 … seats−1; a spectator's seat is `null`. Cards are names (`D7`,
`SK`). An answer is spelled as in records, question first: `"play H7"`, `"count 2"`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

IdempotencyKey = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Position = Annotated[int, Meta(ge=0, le=2**31)]
ChatText = Annotated[str, Meta(min_length=1, max_length=280)]
BotSpeed = Literal["quick", "steady", "calm"]
SuitLetter = Literal["D", "H", "S", "C"]
ChatMode = Literal["all", "phrases", "none"]
Phrase = Literal["hello", "luck", "nice", "well-played", "thanks", "sorry", "oops", "moment", "again", "bye"]

# A message: its id in the catalogs (`diamonds.i18n`), and its arguments, which may themselves be messages.
MessageRef = tuple[str, Mapping[str, Any]]


# Tables and their clocks


class TimeControlInfo(Struct):
    """A time control: `initial_s` seconds for the game plus `increment_s` per decision, or `days_per_move`."""

    initial_s: Annotated[int, Meta(ge=0, le=10_800)] = 0
    increment_s: Annotated[int, Meta(ge=0, le=300)] = 0
    days_per_move: Annotated[int, Meta(ge=0, le=7)] = 0


class ClockStateInfo(Struct):
    """The clocks of a table, at the server's time `now` (in milliseconds since 1970).

    `remaining_ms` has the milliseconds of each seat; `null` for seats without a person. The clocks of the `running`
    seats run; only the time changes them. `timeouts` counts the timeouts of each seat; `forfeited` seats were lost
    on time. While `paused`, nobody can answer.
    """

    now: int
    remaining_ms: list[int | None]
    running: list[int]
    timeouts: list[int]
    forfeited: list[int]
    paused: bool


class NudgeInfo(Struct):
    """A nudge for the player in `seat`, sent `by` another one. It stays until the player answers."""

    seat: int
    by: int


class CreateTableRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables`. `seats_taken_by` has one entry per seat: `me` (for the creator), `open`, or `bot:LEVEL`.

    `substitute_after_s` is the time in seconds after which a bot plays for an absent person; 0 for never. `hints`
    tells whether players may ask for hints; by default, they may while one person plays alone against bots. `bot_speed`
    is the speed of the bots. `time_control` limits the players' time; by default it is unlimited.
    """

    game: str
    seats: int
    options: dict[str, bool | int | str] = {}
    seats_taken_by: list[str] | None = None  # default: the creator first, bots in the other seats
    private: bool = True
    substitute_after_s: Annotated[int, Meta(ge=0, le=86_400)] = 60
    hints: bool | None = None
    bot_speed: BotSpeed = "steady"
    chat_mode: ChatMode = "all"
    time_control: TimeControlInfo | None = None
    idempotency_key: IdempotencyKey | None = None


class SeatInfo(Struct):
    """The holder of a seat.

    `connected` tells whether a person is connected, `substituted` whether a bot plays for them now. An open seat
    has no name, and may be `reserved` for one person. `bot_status` is `ready` while a bot prepares, `simple` while
    a fast bot plays for it, else empty.
    """

    seat: int
    kind: Literal["open", "bot", "person"]
    name: str
    level: str | None
    connected: bool
    substituted: bool
    reserved: bool
    bot_status: Literal["", "ready", "simple"]


class TableSummary(Struct):
    """A table in a list. `your_turn` tells whether you are to act, `withheld` whether others may still play its cards.

    Only the id and the time of creation of a damaged table are known, and only its own people see it.
    """

    id: str
    game: str
    title: str
    seats: int
    options: dict[str, bool | int | str]
    seat_holders: list[SeatInfo]
    phase: Literal["waiting", "playing", "over", "damaged"]
    time_control: TimeControlInfo | None
    your_turn: bool
    withheld: bool
    created: float


class TableListResponse(Struct):
    """`GET /api/tables`: public tables, newest first, and your own."""

    tables: list[TableSummary]
    your_tables: list[TableSummary]


class ForkInfo(Struct):
    """The game that a table continues: the commitment of its deals, and the number of answers taken from it."""

    commitment: str
    n: int


class TableMatchInfo(Struct):
    """A table's duplicate match, the number of its deal there, from 0, and the number of deals.

    While `withheld`, only the players see the table, and its record, replay and review are withheld. `closed` means
    that the match was ended before this game.
    """

    id: str
    deal: int
    deals: int
    withheld: bool
    closed: bool


class TableInfo(Struct):
    """Everything about a table besides its game.

    `hints` tells whether players may ask for hints now, `bot_speed` how fast bots answer. `chat_mode` allows all
    chat, only phrases, or none; `chat_disabled` means that partners are playing, so nobody may post now (C23).
    `former_player` means that the viewer has left a seat: until the game is over they read only the players' chat.
    `invite` is for the host. `reserved_seat` is the seat reserved for the viewer. `fork` is set if the game
    continues another one, so its cards were known. `daily` is the day (UTC) of a deal of the day: until its end
    nobody else sees the table, and its record, replay and review are withheld. `match` is set at a table of a duplicate
    match. `rematch_table` is the table of the same people's next game. `spectators` is the number of spectators.
    """

    id: str
    game: str
    title: str
    seats: int
    options: dict[str, bool | int | str]
    seat_holders: list[SeatInfo]
    phase: Literal["waiting", "playing", "over"]
    private: bool
    substitute_after_s: int
    hints: bool
    bot_speed: BotSpeed
    chat_mode: ChatMode
    chat_disabled: bool
    former_player: bool
    time_control: TimeControlInfo | None
    is_host: bool
    invite: str | None
    reserved_seat: int | None
    commitment: str
    fork: ForkInfo | None
    daily: str | None
    match: TableMatchInfo | None
    rematch_table: str | None
    spectators: int
    proposal: ProposalInfo | None
    chat: list[ChatMessageInfo]


class ProposalInfo(Struct):
    """A proposal that others vote on.

    Kinds: `undo`, a seat for the proposer (`sit`), another bot or none (`bot`), a `pause` of the clocks, or a bot's
    `answer` for a player. `name` is the proposer; `is_yours` tells whether that is the viewer. `seat` is the one
    that undoes, changes, or gets an answer; `to` is the n of an undo, `level` that of a bot. The seats in
    `waiting_for` have yet to accept.
    """

    id: int
    kind: Literal["undo", "sit", "bot", "pause", "answer"]
    name: str
    is_yours: bool
    seat: int
    to: int | None
    level: str | None
    waiting_for: list[int]


class ChatMessageInfo(Struct):
    """A chat message: a `text` or a `phrase`. Players can read messages marked `spectators_only` after the game.

    `speaker` is the same for all lines of one person at this table, and reveals nothing else; empty if the person
    is unknown.
    """

    name: str
    speaker: str
    at: float
    text: str = ""
    phrase: Phrase | None = None
    spectators_only: bool = False


# Playing


class EventInfo(Struct):
    """An event of entry n, or of the first deal (0); in a replay, n counts answers. Hidden values are `null`.

    An event of the game has the message id `GAME-EVENT`, or `GAME-EVENT-hidden` if values are hidden. Other events
    have a `text`, which names people without a seat.
    """

    n: int
    event: dict[str, Any]
    text: MessageRef | None = None


class IllegalCardsInfo(Struct):
    """Cards in hand that are not legal, and why."""

    cards: list[str]
    text: MessageRef


class OpenQuestionInfo(Struct):
    """The viewer's open question, with the message id `GAME-question-QUESTION`.

    It has the legal answers by name, and the other cards in hand with the reason why they are `illegal` (R1).
    """

    question: str
    legal: list[int | str]
    illegal: list[IllegalCardsInfo]


class TableUpdate(Struct):
    """A table update: the one message for first load, change and reconnect. Its SSE id is `version`.

    `n` counts entries; `version` increases with every change at the table. `events` are those since the viewer's
    version; on first load, since the last deal. `oldest_visible` is the n of the oldest entry that may still be
    shown: clients drop older events from their logs (C14). An undo is an entry too, so n never decreases.
    `undo_last` is the n before the viewer's own last answer, the target of an undo, free or proposed; `undo_min` is
    the first n to which the viewer may undo without consent; `null` if there is nothing to undo. `result` comes
    with the end, as in a record. `clocks` is set if the table has clocks; `nudges` lists players who were nudged.
    The view tells who is to act (`to_act`) on which `question`.
    """

    version: int
    n: int
    seat: int | None
    view: dict[str, Any] | None
    events: list[EventInfo]
    oldest_visible: int
    open_question: OpenQuestionInfo | None
    undo_min: int | None
    undo_last: int | None
    result: dict[str, Any] | None
    table: TableInfo
    clocks: ClockStateInfo | None
    nudges: list[NudgeInfo]


class SitRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/sit`: take a seat; by default the one reserved for you, or the first open one.

    Private tables need the `invite`. Before the deal, send your own hexadecimal `nonce` (possibly empty). Later, you
    return to the seat you left or propose to take one, which the others must accept.
    """

    seat: int | None = None
    invite: str | None = None
    nonce: Annotated[str, Meta(max_length=128, pattern="^([0-9a-f]{2})*$")] | None = None
    idempotency_key: IdempotencyKey | None = None


class StandRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/stand`: leave your seat. During a game it stays reserved for you, and a bot plays on."""

    idempotency_key: IdempotencyKey | None = None


class SetBotRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/bot`: seat a bot (`level`) on an open seat, or remove one with `level: null`.

    Once cards are dealt, this is a proposal that the others have to accept.
    """

    seat: int
    level: str | None
    idempotency_key: IdempotencyKey | None = None


class SetBotSpeedRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/bot-speed`: change the speed of the bots (host only)."""

    bot_speed: BotSpeed
    idempotency_key: IdempotencyKey | None = None


class SetChatModeRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/chat-mode`: change the chat mode (host only)."""

    chat_mode: ChatMode
    idempotency_key: IdempotencyKey


class RematchRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/rematch`: the table where the same people play next, each moved by one seat.

    The first request creates it.
    """

    idempotency_key: IdempotencyKey | None = None


class FastForwardRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/fast-forward`: skip bot delays until your next question, if you play alone against bots."""


class AnswersRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/answers`: one or several answers, applied all or none; each but the last must be silent.

    `n` is that of the view they are based on. `thinking_ms` is the time in milliseconds for which the question was
    shown. Of the remaining time since the question, up to half a second is credited to the clock as network time.
    """

    n: Position
    answers: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=8)]
    idempotency_key: IdempotencyKey
    thinking_ms: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class PlannedAnswerInfo(Struct, forbid_unknown_fields=True):
    """A planned answer, such as `play S4`, to your next question in the current trick.

    It is given if this `suit` is led; `null` means any suit.
    """

    answer: Annotated[str, Meta(max_length=40, pattern="^[a-z_]+ [A-Za-z0-9_]+$")]
    suit: SuitLetter | None = None


class AnswerPlanRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/plan`: plan answers, at a table with days per move. An empty list cancels the plan.

    `plays_forced`: the server gives the only answer that your hand allows, with a delay that reveals nothing.
    """

    plays_forced: bool | None = None
    answers: Annotated[list[PlannedAnswerInfo], Meta(max_length=5)] | None = None


class AnswerPlanResponse(Struct):
    """`GET /api/tables/ID/plan`: your plan, which nobody else sees. Planned answers end with the trick."""

    plays_forced: bool
    answers: list[PlannedAnswerInfo]


class UndoRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/undo`: undo to n = `to`, or propose it."""

    n: Position
    to: Position
    idempotency_key: IdempotencyKey


class ProposalVoteRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/proposal`: accept or reject a proposal, given by its id.

    The proposer withdraws it by rejecting.
    """

    proposal: Position
    accept: bool
    idempotency_key: IdempotencyKey


class ChatRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/chat`: a text or a phrase."""

    idempotency_key: IdempotencyKey
    text: ChatText | None = None
    phrase: Phrase | None = None


class PauseRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/pause`: propose to pause the clocks, or resume them."""

    on: bool
    idempotency_key: IdempotencyKey | None = None


class NudgeRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/nudge`: remind a player that everyone is waiting for them."""

    seat: int


class SubstituteRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/substitute`: propose that a bot answers for an idle player."""

    seat: int
    idempotency_key: IdempotencyKey | None = None


class ForkRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/fork`: create a private table with bots that continues a finished game after n answers."""

    n: Position
    seat: int
    level: str
    idempotency_key: IdempotencyKey | None = None


class TableCreatedResponse(Struct):
    """A new table. `commitment` is the SHA-256 of its secret. `invite` is empty if nobody can be invited."""

    id: str
    invite: str
    commitment: str


class CommittedResponse(Struct):
    """The response to a durable change, with the table's current `n` and `version`."""

    n: int
    version: int


class ErrorResponse(Struct):
    """Every error: a sentence that says what to do, in the language of the request (`Accept-Language`).

    `id` and `args` are the same message as data; an argument that is a message itself is a pair of id and
    arguments. A 409 contains the viewer's current `update`.
    """

    error: str
    id: str
    args: dict[str, Any]
    update: TableUpdate | None = None
