"""Messages about tables: creating, listing, seats, answers, clocks and chat; and the shape of every error.

Requests refuse unknown fields. A seat is 0 … seats−1; a spectator's seat is ``null``. Cards are names (``D7``, ``SK``).
An answer is spelled as in records, question first: ``"play H7"``, ``"count 2"``.
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

# A sentence: its id in the catalogues (`diamonds.i18n`), and its values, of which one may be a sentence itself.
MessageRef = tuple[str, Mapping[str, Any]]


# Tables and their clocks.


class TimeControlInfo(Struct):
    """How much time there is: ``initial_s`` seconds for the game and ``increment_s`` more for each decision; or ``days_per_move`` days for each."""

    initial_s: Annotated[int, Meta(ge=0, le=10_800)] = 0
    increment_s: Annotated[int, Meta(ge=0, le=300)] = 0
    days_per_move: Annotated[int, Meta(ge=0, le=7)] = 0


class ClockStateInfo(Struct):
    """The clocks of a table, at the server's time ``now`` (in milliseconds since 1970).

    ``remaining_ms`` has each person's milliseconds; a seat that no person has, has no clock. Those of the seats in ``running`` run, and nothing but
    the time changes them. ``timeouts`` counts the time-outs of each seat, and the seats in ``forfeited`` were lost by them. When it is ``paused``,
    nobody answers.
    """

    now: int
    remaining_ms: list[int | None]
    running: list[int]
    timeouts: list[int]
    forfeited: list[int]
    paused: bool


class NudgeInfo(Struct):
    """Somebody whom all wait for is reminded of it, ``by`` another seat; until they have answered."""

    seat: int
    by: int


class CreateTableRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables``. ``seats_taken_by`` has one entry a seat: ``me`` (kept for whoever makes the table), ``open``, or ``bot:LEVEL``.

    ``substitute_after_s`` is the number of seconds after which a bot plays for someone who is gone; 0 for never. ``hints`` says
    whether those who play may ask for hints; by default, as long as one person plays against bots. ``bot_speed`` is how fast bots
    answer. ``time_control`` is how much time those who play have; by default, as much as they like.
    """

    game: str
    seats: int
    options: dict[str, bool | int | str] = {}
    seats_taken_by: list[str] | None = None  # by default: me, and bots
    private: bool = True
    substitute_after_s: Annotated[int, Meta(ge=0, le=86_400)] = 60
    hints: bool | None = None
    bot_speed: BotSpeed = "steady"
    chat_mode: ChatMode = "all"
    time_control: TimeControlInfo | None = None
    idempotency_key: IdempotencyKey | None = None


class SeatInfo(Struct):
    """Who has a seat. ``connected`` says whether a person is connected; ``substituted`` whether a bot plays for them now.

    An open seat has no name, and may be ``reserved`` for someone, who alone may take it. ``bot_status`` says of a bot that it gets ``ready`` to think, or
    that for now ``simple`` plays for it; else it is empty.
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
    """One line of the lobby. Of a table that is damaged only its id is known, and when it was made; it is listed for its people.

    ``your_turn`` is whether the game waits for the reader.
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
    created: float


class TableListResponse(Struct):
    """``GET /api/tables``: public tables, newest first, and the caller's own."""

    tables: list[TableSummary]
    your_tables: list[TableSummary]


class ForkInfo(Struct):
    """Which game a table plays on from: the commitment of its deals, and after how many of its answers."""

    commitment: str
    n: int


class TableInfo(Struct):
    """What is true of a table besides its game.

    ``hints`` is whether those who play may ask for hints now, ``bot_speed`` how fast bots answer, ``chat_mode`` what may be said
    here: anything, ready phrases, nothing; and ``chat_disabled`` says that partners play, to whom nobody talks now (C23). ``former_player`` says that
    the reader has left a seat: chat is closed to them until the game is over, but for what players say. ``invite`` is told to whoever made the table. ``reserved_seat`` is the
    seat that is kept for the reader. ``fork`` is there if the game is played on from another one: its cards were known. ``rematch_table`` is the table
    at which the same people play the next game.
    ``spectators`` is how many spectators there are.
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
    rematch_table: str | None
    spectators: int
    proposal: ProposalInfo | None
    chat: list[ChatMessageInfo]


class ProposalInfo(Struct):
    """What waits for the consent of others: a step back (``undo``), a seat (``sit``), another bot or none (``bot``), that clocks stand
    still (``pause``), or that a bot answers for somebody (``answer``).

    ``name`` asks, and ``is_yours`` says whether that is the reader. ``seat`` is whose step it is, the seat that is to change, or for which a bot answers;
    ``to`` the n of an undo, ``level`` that of a bot. The seats in ``waiting_for`` still have to agree.
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
    """Something said at a table: a ``text``, or a ready ``phrase``; ``spectators_only`` marks what a spectator said, which players read when the game is over.

    ``speaker`` is the same for all that one person says at this table, and says nothing else; empty where it is not known whose it is.
    """

    name: str
    speaker: str
    at: float
    text: str = ""
    phrase: Phrase | None = None
    spectators_only: bool = False


# Playing.


class EventInfo(Struct):
    """An event: after which answer, and what is heard of it; what may not be heard is ``null``.

    An event of the game is a sentence as it stands: its id is ``GAME-EVENT``, or ``GAME-EVENT-hidden`` if something is not heard.
    Any other comes with its ``text``; there a person who has no seat stands by name.
    """

    n: int
    event: dict[str, Any]
    text: MessageRef | None = None


class IllegalCardsInfo(Struct):
    """Cards in hand that are not legal, and why."""

    cards: list[str]
    text: MessageRef


class OpenQuestionInfo(Struct):
    """The question put to the reader (its sentence is ``GAME-question-QUESTION``): the legal answers by name, and which of the other
    cards in hand are ``illegal``, and why (R1)."""

    question: str
    legal: list[int | str]
    illegal: list[IllegalCardsInfo]


class TableUpdate(Struct):
    """First load, update and reconnect are this one message. Its SSE id is ``version``.

    ``n`` counts answers; ``version`` grows with everything that happens at the table. ``events`` is what happened since the
    reader's version; on first load, since the last deal. ``oldest_visible`` is the n of the oldest entry of which something may
    still be shown: whoever keeps a log forgets what is older (C14). An undo is an entry too: n never shrinks.
    ``undo_last`` is the n before the reader's own last answer, to step back to at will or by asking; ``undo_min`` the
    n from which on the reader may step back at will to own decisions; ``None`` where there is nothing to undo. ``result`` comes with the
    end, as in a record. ``clocks`` are there where the table has some, and ``nudges`` where somebody is reminded. The view says who owes an answer (``to_act``), and to which ``question``.
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
    """``POST /api/tables/ID/sit``: take a seat (by default the one kept for you, or the first open one).

    Private tables need the invite's token. Until the cards are dealt a ``nonce`` of your own is needed, in hexadecimal;
    it may be empty. Afterwards you return to the seat that you left, or ask for one: it is yours when the others agree.
    """

    seat: int | None = None
    invite: str | None = None
    nonce: Annotated[str, Meta(max_length=128, pattern="^([0-9a-f]{2})*$")] | None = None
    idempotency_key: IdempotencyKey | None = None


class StandRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/stand``: leave your seat. During a game it is kept for you, and a bot plays on."""

    idempotency_key: IdempotencyKey | None = None


class SetBotRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/bot``: sit a bot of a level on an open seat, or with ``level: null`` send it away.

    Once cards are dealt this asks for it: it is done when the others agree.
    """

    seat: int
    level: str | None
    idempotency_key: IdempotencyKey | None = None


class SetBotSpeedRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/bot-speed``: how fast the bots answer from now on; it is for whoever made the table to say."""

    bot_speed: BotSpeed
    idempotency_key: IdempotencyKey | None = None


class SetChatModeRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/chat-mode``: what may be said at the table from now on; it is for whoever made the table to say."""

    chat_mode: ChatMode
    idempotency_key: IdempotencyKey


class RematchRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/rematch``: the next game of the same people, each one seat on; whoever asks first makes its table."""

    idempotency_key: IdempotencyKey | None = None


class FastForwardRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/fast-forward``: bots answer at once until you are asked again, where you alone play against bots."""


class AnswersRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/answers``: one or several answers, applied all or none; each but the last shows and ends nothing.

    ``n`` is the n of the view they rest on. ``thinking_ms`` is how many milliseconds the question lay before whoever answers: of what it
    took longer until the answer came, clocks give back up to half a second."""

    n: Position
    answers: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=8)]
    idempotency_key: IdempotencyKey
    thinking_ms: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class PlannedAnswerInfo(Struct, forbid_unknown_fields=True):
    """An answer, like ``play S4``, to your next question in the current trick, if the trick asks for this suit; null: for any."""

    answer: Annotated[str, Meta(max_length=40, pattern="^[a-z_]+ [A-Za-z0-9_]+$")]
    suit: SuitLetter | None = None


class PlanRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/plan``: prepare answers where the clock counts days. What is left out stays; an empty list cancels.

    ``plays_forced``: the server gives the only answer that your hand allows, at a time that tells nobody.
    """

    plays_forced: bool | None = None
    answers: Annotated[list[PlannedAnswerInfo], Meta(max_length=5)] | None = None


class PlanResponse(Struct):
    """``GET /api/tables/ID/plan``: what you have prepared; nobody else is told. Planned answers end with the trick."""

    plays_forced: bool
    answers: list[PlannedAnswerInfo]


class UndoRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/undo``: step back to ``to``, or ask for it."""

    n: Position
    to: Position
    idempotency_key: IdempotencyKey


class ProposalVoteRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/proposal``: agree to a wish, named by its id, or not; who asks withdraws it by not agreeing."""

    proposal: Position
    accept: bool
    idempotency_key: IdempotencyKey


class ChatRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/chat``: a text, or else a ready phrase."""

    idempotency_key: IdempotencyKey
    text: ChatText | None = None
    phrase: Phrase | None = None


class PauseRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/pause``: ask that all clocks stand still, or let them go on."""

    on: bool
    idempotency_key: IdempotencyKey | None = None


class NudgeRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/nudge``: remind somebody that all wait for them."""

    seat: int


class SubstituteRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/substitute``: ask the others that a bot answers for somebody who is silent."""

    seat: int
    idempotency_key: IdempotencyKey | None = None


class ForkRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/fork``: a table for oneself and bots, that starts after n answers of a finished game."""

    n: Position
    seat: int
    level: str
    idempotency_key: IdempotencyKey | None = None


class TableCreatedResponse(Struct):
    """A table was made, and its secret fixed: ``commitment`` is its SHA-256. ``invite`` is empty where nobody can be invited."""

    id: str
    invite: str
    commitment: str


class CommittedResponse(Struct):
    """It is done, and durable. ``n`` and ``version`` are the table's now."""

    n: int
    version: int


class ErrorResponse(Struct):
    """Every error: one sentence with what to do, in the language that the request asks for (``Accept-Language``).

    ``id`` and ``args`` are the same as data: which sentence it is, and what stands in it; a value that is a sentence itself is
    a pair of an id and values. For a 409 the reader's current message comes along.
    """

    error: str
    id: str
    args: dict[str, Any]
    update: TableUpdate | None = None
