"""Tables as they are asked for, and as they are listed."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from diamonds import deals
from diamonds.bots import levels
from diamonds.errors import InvalidInputError, NotAllowedError, NotFoundError
from diamonds.game import Game, find_game
from diamonds.server.api import tables as messages
from diamonds.server.api.tables import TimeControlInfo
from diamonds.server.storage.interface import StoredSummary, StoredTurnState
from diamonds.server.storage.outcomes import DamagedTableError
from diamonds.server.tables.core.clocks import DAYS_PER_MOVE, MIN_INITIAL_S, TimeControl
from diamonds.server.tables.core.entry_log import seat_of
from diamonds.server.tables.core.loading import decode_clock_state, decode_header, decode_seating
from diamonds.server.tables.core.seating import ForkOrigin, SeatHolder, Seating, TableHeader, host_settings
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_info import seat_infos, time_control_info
from diamonds.server.tables.opened_records import ImportableGame

ABANDONED_AFTER_S = 24 * 3600.0  # seconds


def parse_listed(listed: StoredSummary) -> tuple[TableHeader, Seating] | None:
    """What a line says; ``None`` if that cannot be read."""
    try:
        header = decode_header(listed.header)
        return (
            (header, decode_seating(listed.seating, header)) if listed.phase in ("waiting", "playing", "over") else None
        )
    except DamagedTableError:
        return None


def is_listed(table: Table) -> bool:
    """Whether strangers are told of a table: it is public, and they can sit down or watch people play, now.

    So one whose people have all gone is not listed, until one of them is back; nor is one where a person plays bots alone.
    """
    if table.header.private or table.is_over or table.seating.closed_reason:
        return False
    has_people = any(table.presence.is_recently_connected(seat) for seat in table.people_seats)
    if table.phase == "playing":
        return has_people and len(table.people_seats) > 1
    has_host = table.presence.is_host_connected
    return (has_people or has_host) and any(
        holder.kind == "open" and not holder.person for holder in table.seating.seats
    )


def is_abandoned(listed: StoredSummary, table: Table | None) -> bool:
    """Whether a table has waited for so long that its own people are not told of it any more either, unless one is there."""
    has_viewers = table is not None and table.presence.has_viewers
    return listed.phase == "waiting" and time.time() - listed.created > ABANDONED_AFTER_S and not has_viewers


def loaded_summary(table: Table, person: str) -> messages.TableSummary:
    """A table in memory, in a list."""
    listed = StoredSummary(table.id, b"", b"", table.phase, table.header.created)
    return table_summary(listed, (table.header, table.seating), table.names, table, person)


def table_summary(
    listed: StoredSummary,
    parsed: tuple[TableHeader, Seating],
    names: Mapping[str, str],
    table: Table | None,
    person: str,
    turn_state: StoredTurnState | None = None,
) -> messages.TableSummary:
    """A table in a list; ``table`` is the same in memory, if it is there: it knows who is here, and whose turn it is. ``playing`` is what
    is stored of that."""
    header, seating = parsed
    return messages.TableSummary(
        id=listed.table,
        game=header.game,
        title=find_game(header.game).title,
        seats=header.seats,
        options=header.options,
        seat_holders=seat_infos(header, seating, names, table),
        time_control=time_control_info(header),
        phase=listed.phase,  # type: ignore[arg-type]
        your_turn=is_to_act(table, person)
        if table is not None
        else listed.phase == "playing" and is_to_act_stored(person, seating, turn_state),
        created=listed.created,
    )


def is_to_act(table: Table, person: str) -> bool:
    """Whether someone's answer is wanted at a table."""
    seat, state = table.seat_of(person), table.game_state.state
    return seat >= 0 and state is not None and bool(int(state["to_act"]) >> seat & 1)


def is_to_act_stored(person: str, seating: Seating, turn_state: StoredTurnState | None) -> bool:
    """The same of a table that is not in memory. Clocks tell it, or what is kept with each answer; who plays with bots alone is the one
    they wait for."""
    seat = next(
        (seat for seat, holder in enumerate(seating.seats) if (holder.kind, holder.person) == ("person", person)), -1
    )
    if seat < 0 or not seating.has_several_people:
        return seat >= 0
    if turn_state is None:
        return False
    to_act = (
        decode_clock_state(turn_state.clocks, turn_state.clocks_at_ms).running
        if turn_state.clocks
        else turn_state.to_act or 0
    )
    return bool(to_act >> seat & 1)


def damaged_summary(listed: StoredSummary) -> messages.TableSummary:
    """A table in a list of which nothing is known, but that it was there."""
    return messages.TableSummary(listed.table, "", "", 0, {}, [], "damaged", None, False, listed.created)


def table_from_request(request: messages.CreateTableRequest, person: str) -> tuple[TableHeader, Seating]:
    """What `CreateTableRequest` asks for, with a secret of its own; a `DiamondsError` if there is no such table."""
    game = find_game(request.game)
    options = game.check_options(request.seats, request.options)
    seats_taken_by = (
        request.seats_taken_by
        if request.seats_taken_by is not None
        else ["me"] + [f"bot:{levels.fast_bot_name(game)}"] * (request.seats - 1)
    )
    if len(seats_taken_by) != request.seats:
        raise InvalidInputError("table-places", seats=request.seats, number=len(seats_taken_by))
    if seats_taken_by.count("me") > 1:
        raise InvalidInputError("table-one-seat")
    seats = [_holder_from_request(seat_request, person, game) for seat_request in seats_taken_by]
    header = _new_header(
        game, request.seats, options, person, request.private, request.substitute_after_s, request.hints
    )
    header.time_control = time_control_from_request(request.time_control)
    return header, Seating(seats, **host_settings(request))


def table_for_pairing(
    game: Game,
    seats: int,
    people: Sequence[str],
    bot_speed: messages.BotSpeed,
    options: Mapping[str, Any] = {},
    private: bool = False,
    no_show_action: Literal["open", "bot"] = "open",
    time_control: TimeControlInfo | None = None,
) -> tuple[TableHeader, Seating]:
    """A table for people who have found each other: a place is kept for each, and bots have the others. The first of them is its host.

    ``missing`` is what becomes of the place of somebody who does not come (see `Seating`).
    """
    holders = [SeatHolder("open", person) for person in people]
    holders += [SeatHolder("bot", "", levels.fast_bot_name(game)) for _ in range(seats - len(people))]
    header = _new_header(game, seats, game.check_options(seats, options), people[0], private, 60, None)
    header.time_control = time_control_from_request(time_control)
    return header, Seating(holders, bot_speed=bot_speed, no_show_action=no_show_action)


def _new_header(
    game: Game,
    seats: int,
    options: dict[str, Any],
    host: str,
    private: bool,
    substitute_after_s: int,
    hints: bool | None,
) -> TableHeader:
    return TableHeader(
        game=game.name,
        seats=seats,
        options=options,
        secret=deals.new_secret().hex(),
        invite=secrets.token_urlsafe(16),
        host=host,
        private=private,
        substitute_after_s=substitute_after_s,
        created=time.time(),
        hints=hints,
        version=game.version,
    )


def time_control_from_request(request: TimeControlInfo | None) -> TimeControl | None:
    """How much time a table gives."""
    if request is None:
        return None
    is_live = request.initial_s >= MIN_INITIAL_S and not request.days_per_move
    is_days = request.days_per_move in DAYS_PER_MOVE and not request.initial_s and not request.increment_s
    if not is_live and not is_days:
        raise InvalidInputError("table-clock-form", least=MIN_INITIAL_S)
    return TimeControl(request.initial_s, request.increment_s, request.days_per_move)


def rematch_table(table: Table, person: str) -> tuple[TableHeader, Seating]:
    """The same people's next table: each one seat on, with a place that is kept for them until the maker gives it away."""
    for holder in table.seating.seats:
        if holder.kind == "bot":
            levels.find_available_bot(holder.level, table.game)
    seats = [_rematch_holder(holder) for holder in table.seating.seats]
    header = msgspec.structs.replace(
        table.header,
        secret=deals.new_secret().hex(),
        invite=secrets.token_urlsafe(16),
        host=person,
        created=time.time(),
        version=table.game.version,
        fork=None,
    )
    return header, Seating([*seats[-1:], *seats[:-1]], **host_settings(table.seating))


def _rematch_holder(holder: SeatHolder) -> SeatHolder:
    """Who has a seat in the next game; a place that its person has left is open."""
    if holder.kind == "bot":
        return SeatHolder("bot", "", holder.level)
    return SeatHolder("open", holder.person if holder.kind == "person" else "")


def fork_table(
    table: Table, request: messages.ForkRequest, person: str
) -> tuple[TableHeader, Seating, tuple[tuple[int, str], ...]]:
    """What `ForkRequest` asks for: the finished table's own header and deals, and its answers (seat, words) so far.

    Its cards are known, so it is for whoever asks and for bots: nobody is invited to it, and it says where it comes from.
    """
    if not table.is_over:
        raise NotAllowedError("table-play-on-not-over")
    answers = table.log.effective_answers()
    if not 0 <= request.n < len(answers):
        raise InvalidInputError("table-moments", last=len(answers) - 1)
    if not 0 <= request.seat < table.header.seats:
        raise InvalidInputError("table-no-such-seat")
    levels.find_available_bot(request.level, table.game)
    nonces = table.seating.nonces
    seats = [
        SeatHolder("person", person, "", nonce) if seat == request.seat else SeatHolder("bot", "", request.level, nonce)
        for seat, nonce in enumerate(nonces)
    ]
    origin = table.header.fork or ForkOrigin(deals.commit(table.game_state.secret), request.n)
    fork = ForkOrigin(origin.commitment, min(origin.n, request.n))
    header = msgspec.structs.replace(
        table.header, invite="", host=person, private=True, created=time.time(), time_control=None, fork=fork
    )
    entries = tuple((seat_of(entry), table.log.entry_text(entry)) for _, entry in answers[: request.n])
    return header, Seating(seats, list(nonces), bot_speed=table.seating.bot_speed), entries


def imported_table(imported: ImportableGame, person: str) -> tuple[TableHeader, Seating, tuple[tuple[int, str], ...]]:
    """A finished game that was played elsewhere, by one person against bots: for that person alone, and marked as one with known cards."""
    for holder_id in imported.seat_holders:
        if holder_id != "person":
            levels.find_available_bot(holder_id.partition(":")[2], find_game(imported.game))
    seats = [
        SeatHolder("person", person, "", nonce)
        if holder_id == "person"
        else SeatHolder("bot", "", holder_id.partition(":")[2], nonce)
        for holder_id, nonce in zip(imported.seat_holders, imported.nonces, strict=True)
    ]
    header = TableHeader(
        imported.game, imported.seats, imported.options, imported.secret, "", person, True, 0, time.time(),
        version=imported.version, fork=ForkOrigin(imported.fork.commitment, imported.fork.n),
    )  # fmt: skip
    return header, Seating(seats, list(imported.nonces)), imported.answers


def _holder_from_request(seat_request: str, person: str, game: Game) -> SeatHolder:
    """A place as asked for in `CreateTableRequest`: whoever makes the table sits down later, with a nonce, knowing the commitment."""
    if seat_request == "me":
        return SeatHolder("open", person)
    if seat_request == "open":
        return SeatHolder()
    kind, _, level = seat_request.partition(":")
    if kind != "bot":
        raise InvalidInputError("table-place-form")
    try:
        levels.find_available_bot(level, game)
    except NotFoundError as error:
        raise InvalidInputError(error.message.id, **error.message.args) from None
    return SeatHolder("bot", "", level)
