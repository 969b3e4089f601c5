"""What a module of a game offers: thin functions over memory, whose arguments are addresses and whole numbers.

A row lies at an address as NumPy has it in memory. What a function finds it writes to ``out``, an array of whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
from numba import carray, types  # type: ignore[attr-defined]

from diamonds import jit, views
from diamonds.cards import MOST_LAID_OUT
from diamonds.events import LOG_ROWS, LOG_WIDTH
from diamonds.fields import SEATS
from diamonds.game import Game
from diamonds.views import SPECTATOR, Sight

NUMBER = types.int64
NUMBERS = types.CPointer(types.int64)
MOST_CARDS = 60

jit.compile_with(views)


class Offered(NamedTuple):
    """A function that a module offers, with the types of its arguments."""

    function: Callable[..., None]
    types: tuple[Any, ...]


def play(game: Game) -> dict[str, Offered]:
    """All that it takes to play a game: its rules, and who may see what."""
    rules, length = game.rules, game.dtype.itemsize // 8
    who, own, flag, remembered = views.sight(game)
    jit.compile_with(rules)
    row_at = types.CPointer(numba.from_dtype(game.dtype))
    start_of, pack_of, deal_of, legal_of, step_of = rules.start, rules.pack, rules.deal, rules.legal, rules.step
    why_of, score_of, place_of, team_of = rules.why_not, rules.score, rules.place, rules.team
    ending_of, laid_out_of, look_of = rules.ending, rules.laid_out, views.look

    def start(row, cut):
        """Lay out the first position; the number of seats and the options are in the row."""
        start_of(carray(row, 1)[0], carray(cut, SEATS))

    def pack(row, out):
        """The cards of the coming deal, as bits."""
        carray(out, 1)[0] = pack_of(carray(row, 1)[0])

    def deal(row, deck, log):
        """Hand out a shuffled pack."""
        deal_of(carray(row, 1)[0], carray(deck, MOST_CARDS), carray(log, (LOG_ROWS, LOG_WIDTH)))

    def legal(row, seat, out):
        """The legal answers of a seat that owes one, as bits."""
        carray(out, 1)[0] = legal_of(carray(row, 1)[0], seat)

    def step(row, seat, answer, log):
        """Apply a legal answer."""
        step_of(carray(row, 1)[0], seat, answer, carray(log, (LOG_ROWS, LOG_WIDTH)))

    def why_not(row, seat, answer, out):
        """Why an answer is not legal: the number of a reason, and the value it speaks of."""
        found = carray(out, 2)
        found[0], found[1] = why_of(carray(row, 1)[0], seat, answer)

    def view(row, flat, seat, memory, seen):
        """What a seat may see (−1: a spectator); the row is given twice, once as whole numbers."""
        team = team_of(carray(row, 1)[0], seat) if seat >= 0 else SPECTATOR
        sight = Sight(who, own, flag, remembered)
        look_of(carray(flat, length), seat, team, memory != 0, sight, carray(seen, length))

    def standing(row, out):
        """Every seat's score, then every seat's place, then every seat's team; so many numbers each as there are seats at most."""
        s, found = carray(row, 1)[0], carray(out, 3 * SEATS)
        for seat in range(s["seats"]):
            found[seat] = score_of(s, seat)
            found[SEATS + seat] = place_of(s, seat)
            found[2 * SEATS + seat] = team_of(s, seat)

    def ending(row, out):
        """Which ending a finished game had, and the values that belong to it."""
        found = carray(out, 1 + SEATS)
        found[0] = ending_of(carray(row, 1)[0], found[1:])

    def laid_out(row, packets, out):
        """How it lies right after a deal: who dealt or begins, and how many numbers were written to ``packets``."""
        found = carray(out, 2)
        found[0], found[1] = laid_out_of(carray(row, 1)[0], carray(packets, MOST_LAID_OUT))

    return {
        "start": Offered(start, (row_at, NUMBERS)),
        "pack": Offered(pack, (row_at, NUMBERS)),
        "deal": Offered(deal, (row_at, NUMBERS, NUMBERS)),
        "legal": Offered(legal, (row_at, NUMBER, NUMBERS)),
        "step": Offered(step, (row_at, NUMBER, NUMBER, NUMBERS)),
        "why_not": Offered(why_not, (row_at, NUMBER, NUMBER, NUMBERS)),
        "view": Offered(view, (row_at, NUMBERS, NUMBER, NUMBER, NUMBERS)),
        "standing": Offered(standing, (row_at, NUMBERS)),
        "ending": Offered(ending, (row_at, NUMBERS)),
        "laid_out": Offered(laid_out, (row_at, NUMBERS, NUMBERS)),
    }
