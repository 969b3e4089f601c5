"""Table updates: one message for first load, change and reconnect, built from cached JSON fragments."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds.cards import iter_bits
from diamonds.game import Game
from diamonds.i18n import Message
from diamonds.server.api.codec import EncodedViews, cards_json, encode, event_json, privileged_seats, view_encoder
from diamonds.server.api.tables import ClockStateInfo, NudgeInfo
from diamonds.server.tables.core import clocks
from diamonds.server.tables.core.entry_log import EV_SEAT_CHANGE, EV_TIMEOUT, EV_UNDO
from diamonds.server.tables.core.presence import Viewer
from diamonds.server.tables.core.seating import holder_kind, person_name
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_info import table_info

CACHED_SUFFIXES = 8  # latest entries with cached fragments; updates that start earlier are built for each viewer
MAX_EVENTS = 400  # per update; older ones are in the replay


def table_update(table: Table, viewer: Viewer, last_n: int | None) -> bytes:
    """Return a `TableUpdate` for a viewer who knows the events up to `last_n`.

    Without a valid `last_n`, it contains the events since the last deal. Expired events (C14) are never included.
    """
    n, seat = table.n, viewer.seat
    if last_n is None or last_n > n:
        last_n = table.game_state.last_deal_n - 1
    cache = _update_cache(table)
    if last_n < cache.oldest_visible_n:
        last_n = cache.oldest_visible_n - 1
    if seat < 0 and (last_n, viewer) in cache.spectator_updates:
        return cache.spectator_updates[last_n, viewer] + clock_json(table)  # the same for all spectators
    is_to_act = seat >= 0 and cache.to_act >> seat & 1 and not table.seating.closed_reason
    undo_min, undo_last = table.undo_limits(seat) if seat >= 0 else (None, None)
    info_json = cache.table_infos.get(viewer)
    if info_json is None:
        info_json = table_info(table, viewer)
        if seat >= 0:
            cache.table_infos[viewer] = info_json
    view, events = b"null", b""
    if cache.views is not None:
        view = cache.views.for_seat(seat)
        events = _events_json(table, seat, last_n, cache)
    text = (
        b'{"version":%d,"n":%d,"seat":%b,"view":%b,"events":[%b],"oldest_visible":%d,"open_question":%b,"undo_min":%b,"undo_last":%b,"result":%b,'
        b'"table":%b,'
    ) % (
        cache.version,
        n,
        b"%d" % seat if seat >= 0 else b"null",
        view,
        events,
        cache.oldest_visible_n,
        _open_question(table, seat) if is_to_act else b"null",
        b"null" if undo_min is None else b"%d" % undo_min,
        b"null" if undo_last is None else b"%d" % undo_last,
        cache.result,
        info_json,
    )
    if seat < 0 and _is_cacheable(table, cache, last_n):
        cache.spectator_updates[last_n, viewer] = text
    return text + clock_json(table)


class SharedUpdateParts(NamedTuple):
    """Parts of updates shared by the viewers of one version."""

    version: int
    views: EncodedViews | None  # None before the first deal
    to_act: int  # as bits
    result: bytes  # as JSON
    oldest_visible_n: int  # n of the oldest entry with visible events
    fragments: dict[int, EventFragments]  # by `last_n`
    spectator_updates: dict[tuple[int, Viewer], bytes]  # complete updates of spectators, also by `last_n`
    info_signature: tuple[int, int, str]  # changes whenever a `TableInfo` does, but not with answers
    table_infos: dict[Viewer, bytes]  # for viewers with a seat


class EventFragments(NamedTuple):
    """Events as (n, row, seats that see more of it), and the public JSON of each."""

    rows: list[tuple[int, tuple[int, ...], tuple[int, ...]]]
    public: list[bytes]
    privileged_seats: frozenset[int]  # all seats that see more of any event
    public_joined: bytes  # JSON of the events for everyone else


def _update_cache(table: Table) -> SharedUpdateParts:
    cache: SharedUpdateParts | None = table.update_cache
    version, state = table.version, table.game_state.state
    if cache is None or cache.version != version:
        before = cache.views if cache is not None else None
        signature = table.change_counter, table.revision, "asked" if table.proposal else table.phase
        views = (
            None if state is None else view_encoder(table.game, table.game_state.team_of).encode_views(state, before)
        )
        to_act = 0 if state is None else int(state["to_act"])
        result = None if state is None or not table.is_over else _result(table.game, state)
        table.update_cache = cache = SharedUpdateParts(
            version,
            views,
            to_act,
            b"null" if result is None else encode(result),
            oldest_visible_n(table),
            {},
            {},
            signature,
            cache.table_infos if cache is not None and cache.info_signature == signature else {},
        )
    return cache


def _result(game: Game, state: np.void) -> dict[str, Any]:
    """Return how the game ended, and the facts behind it."""
    facts = game.ending_facts(state)
    return {**game.result(state), "facts": None if facts is None else {"says": facts[0], "spots": facts[1]}}


def _is_cacheable(table: Table, cache: SharedUpdateParts, last_n: int) -> bool:
    """Return whether several viewers, current or new, are likely to share this starting point."""
    return (
        last_n >= table.n - CACHED_SUFFIXES or last_n == max(table.game_state.last_deal_n, cache.oldest_visible_n) - 1
    )


def oldest_visible_n(table: Table) -> int:
    """Return the n of the oldest entry with visible events.

    If older events expire (C14), that is the first card of the last trick. Events before an undo concern cards that
    were taken back, so they also expire.
    """
    expiry, state = table.game.event_expiry, table.game_state.state
    if expiry is None or state is None or state["over"] or state[expiry.option]:
        return 0
    card = tricks = 0
    for n in range(table.n, -1, -1):
        for kind, *_ in reversed(table.log.events_at(n)):
            if kind == EV_UNDO:
                return n
            if kind == expiry.deal_event:
                return 0
            if kind == expiry.trick_event:
                tricks += 1
                if tricks == 2:
                    return card
            if kind == expiry.card_event:
                card = n
    return 0


def _events_json(table: Table, seat: int, last_n: int, cache: SharedUpdateParts) -> bytes:
    """Return the events after `last_n` as this seat sees them."""
    fragments = cache.fragments.get(last_n)
    if fragments is None:
        rows: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
        for n in range(table.n, last_n, -1):  # newest first, because a long game has more than fits in one update
            rows += [(n, row, privileged_seats(table.game, row)) for row in reversed(table.log.events_at(n))]
            if len(rows) >= MAX_EVENTS:
                break
        rows = rows[:MAX_EVENTS][::-1]
        public = [_event_json(table, n, row, -1) for n, row, _ in rows]
        all_privileged = frozenset([seat for _, _, seats in rows for seat in seats])
        fragments = EventFragments(rows, public, all_privileged, b",".join(public))
        if _is_cacheable(table, cache, last_n):
            cache.fragments[last_n] = fragments
    if seat not in fragments.privileged_seats:
        return fragments.public_joined
    return b",".join(
        [
            _event_json(table, n, row, seat) if seat in seats else public
            for (n, row, seats), public in zip(fragments.rows, fragments.public, strict=True)
        ]
    )


def _event_json(table: Table, n: int, row: tuple[int, ...], seat: int) -> bytes:
    """Return one event as an `EventInfo`. Events of the game are self-describing; others carry a message."""
    if row[0] >= 0:
        return b'{"n":%d,"event":%b}' % (n, event_json(table.game, row, seat))
    if row[0] == EV_SEAT_CHANGE:
        return _seat_change_json(table, n, row)
    if row[0] == EV_TIMEOUT:
        timeout = {"event": "timeout", "seat": row[1]}
        return encode({"n": n, "event": timeout, "text": Message("table-timeout", {"seat": row[1]})})
    event = {"event": "undo", "seat": row[1], "to": row[2]}
    return encode({"n": n, "event": event, "text": Message("table-stepped-back", {"seat": row[1]})})


def _seat_change_json(table: Table, n: int, row: tuple[int, ...]) -> bytes:
    """Return a seat change as an `EventInfo`, with a message naming the old and new holders."""
    _, seat, before, now = row

    def holder_name(holder_id: str) -> str | Message:
        kind, _, name = holder_id.partition(":")
        return Message("table-a-bot", {"level": name}) if kind == "bot" else person_name(name, table.names)

    old_holder, new_holder = table.log.holder_ids[before], table.log.holder_ids[now]
    if old_holder == "open":
        text = Message("table-sits-down", {"seat": holder_name(new_holder)})
    elif new_holder == "open":
        text = Message("table-stands-up", {"seat": holder_name(old_holder)})
    else:
        text = Message("table-gives-way", {"seat": holder_name(old_holder), "next": holder_name(new_holder)})
    kind, _, level = holder_kind(new_holder).partition(":")
    return encode(
        {"n": n, "event": {"event": "seat", "seat": seat, "kind": kind, "level": level or None}, "text": text}
    )


def _open_question(table: Table, seat: int) -> bytes:
    """Return the open question of a seat, with the reason for each card in hand that is not legal (R1)."""
    state, game = table.game_state.state, table.game
    assert state is not None
    number = int(state["question"])
    legal = int(game.rules.legal(state, seat))
    by_reason: dict[tuple[int, int], int] = {}
    if _is_card_question(game, number):
        for card in iter_bits(int(state["hand"][seat]) & ~legal):
            reason, value = game.rules.illegal_reason(state, seat, card)
            why = int(reason), int(value)
            by_reason[why] = by_reason.get(why, 0) | 1 << card
    illegal = [
        b'{"cards":%b,"text":%b}' % (cards_json(game, cards), _illegal_json(game, *why))
        for why, cards in by_reason.items()
    ]
    return b'%b,"illegal":[%b]}' % (_legal_json(game, number, legal), b",".join(illegal))


@lru_cache(maxsize=4_000)
def _legal_json(game: Game, number: int, legal: int) -> bytes:
    """Return the start of a question's JSON, with its legal answers."""
    question = game.questions[number]
    names = [question.answers[k] for k in iter_bits(legal)]
    return encode({"question": question.name, "legal": names})[:-1]


@lru_cache(maxsize=256)
def _illegal_json(game: Game, reason: int, value: int) -> bytes:
    """Return the reason why cards are not legal, as JSON."""
    return encode(game.illegal_reason_message(reason, value))


@lru_cache(maxsize=64)
def _is_card_question(game: Game, question: int) -> bool:
    return game.questions[question].answers[: len(game.card_names)] == game.card_names


def clock_json(table: Table) -> bytes:
    """Return `clocks` and `nudges` of a `TableUpdate`, and its closing brace."""
    clock_state = table.clocks
    if clock_state is None and not table.presence.nudges:
        return b'"clocks":null,"nudges":[]}'
    nudges = _nudges(table) if table.presence.nudges else b"[]"
    if clock_state is None:
        return b'"clocks":null,"nudges":%b}' % nudges
    now, people_seats = table.presence.now(), table.people_seats
    info = ClockStateInfo(
        now,
        [
            clocks.remaining_ms(clock_state, seat, now) if seat in people_seats else None
            for seat in range(table.header.seats)
        ],
        list(iter_bits(clock_state.running)),
        list(clock_state.timeouts),
        list(iter_bits(clock_state.forfeited)),
        clock_state.paused,
    )
    return b'"clocks":%b,"nudges":%b}' % (encode(info), nudges)


def _nudges(table: Table) -> bytes:
    """Return the nudges whose question is still open."""
    state, question_since = table.game_state.state, table.game_state.question_since
    to_act = 0 if state is None else int(state["to_act"])
    return encode(
        [
            NudgeInfo(seat, by)
            for (by, seat), n in table.presence.nudges.items()
            if to_act >> seat & 1 and question_since[seat] == n
        ]
    )
