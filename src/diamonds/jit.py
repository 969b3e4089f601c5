"""Numba-compiled rules: playouts and perft.

Every function of a rules module is registered with `register_jitable`, so the compiled game runs the same source as the
interpreted one and gives the same bytes (a test plays both). Compiled kernels are cached on disk by the fingerprint of
their code (`diamonds.code_fingerprint`): a change in one game does not recompile another, and a new comment
recompiles nothing.

Every kernel releases the GIL. Random numbers are SplitMix64, one ``uint64`` of state.
"""

from __future__ import annotations

import inspect
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.extending import intrinsic, overload, register_jitable, typeof_impl

from diamonds import cards, events, fields, playout, rng
from diamonds.code_fingerprint import fingerprint
from diamonds.game import GAMES, Game
from diamonds.playout import RulesFunctions, deck_of, random_playout_config, rules_of, run_playout

CACHED_VERSIONS = 12  # kept versions of each kernel; the three games need one each


@intrinsic
def _popcount(typing: Any, x: Any) -> Any:
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _trailing_zeros(typing: Any, x: Any) -> Any:
    no = ir.Constant(ir.IntType(1), 0)
    return types.int64(types.int64), lambda context, builder, signature, args: builder.cttz(args[0], no)


@intrinsic
def _leading_zeros(typing: Any, x: Any) -> Any:
    no = ir.Constant(ir.IntType(1), 0)
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctlz(args[0], no)


@overload(cards.count)
def _count(cards):
    return lambda cards: _popcount(np.int64(cards))


@overload(cards.lowest)
def _lowest(cards):
    return lambda cards: _trailing_zeros(np.int64(cards))


@overload(cards.highest)
def _highest(cards):
    return lambda cards: 63 - _leading_zeros(np.int64(cards))


# Machine instructions that replace Python's bit tricks.
BIT_INTRINSICS = (_count, _lowest, _highest, _popcount._defn, _trailing_zeros._defn, _leading_zeros._defn)


# Static tuples: named tuples of functions and numbers that kernels use


def register_static_tuple(kind: type[NamedTuple]) -> None:
    """Let compiled code use named tuples of this class; their members are functions, numbers or other such tuples.

    Numba treats them like modules: their members are compile-time constants, so passing a tuple costs nothing.
    """
    typeof_impl.register(kind)(lambda names, context: types.Module(_static_tuple_module(names)))


@cache
def _static_tuple_module(names: Any) -> ModuleType:
    """Return the module for this tuple, always the same one, because to Numba another module is another type."""
    module = ModuleType(type(names).__name__)
    vars(module).update(names._asdict())
    return module


@cache
def register_module(module: ModuleType) -> None:
    """Let compiled code call every function that a module defines."""
    for function in vars(module).values():
        if inspect.isfunction(function) and function.__module__ == module.__name__:
            register_jitable(function)


def register_function(function: Any) -> Any:
    """Let compiled code call a function; return it, or the plain function behind one that Numba has compiled."""
    function = getattr(function, "py_func", function)
    register_jitable(function)
    return function


register_jitable(cards.bit)
register_jitable(cards.suit_cards)
register_jitable(cards.cut_winner)
register_jitable(cards.write_packet)
register_jitable(fields.seat_to_left)
register_jitable(events.emit)
register_static_tuple(RulesFunctions)
register_module(rng)
register_module(playout)
for _game in GAMES.values():  # a plugin's game is registered together with its kernels
    register_module(_game.rules)

# Kernels on disk


def cache_dir() -> Path:
    """Return the folder for compiled kernels."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path(os.path.expanduser("~")) / ".cache"
    return Path(cache) / "diamonds" / "kernels"


class KernelCacheLocator(_CacheLocator):
    """The cache folder of a kernel, named by its fingerprint. Only the latest versions of each kernel are kept."""

    def __init__(self, kernel: FunctionType) -> None:
        name = f"{kernel.__module__.rpartition('.')[2]}.{kernel.__qualname__.replace('<locals>.', '')}"
        self.key = fingerprint([kernel, *BIT_INTRINSICS], f"{numba.__version__} {np.__version__}")
        self.folder = cache_dir() / name / self.key
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.folder.touch()
            old = sorted(self.folder.parent.iterdir(), key=lambda path: path.stat().st_mtime)[:-CACHED_VERSIONS]
        except OSError:  # read-only home: compile in every process
            self.folder, old = Path(tempfile.mkdtemp(prefix="diamonds-kernels-")), []
        for path in old:
            shutil.rmtree(path, ignore_errors=True)

    @classmethod
    def from_function(cls, kernel: FunctionType, file: str) -> KernelCacheLocator:
        """Return the locator for a kernel; Numba calls this."""
        return cls(kernel)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self.folder)

    def get_source_stamp(self) -> str:
        """Return the fingerprint: the cache is valid while it stays the same."""
        return self.key

    def get_disambiguator(self) -> str:
        """Return "": the folder already distinguishes kernels."""
        return ""


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes: list[Any] = [KernelCacheLocator]  # noqa: RUF012 (Numba declares it so)


class _KernelCache(FunctionCache):
    _impl_class = _KernelCacheImpl


def compiled(kernel: Any, cached: bool = True) -> Any:
    """Compile a function on its first call, or load it from disk; it may call any registered function.

    Fingerprints cover only this project's functions, so a kernel that calls others must not be ``cached``.
    """
    dispatcher: Any = numba.njit(nogil=True)(kernel)
    if cached:
        dispatcher._cache = _KernelCache(kernel)
    return dispatcher


def compiled_for_modules(*modules: ModuleType) -> Callable[[Any], Any]:
    """Register modules, and return `compiled` for kernels that call their functions."""
    for module in modules:
        register_module(module)
    return compiled


class GameKernels(NamedTuple):
    """The compiled functions of one game.

    Rows are states (`Game.dtype`); ``rng`` is a ``uint64`` array of length one.
    """

    legal: Callable[..., int]
    step: Callable[..., None]
    deal: Callable[..., None]
    playouts: Callable[..., int]
    finish: Callable[..., int]
    perft: Callable[..., int]


@lru_cache(maxsize=8)
def game_kernels(game: Game) -> GameKernels:
    """Return the compiled functions of a game, made on first use.

    A kernel may call rules and the small functions above, but not another kernel: Numba caches a kernel by the values
    it closes over, and a compiled function there would differ in every process.
    """
    rules = game.rules
    register_module(rules)
    legal_of, step_of, deal_of = rules.legal, rules.step, rules.deal
    rules_functions = rules_of(game)

    @compiled
    def legal(s, seat):
        return legal_of(s, seat)

    @compiled
    def step(s, seat, answer, log):
        step_of(s, seat, answer, log)

    @compiled
    def deal(s, deck, log):
        deal_of(s, deck, log)

    @compiled
    def playouts(start, games, rng, max_answers, scores):
        """Play random games from one position; add up each seat's scores, and return the number of answers.

        A game stops after ``max_answers`` answers.
        """
        rows, config = np.empty(1, start.dtype), random_playout_config(rules_functions, max_answers)
        deck = deck_of(start[0], rules_functions, np.empty(60, np.int64))
        played = 0
        for _ in range(games):
            rows[0] = start[0]
            played += run_playout(rows[0], config, None, deck, None, rng)
            for seat in range(rows[0]["seats"]):
                scores[seat] += rules_functions.score(rows[0], seat)
        return played

    @compiled
    def finish(rows, rng, max_answers):
        """Continue every row's game with random answers, to its end or for ``max_answers``; return their number."""
        config = random_playout_config(rules_functions, max_answers)
        deck = deck_of(rows[0], rules_functions, np.empty(60, np.int64))
        played = 0
        for k in range(len(rows)):
            played += run_playout(rows[k], config, None, deck, None, rng)
        return played

    @compiled
    def perft(start, depth):
        """Count the sequences of ``depth`` answers, or fewer if they end in a deal or the end of the game."""
        rows = np.empty(depth + 1, start.dtype)
        seats = np.zeros(depth + 1, np.int64)
        answers_left = np.zeros(depth + 1, np.int64)
        rows[0] = start[0]
        seats[0] = start[0]["to_act"]
        level, leaves = 0, 0
        while level >= 0:
            if answers_left[level] == 0:
                if level == depth or (seats[level] == 0 and rows[level]["to_act"] == 0):
                    leaves += 1
                    level -= 1
                elif seats[level] == 0:
                    level -= 1
                else:
                    answers_left[level] = legal_of(rows[level], cards.lowest(seats[level]))
                continue
            answer = cards.lowest(answers_left[level])
            answers_left[level] &= answers_left[level] - 1
            seat = cards.lowest(seats[level])
            if answers_left[level] == 0:
                seats[level] &= seats[level] - 1
            rows[level + 1] = rows[level]
            step_of(rows[level + 1], seat, answer, None)
            level += 1
            seats[level] = rows[level]["to_act"]
            answers_left[level] = 0
        return leaves

    return GameKernels(legal, step, deal, playouts, finish, perft)


def as_row_array(state: np.void) -> np.ndarray[Any, Any]:
    """Return one state as an array with one row, the form that batch kernels take."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)


def random_start(game: Game, seats: int, options: Mapping[str, Any] | None, rng: np.random.Generator) -> np.void:
    """Return a new game with a random cut, before its first deal, for simulations that need no fairness proof."""
    return game.start(seats, options, rng.permutation(game.pack_for(seats, options))[:seats].tolist())


def new_rng(seed: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return a kernel's random state for a seed."""
    return np.array([np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]], np.uint64)


def simulate_random(
    game: Game, seats: int, options: Mapping[str, Any] | None, games: int, seed: int
) -> tuple[int, list[int]]:
    """Play many random games, compiled; return the number of answers and each seat's total score."""
    cut = np.random.default_rng(seed)
    rng, scores = new_rng(seed), np.zeros(fields.MAX_SEATS, np.int64)
    plies = game_kernels(game).playouts(
        as_row_array(random_start(game, seats, options, cut)), games, rng, 1_000_000, scores
    )
    return int(plies), scores[:seats].tolist()
