"""Tables as they are asked for, and as they are listed."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from diamonds import deals
from diamonds.bots import levels
from diamonds.game import Game, Illegal, Malformed, Unknown, find_game
from diamonds.server.api import messages
from diamonds.server.api.clocks import Clock
from diamonds.server.store.contract import Damaged, Listed, Playing
from diamonds.server.table.clocks import DAYS, LEAST_START, Control
from diamonds.server.table.entries import seat_of
from diamonds.server.table.header import Fork, Header
from diamonds.server.table.info import places_of
from diamonds.server.table.loading import decode_clocks, read_header, read_places
from diamonds.server.table.places import Places, SeatHolder
from diamonds.server.table.table import Table
from diamonds.server.work.elsewhere import Brought

WAITS = 24 * 3600.0  # seconds


def read_line(line: Listed) -> tuple[Header, Places] | None:
    """What a line says; ``None`` if that cannot be read."""
    try:
        head = read_header(line.header)
        return (head, read_places(line.places, head)) if line.phase in ("waiting", "playing", "over") else None
    except Damaged:
        return None


def is_listed(table: Table) -> bool:
    """Whether strangers are told of a table: it is public, and they can sit down or watch people play, now.

    So one whose people have all gone is not listed, until one of them is back; nor is one where a person plays bots alone.
    """
    if table.header.private or table.over or table.places.closed:
        return False
    people = any(table.here.was_lately(seat) for seat in table.persons)
    if table.phase == "playing":
        return people and len(table.persons) > 1
    maker = table.here.host_reads
    return (people or maker) and any(place.kind == "open" and not place.person for place in table.places.seats)


def has_waited_in_vain(line: Listed, table: Table | None) -> bool:
    """Whether a table has waited for so long that its own people are not told of it any more either, unless one is there."""
    here = table is not None and table.here.is_read
    return line.phase == "waiting" and time.time() - line.created > WAITS and not here


def open_line(table: Table, reader: str) -> messages.TableLine:
    """A table in memory, in a list."""
    line = Listed(table.id, b"", b"", table.phase, table.header.created)
    return table_line(line, (table.header, table.places), table.names, table, reader)


def table_line(
    line: Listed,
    read: tuple[Header, Places],
    names: Mapping[str, str],
    table: Table | None,
    reader: str,
    playing: Playing | None = None,
) -> messages.TableLine:
    """A table in a list; ``table`` is the same in memory, if it is there: it knows who is here, and whose turn it is. ``playing`` is what
    is stored of that."""
    head, who = read
    return messages.TableLine(
        id=line.table,
        game=head.game,
        title=find_game(head.game).title,
        seats=head.seats,
        options=head.options,
        places=places_of(head, who, names, table),
        clock=clock_info(head),
        phase=line.phase,  # type: ignore[arg-type]
        turn=waits_for(table, reader) if table is not None else line.phase == "playing" and owes(reader, who, playing),
        created=line.created,
    )


def waits_for(table: Table, person: str) -> bool:
    """Whether someone's answer is wanted at a table."""
    seat, state = table.seat_of(person), table.play.state
    return seat >= 0 and state is not None and bool(int(state["to_act"]) >> seat & 1)


def owes(person: str, places: Places, playing: Playing | None) -> bool:
    """The same of a table that is not in memory. Clocks tell it, or what is kept with each answer; who plays with bots alone is the one
    they wait for."""
    seat = next(
        (seat for seat, place in enumerate(places.seats) if (place.kind, place.person) == ("person", person)), -1
    )
    if seat < 0 or not places.together:
        return seat >= 0
    if playing is None:
        return False
    asked = decode_clocks(playing.clocks, playing.clock_at).runs if playing.clocks else playing.asked or 0
    return bool(asked >> seat & 1)


def damaged_line(line: Listed) -> messages.TableLine:
    """A table in a list of which nothing is known, but that it was there."""
    return messages.TableLine(line.table, "", "", 0, {}, [], "damaged", None, False, line.created)


def table_as_asked(asked: messages.NewTable, person: str) -> tuple[Header, Places]:
    """What `NewTable` asks for, with a secret of its own; a `Refused` if there is no such table."""
    game = find_game(asked.game)
    options = game.check_options(asked.seats, asked.options)
    wanted = (
        asked.places if asked.places is not None else ["me"] + [f"bot:{levels.quick_bot(game)}"] * (asked.seats - 1)
    )
    if len(wanted) != asked.seats:
        raise Malformed("table-places", seats=asked.seats, number=len(wanted))
    if wanted.count("me") > 1:
        raise Malformed("table-one-seat")
    seats = [_seat_as_asked(place, person, game) for place in wanted]
    header = _new_header(game, asked.seats, options, person, asked.private, asked.takeover, asked.hints)
    header.clock = clock_as_asked(asked.clock)
    return header, Places(seats, pace=asked.pace, talk=asked.talk)


def table_for(
    game: Game,
    seats: int,
    people: Sequence[str],
    pace: str,
    options: Mapping[str, Any] = {},
    private: bool = False,
    missing: str = "open",
    clock: Clock | None = None,
) -> tuple[Header, Places]:
    """A table for people who have found each other: a place is kept for each, and bots have the others. The first of them is its host.

    ``missing`` is what becomes of the place of somebody who does not come (see `Places`).
    """
    holders = [SeatHolder("open", person) for person in people]
    holders += [SeatHolder("bot", "", levels.quick_bot(game)) for _ in range(seats - len(people))]
    header = _new_header(game, seats, game.check_options(seats, options), people[0], private, 60, None)
    header.clock = clock_as_asked(clock)
    return header, Places(holders, pace=pace, missing=missing)


def _new_header(
    game: Game, seats: int, options: dict[str, Any], host: str, private: bool, takeover: int, hints: bool | None
) -> Header:
    return Header(
        game=game.name,
        seats=seats,
        options=options,
        secret=deals.new_secret().hex(),
        invite=secrets.token_urlsafe(16),
        host=host,
        private=private,
        takeover=takeover,
        created=time.time(),
        hints=hints,
        version=game.version,
    )


def clock_as_asked(asked: Clock | None) -> Control | None:
    """How much time a table gives."""
    if asked is None:
        return None
    live = asked.start >= LEAST_START and not asked.days
    days = asked.days in DAYS and not asked.start and not asked.increment
    if not live and not days:
        raise Malformed("table-clock-form", least=LEAST_START)
    return Control(asked.start, asked.increment, asked.days)


def clock_info(head: Header) -> Clock | None:
    """The same, as it is told."""
    return None if head.clock is None else Clock(head.clock.start, head.clock.increment, head.clock.days)


def table_to_play_again(table: Table, person: str) -> tuple[Header, Places]:
    """The same people's next table: each one seat on, with a place that is kept for them until the maker gives it away."""
    for place in table.places.seats:
        if place.kind == "bot":
            levels.find_able_bot(place.level, table.game)
    seats = [_seat_again(place) for place in table.places.seats]
    header = msgspec.structs.replace(
        table.header,
        secret=deals.new_secret().hex(),
        invite=secrets.token_urlsafe(16),
        host=person,
        created=time.time(),
        version=table.game.version,
        fork=None,
    )
    return header, Places([*seats[-1:], *seats[:-1]], pace=table.places.pace, talk=table.places.talk)


def _seat_again(place: SeatHolder) -> SeatHolder:
    """Who has a seat in the next game; a place that its person has left is open."""
    if place.kind == "bot":
        return SeatHolder("bot", "", place.level)
    return SeatHolder("open", place.person if place.kind == "person" else "")


def table_to_play_on(
    table: Table, asked: messages.PlayOn, person: str
) -> tuple[Header, Places, tuple[tuple[int, str], ...]]:
    """What `PlayOn` asks for: the finished table's own header and deals, and its answers (seat, words) so far.

    Its cards are known, so it is for whoever asks and for bots: nobody is invited to it, and it says where it comes from.
    """
    if not table.over:
        raise Illegal("table-play-on-not-over")
    chain = table.log.chain()
    if not 0 <= asked.n < len(chain):
        raise Malformed("table-moments", last=len(chain) - 1)
    if not 0 <= asked.seat < table.header.seats:
        raise Malformed("table-no-such-seat")
    levels.find_able_bot(asked.level, table.game)
    nonces = table.places.nonces
    seats = [
        SeatHolder("person", person, "", nonce) if seat == asked.seat else SeatHolder("bot", "", asked.level, nonce)
        for seat, nonce in enumerate(nonces)
    ]
    origin = table.header.fork or Fork(deals.commitment(table.play.secret), asked.n)
    fork = Fork(origin.commitment, min(origin.n, asked.n))
    header = msgspec.structs.replace(
        table.header, invite="", host=person, private=True, created=time.time(), clock=None, fork=fork
    )
    entries = tuple((seat_of(entry), table.log.words_of(entry)) for _, entry in chain[: asked.n])
    return header, Places(seats, list(nonces), pace=table.places.pace), entries


def table_to_keep(brought: Brought, person: str) -> tuple[Header, Places, tuple[tuple[int, str], ...]]:
    """A finished game that was played elsewhere, by one person against bots: for that person alone, and marked as one with known cards."""
    for who in brought.seated:
        if who != "person":
            levels.find_able_bot(who.partition(":")[2], find_game(brought.game))
    seats = [
        SeatHolder("person", person, "", nonce)
        if who == "person"
        else SeatHolder("bot", "", who.partition(":")[2], nonce)
        for who, nonce in zip(brought.seated, brought.nonces, strict=True)
    ]
    header = Header(
        brought.game, brought.seats, brought.options, brought.secret, "", person, True, 0, time.time(),
        version=brought.version, fork=Fork(brought.fork.commitment, brought.fork.n),
    )  # fmt: skip
    return header, Places(seats, list(brought.nonces)), brought.answers


def _seat_as_asked(place: str, person: str, game: Game) -> SeatHolder:
    """A place as asked for in `NewTable`: whoever makes the table sits down later, with a nonce, knowing the commitment."""
    if place == "me":
        return SeatHolder("open", person)
    if place == "open":
        return SeatHolder()
    kind, _, level = place.partition(":")
    if kind != "bot":
        raise Malformed("table-place-form")
    try:
        levels.find_able_bot(level, game)
    except Unknown as refusal:
        raise Malformed(refusal.message.id, **refusal.message.values) from None
    return SeatHolder("bot", "", level)
