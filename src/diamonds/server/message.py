"""The one message that a reader gets: first load, update and return alike; assembled from remembered pieces of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from diamonds import bots, deals
from diamonds.cards import members
from diamonds.game import GAMES, Game
from diamonds.server.messages import GameInfo, LevelInfo, OptionInfo, Place
from diamonds.server.table import Header, Places, Table, seat_name
from diamonds.server.wire import Public, encode, seats_in, told_json, view_writer

MOST_TOLD = 400  # events in one message; older ones are in the replay


def message(table: Table, seat: int, since: int | None, host: bool = False) -> bytes:
    """A `Message` for a seat (−1: a spectator) whose reader knows what was told up to n = ``since``.

    ``host`` is whether the reader made the table: only then the invitation is in it. Without ``since``, or with one that is not of this table, what was told since the last deal comes along.
    """
    n, version = table.n, table.version
    if since is None or since > n:
        since = table.dealt_at - 1
    key = (version, since, host)
    if seat < 0 and key in table.spectators:
        return table.spectators[key]  # there may be many of them, and all read the same
    state, game = table.state, table.game
    ask = _ask(table, seat)
    undo_to, undo_step = table.undo_limits(seat)
    view, result, says, told = b"null", b"null", b"", b""
    if state is not None:
        writer = view_writer(game, table.team_of)
        shared = table.shared
        if shared is None or shared.version != version:
            public = writer.public(state, shared.public if shared is not None else None)
            table.shared = shared = Shared(version, public, encode(status(table, -1)), {})
        view = writer.write(state, seat, shared.public)
        told = _told(table, seat, since, shared)
        if table.over:
            result = encode(game.result(state))
        elif ask == b"null":
            says = shared.status  # nothing in it speaks of the reader
    text = b"".join(
        (
            b'{"version":%d,"n":%d,"seat":' % (version, n),
            b"null" if seat < 0 else b"%d" % seat,
            b',"view":',
            view,
            b',"told":[',
            told,
            b'],"ask":',
            ask,
            b',"undo_to":',
            b"null" if undo_to is None else b"%d" % undo_to,
            b',"undo_step":',
            b"null" if undo_step is None else b"%d" % undo_step,
            b',"result":',
            result,
            b',"status":',
            says or encode(status(table, seat)),
            b',"table":',
            info(table, host),
            b"}",
        )
    )
    if seat < 0:
        if len(table.spectators) > 3:
            table.spectators.clear()
        table.spectators[key] = text
    return text


class Shared(NamedTuple):
    """What is the same for several readers of one version, worked out once."""

    version: int
    public: Public
    status: bytes
    told: dict[int, tuple[frozenset[int], bytes]]  # by n: the seats that it speaks of, and how the others hear it


def _told(table: Table, seat: int, since: int, shared: Shared) -> bytes:
    """What happened after n = ``since``, as this seat hears it."""
    found = shared.told.get(since)
    if found is None:
        rows = [(n, row) for n in range(since + 1, table.n + 1) for row in table.told(n)][-MOST_TOLD:]
        concerned = frozenset(other for _, row in rows for other in seats_in(table.game, row))
        shared.told[since] = found = (concerned, _hear(table, -1, rows))
    concerned, others = found
    if seat not in concerned:
        return others
    return _hear(table, seat, [(n, row) for n in range(since + 1, table.n + 1) for row in table.told(n)][-MOST_TOLD:])


def _hear(table: Table, seat: int, rows: list[tuple[int, tuple[int, ...]]]) -> bytes:
    names = table.seat_names()
    game = table.game
    found = []
    for n, row in rows:
        if row[0] >= 0:
            found.append(told_json(game, n, row, seat if seat in seats_in(game, row) else -1, names))
        else:
            words = "You step back." if row[1] == seat else f"{names[row[1]]} steps back."
            found.append(encode({"n": n, "event": {"event": "undo", "seat": row[1], "to": row[2]}, "words": words}))
    return b",".join(found)


def _ask(table: Table, seat: int) -> bytes:
    """The question put to the seat, or null. Of the cards in hand that are not legal, why not (R1)."""
    state, game = table.state, table.game
    if state is None or seat < 0 or not int(state["to_act"]) >> seat & 1:
        return b"null"
    question = game.question(state)
    legal = int(game.rules.legal(state, seat))
    refused = {}
    if _asks_for_a_card(game, int(state["question"])):
        for card in members(int(state["hand"][seat]) & ~legal):
            refused[game.names[card]] = game.rules.why_not(state, seat, card)
    names = [question.answers[k] for k in members(legal)]
    return encode({"question": question.name, "words": question.words, "legal": names, "refused": refused})


@lru_cache(maxsize=64)
def _asks_for_a_card(game: Game, question: int) -> bool:
    return game.questions[question].answers[: len(game.names)] == game.names


def status(table: Table, seat: int) -> str:
    """One sentence: whose turn it is and what is asked, or how the game ended."""
    state = table.state
    if state is None:
        free = sum(place.kind == "open" for place in table.places.seats)
        return f"Waiting for {free} more player{'s' if free > 1 else ''}."
    names = table.seat_names()
    if table.over:
        result = table.game.result(state)
        winners = ["you" if k == seat else names[k] for k in result["winners"]]
        if len(winners) != 1:
            verdict = f"{_listed(winners)} share the victory" if winners else "nobody wins"
        else:
            verdict = f"{winners[0]} {'win' if winners[0] == 'you' else 'wins'}"
        return f"The game is over: {verdict} ({result['reason']})."
    asked = table.game.question(state).words
    waiting = table.game.to_act(state)
    if seat in waiting:
        return f"Your turn. {asked}"
    return f"{_listed([names[k] for k in waiting])}: {asked}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# The table itself


def info(table: Table, host: bool) -> bytes:
    """The `TableInfo` for a reader."""
    wish = table.wish
    key = (host, table.changes, table.phase if wish is None else "asked")
    cached = table.info_cache.get(key)
    if cached is not None:
        return cached
    header = table.header
    text = encode(
        {
            "id": table.id,
            "game": header.game,
            "title": table.game.title,
            "seats": header.seats,
            "options": header.options,
            "places": places_of(header, table.places, table.names, table),
            "phase": table.phase,
            "private": header.private,
            "takeover": header.takeover,
            "hints": table.hints,
            "host": host,
            "invite": header.invite if host else None,
            "commitment": deals.commitment(table.secret),
            "watching": sum(stream.seat < 0 for stream in table.streams),
            "undo": {"seat": wish.seat, "to": wish.to, "waiting": wish.waiting} if wish else None,
            "chat": [{"name": name, "text": text, "at": at} for name, text, at in table.chat],
        }
    )
    if len(table.info_cache) > 1:
        table.info_cache.clear()
    table.info_cache[key] = text
    return text


def places_of(header: Header, places: Places, names: Mapping[str, str], table: Table | None = None) -> list[Place]:
    """Who has which seat. Without the table in memory nobody is known to be here."""
    here = {stream.seat for stream in table.streams} if table else set()
    return [
        Place(
            seat,
            place.kind,  # type: ignore[arg-type]
            seat_name(seat, place, names),
            place.level or None,
            place.kind == "bot" or (place.kind == "person" and seat in here),
            table is not None and seat in table.standing_in,
        )
        for seat, place in enumerate(places.seats)
    ]


# The house

_SAYS = {
    "crystals": "Win tricks and take the actions of the suits; what lies in your Vault counts twice.",
    "fourteen": "Follow suit, or make fourteen with the last card and turn it. Diamonds are points; forty wins.",
    "mines": "A duel on thirteen hidden piles: claim, dig, grow and fight for seven diamonds.",
}
_SEATS = {"crystals": 4, "fourteen": 4, "mines": 2}
_LEVELS = {
    "random": ("Random", "Plays any card that is allowed."),
    "simple": ("Simple", "Plays by a few sensible rules of thumb."),
}


def game_info(game: Game) -> GameInfo:
    """What a form needs to know of a game."""
    options = [
        OptionInfo(
            option.name,
            list(option.values),
            option.default,
            option.says,
            option.rule,
            list(option.seats),
            {option.needs[0]: option.needs[1]} if option.needs else None,
            {option.default_by[0]: option.default_by[1]} if option.default_by else None,
        )
        for option in game.options
    ]
    return GameInfo(game.name, game.title, _SAYS[game.name], list(game.seats), _SEATS[game.name], options)


def games() -> list[GameInfo]:
    """All games."""
    return [game_info(game) for game in GAMES.values()]


def levels() -> list[LevelInfo]:
    """The strengths of bots, weakest first."""
    found = []
    for name, bot in bots.BOTS.items():
        title, says = _LEVELS.get(name, (f"Level {name}", "Thinks ahead; the higher the level, the further."))
        found.append(LevelInfo(name, getattr(bot, "title", title), getattr(bot, "says", says)))
    return found
