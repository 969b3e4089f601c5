"""Sitting down to play: a new table, or the one that was left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diamonds.bots.levels import BOTS, find_able_bot
from diamonds.deals import seeded_secret
from diamonds.game import Game, Illegal
from diamonds.records import Match, start
from diamonds.terminal import asked, saved
from diamonds.terminal.saved import NAMES, Saved
from diamonds.terminal.screen import Screen
from diamonds.terminal.table import Table
from diamonds.words import say


@dataclass(frozen=True)
class Wishes:
    """What was asked for on the command line; ``None`` or empty is whatever suits."""

    seats: int | None = None
    options: Sequence[str] = ()
    bots: Sequence[str] = ()
    seed: int | None = None
    seat: int | None = None


def sit(game: Game, wishes: Wishes, file: Path | None, new: bool, screen: Screen) -> Table:
    """The table to play at. A game that was left goes on, unless ``new``; a finished or left one is never overwritten."""
    place = Saved(saved.file_of(game) if file is None else file.absolute())
    left = None if new else place.load(game)
    if left is not None and left.over and file is not None:
        raise Illegal("terminal-is-over", path=str(place.path))
    if left is not None and not left.over:
        return _go_on(left, wishes, place, screen)
    table = _begin(game, wishes, place, screen)  # before anything on disk moves: it may be refused
    kept = place.set_aside()
    place.save(table.match)
    if kept is not None and new:
        screen.say(say("terminal-kept-as", {"path": str(kept)}), "dim")
    return table


def _begin(game: Game, wishes: Wishes, place: Saved, screen: Screen) -> Table:
    seats = game.usual_seats if wishes.seats is None else game.check_seats(wishes.seats)
    me = wishes.seat or 0
    if not 0 <= me < seats:
        raise Illegal("terminal-seats", last=seats - 1, number=me)
    bots = _bots(asked.bots(wishes.bots, seats - 1, game), me)
    secret = None if wishes.seed is None else seeded_secret(wishes.seed)
    match = start(game, seats, asked.options(wishes.options), secret, None, NAMES[:seats])
    match.seated = saved.seated(me, bots)
    for name in bots.values():
        find_able_bot(name, game)
    return Table(match, me, bots, place, screen)


def _bots(names: Sequence[str], me: int) -> dict[int, str]:
    """Who plays the other seats, in their order."""
    return {seat + (seat >= me): name for seat, name in enumerate(names)}


def _go_on(match: Match, wishes: Wishes, place: Saved, screen: Screen) -> Table:
    """The game that was left. A record of another origin does not say who plays for whom: then the wishes do."""
    levels = [who.removeprefix("bot:") for who in match.seated]
    if levels.count("person") == 1 and all(level == "person" or level in BOTS for level in levels):
        me = levels.index("person")
        bots = {seat: level for seat, level in enumerate(levels) if seat != me}
    else:
        me = wishes.seat or 0
        bots = _bots(asked.bots(wishes.bots, match.seats - 1, match.game), me % match.seats)
        match.seated = saved.seated(me % match.seats, bots)
    same = (
        wishes.seats in (None, match.seats)
        and wishes.seat in (None, me)
        and me < match.seats
        and (wishes.seed is None or seeded_secret(wishes.seed) == match.secret)
        and (not wishes.bots or _bots(asked.bots(wishes.bots, match.seats - 1, match.game), me) == bots)
        and (
            not wishes.options
            or match.game.check_options(match.seats, {**match.options, **asked.options(wishes.options)})
            == match.options
        )
    )
    if not same:
        raise Illegal("terminal-other-choices", path=str(place.path))
    for name in bots.values():
        find_able_bot(name, match.game)
    return Table(match, me, bots, place, screen)
