"""What a module of a game offers: thin functions over memory, whose arguments are addresses and whole numbers.

A row lies at an address as NumPy has it in memory. What a function finds it writes to ``out``, an array of whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import register_jitable

from diamonds import jit, views
from diamonds.bots import knowing
from diamonds.bots.knowing.contract import AS_IT_COMES, COLUMNS, MOST_CANDIDATES, Effort, Knowledge, Looks
from diamonds.bots.thinking import because as explaining
from diamonds.bots.thinking import judge as judging
from diamonds.bots.thinking import search
from diamonds.bots.thinking import weigh as weighing
from diamonds.cards import MOST_LAID_OUT, lowest
from diamonds.events import LOG_ROWS, LOG_WIDTH
from diamonds.fields import SEATS
from diamonds.game import Game
from diamonds.views import SPECTATOR, Sight

NUMBER = types.int64
NUMBERS = types.CPointer(types.int64)
MEASURES = types.CPointer(types.float64)
BITS = types.CPointer(types.uint64)
LEARNED = types.CPointer(types.int16)
MOST_CARDS = 60

jit.compile_with(views)
jit.compile_with(explaining)


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
    facts_of = getattr(rules, "facts", None)

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

    def facts(row, out):
        """What an ending rests on: which fact, or −1, the places it speaks of, as bits, and its values."""
        found = carray(out, 2 + SEATS)
        found[0], found[1] = facts_of(carray(row, 1)[0], found[2:])

    return {
        **({"facts": Offered(facts, (row_at, NUMBERS))} if facts_of else {}),
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


def effort_of(told):
    """An `Effort` from its numbers, in their order."""
    return Effort(
        int(told[0]), int(told[1]), int(told[2]), int(told[3]), told[4], told[5], int(told[6]), told[7], int(told[8]),
        int(told[9]), told[10] != 0.0, told[11] != 0.0, told[12], told[13], told[14],
    )  # fmt: skip


EFFORT = len(Effort._fields)
register_jitable(effort_of)


def looks_of(told):
    """`Looks` from their numbers, in their order."""
    return Looks(int(told[0]), int(told[1]), int(told[2]), told[3])


LOOKS = len(Looks._fields)
SEEDS, WHICH, AMOUNTS = 6, 3, 8  # what a judge is given and finds: see `judging.look_at`
register_jitable(looks_of)


def numbers_of(known: Knowledge) -> Callable[..., Any]:
    """``numbers(s, learned)``: what training has found about tables like this one, from all that it has found; plain, for kernels."""
    learned, table = known.learned(), known.table
    if learned is None:

        def numbers(s, learned):
            return None

    else:
        shape = learned.shape

        def numbers(s, learned):
            return carray(learned, shape)[table(s)]

    return register_jitable(numbers)


def _plain(kernel: Any) -> Any:
    """What a kernel is made from, to be part of another."""
    return register_jitable(kernel.py_func)


def _naming(game: Game) -> dict[str, Offered]:
    """What it takes to say which answers were thought about, and how it stands."""
    known, row_at = knowing.of(game), types.CPointer(numba.from_dtype(game.dtype))
    answers_of, worth_of = known.answers, known.worth

    def answers(row, me, candidate, out):
        """The answers that make up a candidate and are still to be given, as bits."""
        carray(out, 1)[0] = answers_of(carray(row, 1)[0], me, candidate)

    def worth(row, me, out):
        """The margin in points as it stands."""
        carray(out, 1)[0] = worth_of(carray(row, 1)[0], me, 0.0)

    return {
        "answers": Offered(answers, (row_at, NUMBER, NUMBER, NUMBERS)),
        "worth": Offered(worth, (row_at, NUMBER, MEASURES)),
    }


def thinking(game: Game) -> dict[str, Offered]:
    """All that bots do: choose an answer, by rules of thumb or after a search; and weigh some answers, for hints."""
    known = knowing.of(game)
    row_at, numbers = types.CPointer(numba.from_dtype(game.dtype)), numbers_of(known)
    think_of = _plain(search.thinker(game))
    weigh_of = _plain(weighing.weigher(game))
    choose_of, plans_of = known.choose, known.plans

    def choose(row, seat, out):
        """The answer by rules of thumb."""
        carray(out, 1)[0] = choose_of(carray(row, 1)[0], seat, AS_IT_COMES)

    def think(row, me, effort, learned, given, bits, candidates, worth, tried, out):
        """See `diamonds.bots.thinking.search.thinker`: how many candidates there are, the place of the best, and the answer."""
        view, found = carray(row, 1), carray(out, 3)
        found[0], found[1], found[2] = think_of(
            view, me, effort_of(carray(effort, EFFORT)), numbers(view[0], learned), given, np.uint64(bits),
            carray(candidates, MOST_CANDIDATES), carray(worth, MOST_CANDIDATES), carray(tried, MOST_CANDIDATES),
        )  # fmt: skip

    def weigh(row, me, effort, candidates, number, learned, bits, worlds, worth, points, counts, out):
        """See `diamonds.bots.thinking.weigh.weigher`; the own seat goes on by the lowest plan. 1 if any world fits, else 0."""
        view, hard = carray(row, 1), effort_of(carray(effort, EFFORT))
        carray(out, 1)[0] = weigh_of(
            view, me, hard, carray(candidates, number), lowest(plans_of(view[0], me, hard)), numbers(view[0], learned), False,
            np.uint64(bits), carray(worth, (worlds, number)), carray(points, (worlds, number)), carray(counts, (number, COLUMNS)),
        )  # fmt: skip

    return {
        "choose": Offered(choose, (row_at, NUMBER, NUMBERS)),
        "think": Offered(
            think,
            (row_at, NUMBER, MEASURES, LEARNED, NUMBER, NUMBER, NUMBERS, MEASURES, NUMBERS, NUMBERS),
        ),
        "weigh": Offered(
            weigh,
            (row_at, NUMBER, MEASURES, NUMBERS, NUMBER, LEARNED, NUMBER, NUMBER, MEASURES, MEASURES, MEASURES, NUMBERS),
        ),
        **_naming(game),
    }


def reviewing(game: Game) -> dict[str, Offered]:
    """What a review takes: judge a decision, forecast how a game ends, and see which moments there are to look at."""
    known = knowing.of(game)
    row_at, numbers = types.CPointer(numba.from_dtype(game.dtype)), numbers_of(known)
    judge_of = _plain(judging.judge_of(game))
    forecast_of = _plain(weighing.forecaster(game))
    sets_of, clock_of = known.sets, known.clock

    def judge(row, truth, me, given, effort, looks, learned, bits, which, amounts, counts, out):
        """See `diamonds.bots.thinking.judge.look_at`: what came of judging."""
        view = carray(row, 1)
        carray(out, 1)[0] = judge_of(
            view, carray(truth, 1), me, given, effort_of(carray(effort, EFFORT)), looks_of(carray(looks, LOOKS)),
            numbers(view[0], learned), carray(bits, SEEDS), carray(which, WHICH), carray(amounts, AMOUNTS),
            carray(counts, (2, COLUMNS)),
        )  # fmt: skip

    def forecast(row, games, noise, bits, chances):
        """See `diamonds.bots.thinking.weigh.forecaster`."""
        forecast_of(carray(row, 1), games, noise, np.uint64(bits), carray(chances, SEATS))

    def moment(row, out):
        """Whether what is named now belongs to a set, and how many tricks or turns are over."""
        found = carray(out, 2)
        found[0], found[1] = sets_of(carray(row, 1)[0]), clock_of(carray(row, 1)[0])

    return {
        "judge": Offered(
            judge,
            (row_at, row_at, NUMBER, NUMBER, MEASURES, MEASURES, LEARNED, BITS, NUMBERS, MEASURES, MEASURES, NUMBERS),
        ),
        "forecast": Offered(forecast, (row_at, NUMBER, NUMBER, NUMBER, MEASURES)),
        "moment": Offered(moment, (row_at, NUMBERS)),
        **_naming(game),
    }


def reasons(game: Game) -> dict[str, Offered]:
    """Why an answer is good: few bytes, for whoever is told a hint or a review."""
    known, row_at = knowing.of(game), types.CPointer(numba.from_dtype(game.dtype))
    for module in known.modules:
        jit.compile_with(module)
    because_of, reasons_of, most, width = explaining.because, known.reasons, explaining.MOST, explaining.TOLD

    def because(row, me, candidate, counts, rival, rivals, told, out):
        """See `diamonds.bots.thinking.because.because`: how many reasons there are."""
        carray(out, 1)[0] = because_of(
            carray(row, 1)[0], me, candidate, carray(counts, COLUMNS), rival, carray(rivals, COLUMNS), reasons_of,
            carray(told, (most, width)),
        )  # fmt: skip

    return {"because": Offered(because, (row_at, NUMBER, NUMBER, MEASURES, NUMBER, MEASURES, NUMBERS, NUMBERS))}
