"""The exported functions of a game's modules: thin wrappers whose arguments are addresses and integers.

A row has the layout of NumPy in memory. Functions write their results to ``out``, an array of numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import register_jitable

from diamonds import jit, views
from diamonds.bots import games
from diamonds.bots.games.adapter import COUNT_COLUMNS, MAX_CANDIDATES, NO_PLAN, GameAdapter, JudgeParams, SearchParams
from diamonds.bots.games.reason_kinds import MAX_REASONS
from diamonds.bots.search import evaluate as weighing
from diamonds.bots.search import judge as judging
from diamonds.bots.search import reason_selection as explaining
from diamonds.bots.search import search
from diamonds.cards import MAX_PACKET_NUMBERS, lowest
from diamonds.events import LOG_COLUMNS, MAX_LOG_ROWS
from diamonds.fields import MAX_SEATS
from diamonds.game import Game
from diamonds.views import SPECTATOR, VisibilityTable

INT64 = types.int64
INT64_PTR = types.CPointer(types.int64)
FLOAT_PTR = types.CPointer(types.float64)
UINT64_PTR = types.CPointer(types.uint64)
MAX_CARDS = 60

jit.register_module(views)
jit.register_module(explaining)


class WasmExport(NamedTuple):
    """An exported function with the types of its arguments."""

    function: Callable[..., None]
    types: tuple[Any, ...]


def play_exports(game: Game) -> dict[str, WasmExport]:
    """Return the functions for playing a game: its rules and the views."""
    rules, length = game.rules, game.dtype.itemsize // 8
    visibility, owner_seat, flag, perfect_recall = views.visibility_table(game)
    jit.register_module(rules)
    row_at = types.CPointer(numba.from_dtype(game.dtype))
    start_of, pack_of, deal_of, legal_of, step_of = rules.start, rules.pack, rules.deal, rules.legal, rules.step
    illegal_reason_of, score_of, seats_ahead_of = rules.illegal_reason, rules.score, rules.seats_ahead
    team_of, ending_of, deal_packets_of, fill_view_of = rules.team, rules.ending, rules.deal_packets, views.fill_view
    facts_of = getattr(rules, "facts", None)

    def start(row, cut):
        """Lay out the first position. The row already contains the number of seats and the options."""
        start_of(carray(row, 1)[0], carray(cut, MAX_SEATS))

    def pack(row, out):
        """Write the cards of the next deal, as bits."""
        carray(out, 1)[0] = pack_of(carray(row, 1)[0])

    def deal(row, deck, log):
        """Distribute a shuffled pack."""
        deal_of(carray(row, 1)[0], carray(deck, MAX_CARDS), carray(log, (MAX_LOG_ROWS, LOG_COLUMNS)))

    def legal(row, seat, out):
        """Write the legal answers of a seat that owes one, as bits."""
        carray(out, 1)[0] = legal_of(carray(row, 1)[0], seat)

    def step(row, seat, answer, log):
        """Apply a legal answer."""
        step_of(carray(row, 1)[0], seat, answer, carray(log, (MAX_LOG_ROWS, LOG_COLUMNS)))

    def why_not(row, seat, answer, out):
        """Write the number of the reason why an answer is not legal, and its value."""
        result = carray(out, 2)
        result[0], result[1] = illegal_reason_of(carray(row, 1)[0], seat, answer)

    def view(row, flat, seat, with_recall, out):
        """Write the view of a seat (−1: a spectator). ``flat`` is the row again, as integers."""
        team = team_of(carray(row, 1)[0], seat) if seat >= 0 else SPECTATOR
        table = VisibilityTable(visibility, owner_seat, flag, perfect_recall)
        fill_view_of(carray(flat, length), seat, team, with_recall != 0, table, carray(out, length))

    def standing(row, out):
        """Write every seat's score, then every seat's place, then every seat's team: `MAX_SEATS` numbers each."""
        s, result = carray(row, 1)[0], carray(out, 3 * MAX_SEATS)
        for seat in range(s["seats"]):
            result[seat] = score_of(s, seat)
            result[MAX_SEATS + seat] = seats_ahead_of(s, seat)
            result[2 * MAX_SEATS + seat] = team_of(s, seat)

    def ending(row, out):
        """Write the ending of a finished game, and its values."""
        result = carray(out, 1 + MAX_SEATS)
        result[0] = ending_of(carray(row, 1)[0], result[1:])

    def laid_out(row, packets, out):
        """Write the cards right after a deal; ``out`` gets who dealt or begins, and the size of ``packets``."""
        result = carray(out, 2)
        result[0], result[1] = deal_packets_of(carray(row, 1)[0], carray(packets, MAX_PACKET_NUMBERS))

    def facts(row, out):
        """Write the fact that explains an ending (−1 if none does), then its piles as bits and its values."""
        result = carray(out, 2 + MAX_SEATS)
        result[0], result[1] = facts_of(carray(row, 1)[0], result[2:])

    return {
        **({"facts": WasmExport(facts, (row_at, INT64_PTR))} if facts_of else {}),
        "start": WasmExport(start, (row_at, INT64_PTR)),
        "pack": WasmExport(pack, (row_at, INT64_PTR)),
        "deal": WasmExport(deal, (row_at, INT64_PTR, INT64_PTR)),
        "legal": WasmExport(legal, (row_at, INT64, INT64_PTR)),
        "step": WasmExport(step, (row_at, INT64, INT64, INT64_PTR)),
        "why_not": WasmExport(why_not, (row_at, INT64, INT64, INT64_PTR)),
        "view": WasmExport(view, (row_at, INT64_PTR, INT64, INT64, INT64_PTR)),
        "standing": WasmExport(standing, (row_at, INT64_PTR)),
        "ending": WasmExport(ending, (row_at, INT64_PTR)),
        "laid_out": WasmExport(laid_out, (row_at, INT64_PTR, INT64_PTR)),
    }


def search_params_of(numbers):
    """Return `SearchParams` from numbers in the order of the fields."""
    return SearchParams(
        int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[3]), numbers[4], numbers[5], int(numbers[6]), numbers[7], int(numbers[8]),
        int(numbers[9]), numbers[10] != 0.0, numbers[11] != 0.0, numbers[12], numbers[13], numbers[14],
        int(numbers[15]),
    )  # fmt: skip


SEARCH_PARAM_COUNT = len(SearchParams._fields)
register_jitable(search_params_of)


def judge_params_of(numbers):
    """Return `JudgeParams` from numbers in the order of the fields."""
    return JudgeParams(int(numbers[0]), int(numbers[1]), int(numbers[2]), numbers[3])


JUDGE_PARAM_COUNT = len(JudgeParams._fields)
SEED_COUNT, INDEX_COUNT, AMOUNT_COUNT = 6, 3, 8  # sizes of the arrays of `judge.judge_rows`
register_jitable(judge_params_of)


def weight_pointer(adapter: GameAdapter) -> Any:
    """Return the pointer type of a game's trained weights; any type will do for a game without weights."""
    all_weights = adapter.trained_weights()
    return types.CPointer(types.int16 if all_weights is None else numba.from_dtype(all_weights.dtype))


def weights_of(adapter: GameAdapter) -> Callable[..., Any]:
    """Return the plain function ``weights(s, all_weights)``, which selects the trained weights for a table."""
    all_weights, table_index = adapter.trained_weights(), adapter.table_kind
    if all_weights is None:

        def weights(s, all_weights):
            return None

    else:
        shape = all_weights.shape

        def weights(s, all_weights):
            return carray(all_weights, shape)[table_index(s)]

    return register_jitable(weights)


def _jitable(kernel: Any) -> Any:
    """Return a kernel's function, registered for use in other kernels."""
    return register_jitable(kernel.py_func)


def _shared_exports(game: Game) -> dict[str, WasmExport]:
    """Return the functions that search and review modules share."""
    adapter, row_at = games.adapter_for(game), types.CPointer(numba.from_dtype(game.dtype))
    answers_of, worth_of = adapter.answers_of, adapter.value

    def answers(row, seat, candidate, out):
        """Write, as bits, the answers of a candidate that have not been given yet."""
        carray(out, 1)[0] = answers_of(carray(row, 1)[0], seat, candidate)

    def worth(row, seat, out):
        """Write the current margin in points."""
        carray(out, 1)[0] = worth_of(carray(row, 1)[0], seat, 0.0)

    return {
        "answers": WasmExport(answers, (row_at, INT64, INT64, INT64_PTR)),
        "worth": WasmExport(worth, (row_at, INT64, FLOAT_PTR)),
    }


def search_exports(game: Game) -> dict[str, WasmExport]:
    """Return the functions of bots: answers by rules of thumb or search, and evaluation for hints."""
    adapter = games.adapter_for(game)
    row_at, weights_at = types.CPointer(numba.from_dtype(game.dtype)), weight_pointer(adapter)
    weights_for = weights_of(adapter)
    think_of = _jitable(search.compiled_decide(game))
    weigh_of = _jitable(weighing.compiled_evaluate(game))
    choose_of, plans_of = adapter.heuristic_answer, adapter.plans
    obvious_of, representative_of = adapter.obvious_card, adapter.representative

    def choose(row, seat, out):
        """Write the rule-of-thumb answer."""
        carray(out, 1)[0] = choose_of(carray(row, 1)[0], seat, NO_PLAN)

    def obvious(row, seat, candidates, number, out):
        """Write the obvious card, or −1, and the candidate that represents it."""
        view, result = carray(row, 1), carray(out, 2)
        result[0] = obvious_of(view[0], seat)
        if result[0] >= 0:
            result[1] = representative_of(view[0], carray(candidates, MAX_CANDIDATES)[:number], result[0])

    def think(row, seat, search_params, all_weights, answer, bits, candidates, worth, tried, out):
        """Write the number of candidates, the index of the best, and the answer; see `search.compiled_decide`."""
        view, result = carray(row, 1), carray(out, 3)
        result[0], result[1], result[2] = think_of(
            view, seat, search_params_of(carray(search_params, SEARCH_PARAM_COUNT)), weights_for(view[0], all_weights), answer, np.uint64(bits),
            carray(candidates, MAX_CANDIDATES), carray(worth, MAX_CANDIDATES), carray(tried, MAX_CANDIDATES),
        )  # fmt: skip

    def weigh(row, seat, search_params, candidates, number, all_weights, bits, worlds, worth, points, counts, out):
        """Evaluate candidates with the lowest plan; write 1 if any world fits, else 0.

        See `evaluate.compiled_evaluate`.
        """
        view, params = carray(row, 1), search_params_of(carray(search_params, SEARCH_PARAM_COUNT))
        carray(out, 1)[0] = weigh_of(
            view, seat, params, carray(candidates, number), lowest(plans_of(view[0], seat, params)), weights_for(view[0], all_weights), False,
            np.uint64(bits), carray(worth, (worlds, number)), carray(points, (worlds, number)), carray(counts, (number, COUNT_COLUMNS)),
        )  # fmt: skip

    return {
        "choose": WasmExport(choose, (row_at, INT64, INT64_PTR)),
        "obvious": WasmExport(obvious, (row_at, INT64, INT64_PTR, INT64, INT64_PTR)),
        "think": WasmExport(
            think,
            (row_at, INT64, FLOAT_PTR, weights_at, INT64, INT64, INT64_PTR, FLOAT_PTR, INT64_PTR, INT64_PTR),
        ),
        "weigh": WasmExport(
            weigh,
            (
                row_at,
                INT64,
                FLOAT_PTR,
                INT64_PTR,
                INT64,
                weights_at,
                INT64,
                INT64,
                FLOAT_PTR,
                FLOAT_PTR,
                FLOAT_PTR,
                INT64_PTR,
            ),
        ),
        **_shared_exports(game),
    }


def review_exports(game: Game) -> dict[str, WasmExport]:
    """Return the functions of a review: to judge decisions, to forecast, and to find the moments to forecast."""
    adapter = games.adapter_for(game)
    row_at, weights_at = types.CPointer(numba.from_dtype(game.dtype)), weight_pointer(adapter)
    weights_for = weights_of(adapter)
    judge_of = _jitable(judging.compiled_judge(game))
    forecast_of = _jitable(weighing.compiled_forecast(game))
    sets_of, clock_of = adapter.is_set, adapter.turns_played

    def judge(row, truth, seat, answer, search_params, judge_params, all_weights, bits, indices, amounts, counts, out):
        """Judge a decision and write the outcome; see `judge.judge_rows`."""
        view = carray(row, 1)
        carray(out, 1)[0] = judge_of(
            view, carray(truth, 1), seat, answer, search_params_of(carray(search_params, SEARCH_PARAM_COUNT)), judge_params_of(carray(judge_params, JUDGE_PARAM_COUNT)),
            weights_for(view[0], all_weights), carray(bits, SEED_COUNT), carray(indices, INDEX_COUNT), carray(amounts, AMOUNT_COUNT),
            carray(counts, (2, COUNT_COLUMNS)),
        )  # fmt: skip

    def forecast(row, games, random_permille, bits, chances):
        """Forecast the chances to win; see `evaluate.compiled_forecast`."""
        forecast_of(carray(row, 1), games, random_permille, np.uint64(bits), carray(chances, MAX_SEATS))

    def moment(row, out):
        """Write whether the open question asks for a set, and the number of finished tricks or turns."""
        result = carray(out, 2)
        result[0], result[1] = sets_of(carray(row, 1)[0]), clock_of(carray(row, 1)[0])

    return {
        "judge": WasmExport(
            judge,
            (
                row_at,
                row_at,
                INT64,
                INT64,
                FLOAT_PTR,
                FLOAT_PTR,
                weights_at,
                UINT64_PTR,
                INT64_PTR,
                FLOAT_PTR,
                FLOAT_PTR,
                INT64_PTR,
            ),
        ),
        "forecast": WasmExport(forecast, (row_at, INT64, INT64, INT64, FLOAT_PTR)),
        "moment": WasmExport(moment, (row_at, INT64_PTR)),
        **_shared_exports(game),
    }


def reason_exports(game: Game) -> dict[str, WasmExport]:
    """Return the function that explains answers, for a small separate module used by hints and reviews."""
    adapter, row_at = games.adapter_for(game), types.CPointer(numba.from_dtype(game.dtype))
    for module in adapter.modules:
        jit.register_module(module)
    rank, reasons_of, shape = explaining.rank_reasons, adapter.write_reasons, (MAX_REASONS, explaining.SELECTED_COLUMNS)

    def because(row, seat, candidate, counts, rival, rivals, side, ranked, out):
        """Write the number of reasons, and the reasons, heaviest first; see `reason_selection.rank_reasons`."""
        carray(out, 1)[0] = rank(
            carray(row, 1)[0], seat, candidate, carray(counts, COUNT_COLUMNS), rival, carray(rivals, COUNT_COLUMNS), side, reasons_of,
            carray(ranked, shape),
        )  # fmt: skip

    return {
        "because": WasmExport(because, (row_at, INT64, INT64, FLOAT_PTR, INT64, FLOAT_PTR, INT64, INT64_PTR, INT64_PTR))
    }
