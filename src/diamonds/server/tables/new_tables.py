"""Header and seating of new tables: from requests, for matched people, for rematches, forks and imported games."""

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
from diamonds.server.tables.core.clocks import DAYS_PER_MOVE, MIN_INITIAL_S, TimeControl
from diamonds.server.tables.core.entry_log import seat_of
from diamonds.server.tables.core.seating import ForkOrigin, SeatHolder, SeatsAndSettings, TableHeader, host_settings
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.opened_records import ImportableGame


def table_from_request(request: messages.CreateTableRequest, person: str) -> tuple[TableHeader, SeatsAndSettings]:
    """Return header and seating for a request, with a new secret. Raise `DiamondsError` if the request is invalid."""
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
    return header, SeatsAndSettings(seats, **host_settings(request))


def table_for_pairing(
    game: Game,
    seats: int,
    people: Sequence[str],
    bot_speed: messages.BotSpeed,
    options: Mapping[str, Any] = {},
    private: bool = False,
    no_show_action: Literal["open", "bot"] = "open",
    time_control: TimeControlInfo | None = None,
) -> tuple[TableHeader, SeatsAndSettings]:
    """Return a table for people who were matched, with a reserved seat for each and bots in the others.

    The first person is the host. `no_show_action` determines what happens to the seat of a person who does not come
    (see `SeatsAndSettings`).
    """
    holders = [SeatHolder("open", person) for person in people]
    holders += [SeatHolder("bot", "", levels.fast_bot_name(game)) for _ in range(seats - len(people))]
    header = _new_header(game, seats, game.check_options(seats, options), people[0], private, 60, None)
    header.time_control = time_control_from_request(time_control)
    return header, SeatsAndSettings(holders, bot_speed=bot_speed, no_show_action=no_show_action)


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
        bots_version=levels.bots_version(game),
    )


def time_control_from_request(request: TimeControlInfo | None) -> TimeControl | None:
    """Return the time control of a request. Raise `InvalidInputError` if it is invalid."""
    if request is None:
        return None
    is_live = request.initial_s >= MIN_INITIAL_S and not request.days_per_move
    is_days = request.days_per_move in DAYS_PER_MOVE and not request.initial_s and not request.increment_s
    if not is_live and not is_days:
        raise InvalidInputError("table-clock-form", least=MIN_INITIAL_S)
    return TimeControl(request.initial_s, request.increment_s, request.days_per_move)


def rematch_table(table: Table, person: str) -> tuple[TableHeader, SeatsAndSettings]:
    """Return the next table of the same people.

    Everyone moves one seat to the left; the seats are reserved until the host releases them.
    """
    for holder in table.seating.seats:
        if holder.kind == "bot":
            levels.find_level(holder.level, table.game)
    seats = [_rematch_holder(holder) for holder in table.seating.seats]
    header = msgspec.structs.replace(
        table.header,
        secret=deals.new_secret().hex(),
        bots_version=levels.bots_version(table.game),
        invite=secrets.token_urlsafe(16),
        host=person,
        created=time.time(),
        version=table.game.version,
        fork=None,
    )
    return header, SeatsAndSettings([*seats[-1:], *seats[:-1]], **host_settings(table.seating))


def _rematch_holder(holder: SeatHolder) -> SeatHolder:
    """Return the holder of a seat in the next game. The seat of a person who has left is open."""
    if holder.kind == "bot":
        return SeatHolder("bot", "", holder.level)
    return SeatHolder("open", holder.person if holder.kind == "person" else "")


def fork_table(
    table: Table, request: messages.ForkRequest, person: str
) -> tuple[TableHeader, SeatsAndSettings, tuple[tuple[int, str], ...]]:
    """Return the table for a `ForkRequest`: header, seating, and the answers so far (seat, text), with the same deals.

    Its cards are known, so only the requesting person and bots play there; nobody can be invited, and it shows its
    origin.
    """
    if not table.is_over:
        raise NotAllowedError("table-play-on-not-over")
    table.check_not_withheld()
    answers = table.log.effective_answers()
    if not 0 <= request.n < len(answers):
        raise InvalidInputError("table-moments", last=len(answers) - 1)
    if not 0 <= request.seat < table.header.seats:
        raise InvalidInputError("table-no-such-seat")
    levels.find_level(request.level, table.game)
    nonces = table.seating.nonces
    seats = [
        SeatHolder("person", person, "", nonce) if seat == request.seat else SeatHolder("bot", "", request.level, nonce)
        for seat, nonce in enumerate(nonces)
    ]
    origin = table.header.fork or ForkOrigin(deals.commit(table.game_state.secret), request.n)
    fork = ForkOrigin(origin.commitment, min(origin.n, request.n))
    header = msgspec.structs.replace(
        table.header, invite="", host=person, private=True, created=time.time(), time_control=None, fork=fork, daily="",
        is_practice=False, match=None,
        bots_version=levels.bots_version(table.game),
    )  # fmt: skip
    entries = tuple((seat_of(entry), table.log.entry_text(entry)) for _, entry in answers[: request.n])
    return header, SeatsAndSettings(seats, list(nonces), bot_speed=table.seating.bot_speed), entries


def imported_table(
    imported: ImportableGame, person: str
) -> tuple[TableHeader, SeatsAndSettings, tuple[tuple[int, str], ...]]:
    """Return the table of an imported game of one person against bots.

    Only that person can see it, and it is marked as a game with known cards.
    """
    for holder_id in imported.seat_holders:
        if holder_id != "person":
            levels.find_level(holder_id.partition(":")[2], find_game(imported.game))
    seats = [
        SeatHolder("person", person, "", nonce)
        if holder_id == "person"
        else SeatHolder("bot", "", holder_id.partition(":")[2], nonce)
        for holder_id, nonce in zip(imported.seat_holders, imported.nonces, strict=True)
    ]
    header = TableHeader(
        imported.game, imported.seats, imported.options, imported.secret, "", person, True, 0, time.time(),
        version=imported.version, bots_version=imported.bots_version, fork=ForkOrigin(imported.fork.commitment, imported.fork.n),
    )  # fmt: skip
    return header, SeatsAndSettings(seats, list(imported.nonces)), imported.answers


def _holder_from_request(seat_request: str, person: str, game: Game) -> SeatHolder:
    """Return the seat holder for an entry of `CreateTableRequest`.

    The creator sits down later, with a nonce, once the commitment is known.
    """
    if seat_request == "me":
        return SeatHolder("open", person)
    if seat_request == "open":
        return SeatHolder()
    kind, _, level = seat_request.partition(":")
    if kind != "bot":
        raise InvalidInputError("table-place-form")
    try:
        levels.find_level(level, game)
    except NotFoundError as error:
        raise InvalidInputError(error.message.id, **error.message.args) from None
    return SeatHolder("bot", "", level)
