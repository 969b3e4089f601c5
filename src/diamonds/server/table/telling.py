"""The one message that a reader gets: first load, update and return alike; assembled from remembered pieces of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from diamonds import words
from diamonds.cards import members
from diamonds.game import Game
from diamonds.server.api.encoding import Views, encode, result_data, seats_in, told_json, view_writer
from diamonds.server.table.entries import TOLD_SEAT, TOLD_UNDO
from diamonds.server.table.info import info
from diamonds.server.table.places import kind_of, person_name
from diamonds.server.table.presence import Reader
from diamonds.server.table.table import Table

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
        return shared.spectators[since, reader]  # there may be many of them, and all read the same
    asked, over = seat >= 0 and shared.to_act >> seat & 1, table.over
    undo_to, undo_step = table.undo_limits(seat)
    view, told, says = b"null", b"", shared.status
    if shared.views is not None:
        view = shared.views.of(seat)
        told = _told(table, seat, since, shared)
    if over or asked:
        says = encode(status(table, seat, shared.result))
    text = (
        b'{"version":%d,"n":%d,"seat":%b,"view":%b,"told":[%b],"oldest":%d,"ask":%b,"undo_to":%b,"undo_step":%b,"result":%b,'
        b'"status":%b,"table":%b}'
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
        shared.ended,
        says,
        info(table, reader),
    )
    if seat < 0 and _worth_keeping(table, shared, since):
        shared.spectators[since, reader] = text
    return text


class Shared(NamedTuple):
    """What is the same for several readers of one version, worked out once."""

    version: int
    views: Views | None  # before the first deal there are none
    to_act: int  # the seats that are asked, as bits
    result: Mapping[str, Any] | None  # while the game goes on there is none
    ended: bytes  # the result as JSON
    status: bytes  # for whoever is not asked
    oldest: int  # n of the oldest entry of which something may still be told
    told: dict[int, Heard]  # by the n up to which a reader knows
    spectators: dict[tuple[int, Reader], bytes]  # their whole messages, by that n too


class Heard(NamedTuple):
    """Events: (n, row, the seats it speaks of), and how all others hear each."""

    rows: list[tuple[int, tuple[int, ...], tuple[int, ...]]]
    others: list[bytes]
    concerned: frozenset[int]
    joined: bytes  # what all others hear


def _shared(table: Table) -> Shared:
    shared: Shared | None = table.shared
    version, state = table.version, table.play.state
    if shared is None or shared.version != version:
        before = shared.views if shared is not None else None
        views = None if state is None else view_writer(table.game, table.play.team_of).write(state, before)
        to_act = 0 if state is None else int(state["to_act"])
        result = None if state is None or not table.over else result_data(table.game, state)
        table.shared = shared = Shared(
            version,
            views,
            to_act,
            result,
            encode(result),
            encode(status(table, -1, result)),
            oldest_told(table),
            {},
            {},
        )
    return shared


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
    game, names = table.game, table.seat_names()
    if found is None:
        rows: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
        for n in range(table.n, since, -1):  # the newest first: a long game has more than anyone will be told at once
            rows += [(n, row, seats_in(game, row)) for row in reversed(table.log.told(n))]
            if len(rows) >= MOST_TOLD:
                break
        rows = rows[:MOST_TOLD][::-1]
        others = [_hear(table, n, row, -1, names) for n, row, _ in rows]
        concerned = frozenset([seat for _, _, seats in rows for seat in seats])
        found = Heard(rows, others, concerned, b",".join(others))
        if _worth_keeping(table, shared, since):
            shared.told[since] = found
    if seat not in found.concerned:
        return found.joined
    return b",".join(
        [
            _hear(table, n, row, seat, names) if seat in concerned else others
            for (n, row, concerned), others in zip(found.rows, found.others, strict=True)
        ]
    )


def _hear(table: Table, n: int, row: tuple[int, ...], hearer: int, names: tuple[str, ...]) -> bytes:
    if row[0] >= 0:
        return told_json(table.game, n, row, hearer, names)
    if row[0] == TOLD_SEAT:
        return encode(_new_seat(table, n, row, hearer))
    says = words.say("table-stepped-back", {"seat": row[1]}, who=names.__getitem__, me=hearer)
    return encode({"n": n, "event": {"event": "undo", "seat": row[1], "to": row[2]}, "words": says})


def _new_seat(table: Table, n: int, row: tuple[int, ...], hearer: int) -> dict[str, Any]:
    """A seat has changed hands, as a `Told`: whoever had it rises, whoever has it now sits down."""
    _, seat, before, now = row
    me = table.places.seats[hearer].who if hearer >= 0 else ""

    def of(who: str) -> words.Message:
        kind, _, name = who.partition(":")
        if kind == "bot":
            return words.Message("table-a-bot", {"level": name})
        return words.Message("as-it-is", {"text": person_name(name, table.names)})

    gone, come = table.log.people[before], table.log.people[now]
    if gone == "open":
        says = words.say("table-you-sit-down") if come == me else words.say("table-sits-down", {"who": of(come)})
    else:
        rises = "you-stand-up" if gone == me else "stands-up"
        then = "bot-plays-on" if come == "open" else "you-sit-down" if come == me else "sits-down"
        values = {**({} if gone == me else {"who": of(gone)}), **({"next": of(come)} if then == "sits-down" else {})}
        says = words.say(f"table-{rises}-{then}", values)
    kind, _, level = kind_of(come).partition(":")
    return {
        "n": n,
        "event": {"event": "seat", "seat": seat, "kind": kind, "level": level or None},
        "words": words.capitals(says),
    }


def _ask(table: Table, seat: int) -> bytes:
    """The question put to a seat that is asked. Of the cards in hand that are not legal, why not (R1)."""
    state, game = table.play.state, table.game
    assert state is not None
    number = int(state["question"])
    legal = int(game.rules.legal(state, seat))
    refused = b"{}"
    if _asks_for_a_card(game, number):
        others = members(int(state["hand"][seat]) & ~legal)
        refused = encode({game.names[card]: _why_not(game, *game.rules.why_not(state, seat, card)) for card in others})
    return _asked(game, number, legal) + refused + b"}"


@lru_cache(maxsize=4_000)
def _asked(game: Game, number: int, legal: int) -> bytes:
    """The beginning of a question with its legal answers."""
    question = game.questions[number]
    names = [question.answers[k] for k in members(legal)]
    return encode({"question": question.name, "words": _asks(game, number), "legal": names})[:-1] + b',"refused":'


@lru_cache(maxsize=256)
def _why_not(game: Game, reason: int, value: int) -> str:
    """Why an answer is not legal, in words."""
    return words.say(*game.reason_given(int(reason), int(value)))


@lru_cache(maxsize=64)
def _asks(game: Game, question: int) -> str:
    """What a question asks for, in words."""
    return words.say(*game.asks_for(game.questions[question]))


@lru_cache(maxsize=64)
def _asks_for_a_card(game: Game, question: int) -> bool:
    return game.questions[question].answers[: len(game.names)] == game.names


def status(table: Table, seat: int, result: Mapping[str, Any] | None) -> str:
    """One sentence: whose turn it is and what is asked, or how the game ended: its ``result``."""
    state = table.play.state
    if state is None:
        free = sum(place.kind == "open" for place in table.places.seats)
        return words.say("table-waiting", {"number": free})
    names = table.seat_names()
    if result is not None:
        winners, reason = result["winners"], result["reason"]
        if not winners:
            return words.say("table-over-nobody", {"reason": reason})
        if len(winners) == 1:
            one = {"seat": winners[0], "reason": reason}
            return words.say("table-over-one", one, who=names.__getitem__, me=seat)
        return words.say("table-over-shared", {"winners": winners, "reason": reason}, who=names.__getitem__, me=seat)
    to_act, asked = int(state["to_act"]), int(state["question"])
    mine = seat >= 0 and to_act >> seat & 1
    return _asked_of(table.game, asked, () if mine else tuple([names[k] for k in members(to_act)]))


@lru_cache(maxsize=4_000)
def _asked_of(game: Game, question: int, names: tuple[str, ...]) -> str:
    """Who is asked what; without names it is the reader."""
    if not names:
        return words.say("table-your-turn", {"question": _asks(game, question)})
    return words.say("table-turn-of", {"names": words.listed(list(names), "and"), "question": _asks(game, question)})
