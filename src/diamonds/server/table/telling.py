"""The one message that a reader gets: first load, update and return alike; assembled from remembered pieces of JSON."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds.cards import members
from diamonds.game import Game
from diamonds.server.api.encoding import Views, cards_json, encode, told_json, view_writer, who_hears_more
from diamonds.server.table.clocked import clocks_told
from diamonds.server.table.entries import TOLD_SEAT, TOLD_TIMEOUT, TOLD_UNDO
from diamonds.server.table.info import info
from diamonds.server.table.places import kind_of, person_name
from diamonds.server.table.presence import Reader
from diamonds.server.table.table import Table
from diamonds.words import Message

RECENT = 8  # answers; what was told since one further back is put together anew for whoever asks
MOST_TOLD = 400  # events in one message; older ones are in the replay


def message(table: Table, reader: Reader, since: int | None) -> bytes:
    """A `Message` for a reader who knows what was told up to n = ``since``.

    Without ``since``, or with one that is not of this table, what was told since the last deal comes along; but never what
    has faded (C14).
    """
    n, seat = table.n, reader.seat
    if since is None or since > n:
        since = table.play.dealt_at - 1
    shared = _shared(table)
    if since < shared.oldest:
        since = shared.oldest - 1
    if seat < 0 and (since, reader) in shared.spectators:
        return shared.spectators[since, reader] + clocks_told(table)  # there may be many of them, and all read the same
    asked = seat >= 0 and shared.to_act >> seat & 1
    undo_to, undo_step = table.undo_limits(seat) if seat >= 0 else (None, None)
    about = shared.infos.get(reader)
    if about is None:
        about = info(table, reader)
        if seat >= 0:
            shared.infos[reader] = about
    view, told = b"null", b""
    if shared.views is not None:
        view = shared.views.of(seat)
        told = _told(table, seat, since, shared)
    text = (
        b'{"version":%d,"n":%d,"seat":%b,"view":%b,"told":[%b],"oldest":%d,"ask":%b,"undo_to":%b,"undo_step":%b,"result":%b,'
        b'"table":%b,'
    ) % (
        shared.version,
        n,
        b"%d" % seat if seat >= 0 else b"null",
        view,
        told,
        shared.oldest,
        _ask(table, seat) if asked else b"null",
        b"null" if undo_to is None else b"%d" % undo_to,
        b"null" if undo_step is None else b"%d" % undo_step,
        shared.result,
        about,
    )
    if seat < 0 and _worth_keeping(table, shared, since):
        shared.spectators[since, reader] = text
    return text + clocks_told(table)


class Shared(NamedTuple):
    """What is the same for several readers of one version, worked out once."""

    version: int
    views: Views | None  # before the first deal there are none
    to_act: int  # the seats that are asked, as bits
    result: bytes  # as JSON
    oldest: int  # n of the oldest entry of which something may still be told
    told: dict[int, Heard]  # by the n up to which a reader knows
    spectators: dict[tuple[int, Reader], bytes]  # their whole messages, by that n too
    mark: tuple[int, int, str]  # what changes whenever a `TableInfo` does; answers alone leave it as it is
    infos: dict[Reader, bytes]  # the `TableInfo` of each who has a seat


class Heard(NamedTuple):
    """Events: (n, row, the seats that hear more of it), and how all others hear each."""

    rows: list[tuple[int, tuple[int, ...], tuple[int, ...]]]
    others: list[bytes]
    favoured: frozenset[int]  # all seats that hear more of something
    joined: bytes  # what all others hear


def _shared(table: Table) -> Shared:
    shared: Shared | None = table.shared
    version, state = table.version, table.play.state
    if shared is None or shared.version != version:
        before = shared.views if shared is not None else None
        mark = table.changes, table.revision, "asked" if table.wish else table.phase
        views = None if state is None else view_writer(table.game, table.play.team_of).write(state, before)
        to_act = 0 if state is None else int(state["to_act"])
        result = None if state is None or not table.over else _result(table.game, state)
        table.shared = shared = Shared(
            version,
            views,
            to_act,
            b"null" if result is None else encode(result),
            oldest_told(table),
            {},
            {},
            mark,
            shared.infos if shared is not None and shared.mark == mark else {},
        )
    return shared


def _result(game: Game, state: np.void) -> dict[str, Any]:
    """How the game ended, and what that rests on."""
    facts = game.facts(state)
    return {**game.result(state), "facts": None if facts is None else {"says": facts[0], "spots": facts[1]}}


def _worth_keeping(table: Table, shared: Shared, since: int) -> bool:
    """Whether many may ask what happened since then: those who were there a moment ago, and those who have just come."""
    return since >= table.n - RECENT or since == max(table.play.dealt_at, shared.oldest) - 1


def oldest_told(table: Table) -> int:
    """The n of the oldest entry of which something may be told: the first card of the last trick, where older ones fade (C14).

    What was told before an undo is of cards that have been taken back: there it fades too.
    """
    fading, state = table.game.fading, table.play.state
    if fading is None or state is None or state["over"] or state[fading.unless]:
        return 0
    card = tricks = 0
    for n in range(table.n, -1, -1):
        for kind, *_ in reversed(table.log.told(n)):
            if kind == TOLD_UNDO:
                return n
            if kind == fading.deal:
                return 0
            if kind == fading.trick:
                tricks += 1
                if tricks == 2:
                    return card
            if kind == fading.card:
                card = n
    return 0


def _told(table: Table, seat: int, since: int, shared: Shared) -> bytes:
    """What happened after n = ``since``, as this seat hears it."""
    found = shared.told.get(since)
    if found is None:
        rows: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
        for n in range(table.n, since, -1):  # the newest first: a long game has more than anyone will be told at once
            rows += [(n, row, who_hears_more(table.game, row)) for row in reversed(table.log.told(n))]
            if len(rows) >= MOST_TOLD:
                break
        rows = rows[:MOST_TOLD][::-1]
        others = [_hear(table, n, row, -1) for n, row, _ in rows]
        favoured = frozenset([seat for _, _, seats in rows for seat in seats])
        found = Heard(rows, others, favoured, b",".join(others))
        if _worth_keeping(table, shared, since):
            shared.told[since] = found
    if seat not in found.favoured:
        return found.joined
    return b",".join(
        [
            _hear(table, n, row, seat) if seat in favoured else others
            for (n, row, favoured), others in zip(found.rows, found.others, strict=True)
        ]
    )


def _hear(table: Table, n: int, row: tuple[int, ...], hearer: int) -> bytes:
    """Something that happened, as a `Told`. An event of the game says itself what it is; anything else comes with its words' id."""
    if row[0] >= 0:
        return b'{"n":%d,"event":%b}' % (n, told_json(table.game, row, hearer))
    if row[0] == TOLD_SEAT:
        return _new_seat(table, n, row)
    if row[0] == TOLD_TIMEOUT:
        timeout = {"event": "timeout", "seat": row[1]}
        return encode({"n": n, "event": timeout, "says": Message("table-timeout", {"seat": row[1]})})
    event = {"event": "undo", "seat": row[1], "to": row[2]}
    return encode({"n": n, "event": event, "says": Message("table-stepped-back", {"seat": row[1]})})


def _new_seat(table: Table, n: int, row: tuple[int, ...]) -> bytes:
    """A seat has changed hands, as a `Told`: whoever had it rises, whoever has it now sits down."""
    _, seat, before, now = row

    def of(who: str) -> str | Message:
        kind, _, name = who.partition(":")
        return Message("table-a-bot", {"level": name}) if kind == "bot" else person_name(name, table.names)

    gone, come = table.log.people[before], table.log.people[now]
    if gone == "open":
        says = Message("table-sits-down", {"seat": of(come)})
    elif come == "open":
        says = Message("table-stands-up", {"seat": of(gone)})
    else:
        says = Message("table-gives-way", {"seat": of(gone), "next": of(come)})
    kind, _, level = kind_of(come).partition(":")
    return encode(
        {"n": n, "event": {"event": "seat", "seat": seat, "kind": kind, "level": level or None}, "says": says}
    )


def _ask(table: Table, seat: int) -> bytes:
    """The question put to a seat that is asked. Of the cards in hand that are not legal, why not (R1)."""
    state, game = table.play.state, table.game
    assert state is not None
    number = int(state["question"])
    legal = int(game.rules.legal(state, seat))
    found: dict[tuple[int, int], int] = {}
    if _asks_for_a_card(game, number):
        for card in members(int(state["hand"][seat]) & ~legal):
            reason, value = game.rules.why_not(state, seat, card)
            why = int(reason), int(value)
            found[why] = found.get(why, 0) | 1 << card
    refused = [
        b'{"cards":%b,"says":%b}' % (cards_json(game, cards), _why_not(game, *why)) for why, cards in found.items()
    ]
    return b'%b,"refused":[%b]}' % (_asked(game, number, legal), b",".join(refused))


@lru_cache(maxsize=4_000)
def _asked(game: Game, number: int, legal: int) -> bytes:
    """The beginning of a question with its legal answers."""
    question = game.questions[number]
    names = [question.answers[k] for k in members(legal)]
    return encode({"question": question.name, "legal": names})[:-1]


@lru_cache(maxsize=256)
def _why_not(game: Game, reason: int, value: int) -> bytes:
    """Why cards are not legal, as JSON."""
    return encode(game.reason_given(reason, value))


@lru_cache(maxsize=64)
def _asks_for_a_card(game: Game, question: int) -> bool:
    return game.questions[question].answers[: len(game.names)] == game.names
