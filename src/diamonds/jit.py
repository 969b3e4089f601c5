"""The rules, compiled: playouts, batches and counted game trees. It knows Numba's ways.

`register_jitable` is applied from here to every function of a rules module, so the compiled game is the interpreted one:
the same source, the same bytes (a test plays both). Compiled kernels are kept on disk, each by what it says and calls
(`diamonds.code_fingerprint`): a change in one game compiles nothing of another, and a comment compiles nothing at all.

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
from diamonds.rng import fill_deck, shuffle

CACHED_VERSIONS = 12  # versions of each kernel on disk; three games are three of them


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


# What compiled code does instead of Python's bit tricks.
BIT_INTRINSICS = (_count, _lowest, _highest, _popcount._defn, _trailing_zeros._defn, _leading_zeros._defn)


# Named tuples of functions and numbers, over which kernels close


def register_static_tuple(kind: type[NamedTuple]) -> None:
    """Let compiled code be given named tuples of this kind, whose members are functions, numbers or such tuples again.

    Each is known when it is compiled, as if it were a module: to pass it on costs nothing, for nothing is handed over.
    """
    typeof_impl.register(kind)(lambda names, context: types.Module(_static_tuple_module(names)))


@cache
def _static_tuple_module(names: Any) -> ModuleType:
    """The one for this tuple: to Numba another module would be another type."""
    module = ModuleType(type(names).__name__)
    vars(module).update(names._asdict())
    return module


@cache
def register_module(module: ModuleType) -> None:
    """Let compiled code call every function that a module defines."""
    for function in vars(module).values():
        if inspect.isfunction(function) and function.__module__ == module.__name__:
            register_jitable(function)


register_jitable(cards.bit)
register_jitable(cards.suit_cards)
register_jitable(cards.cut_winner)
register_jitable(cards.write_packet)
register_jitable(fields.seat_to_left)
register_jitable(events.emit)
register_static_tuple(RulesFunctions)
register_module(rng)
register_module(playout)
for _game in GAMES.values():  # one that another package brings is registered with its kernels
    register_module(_game.rules)

# Kernels on disk


def cache_dir() -> Path:
    """Where kernels are kept."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path(os.path.expanduser("~")) / ".cache"
    return Path(cache) / "diamonds" / "kernels"


class KernelCacheLocator(_CacheLocator):
    """Where a kernel is kept: in a folder named by what it says. Of every kernel the last few are kept, older ones swept away."""

    def __init__(self, kernel: FunctionType) -> None:
        name = f"{kernel.__module__.rpartition('.')[2]}.{kernel.__qualname__.replace('<locals>.', '')}"
        self.key = fingerprint([kernel, *BIT_INTRINSICS], f"{numba.__version__} {np.__version__}")
        self.folder = cache_dir() / name / self.key
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.folder.touch()
            old = sorted(self.folder.parent.iterdir(), key=lambda path: path.stat().st_mtime)[:-CACHED_VERSIONS]
        except OSError:  # a read-only home: compile anew in every process rather than not at all
            self.folder, old = Path(tempfile.mkdtemp(prefix="diamonds-kernels-")), []
        for path in old:
            shutil.rmtree(path, ignore_errors=True)

    @classmethod
    def from_function(cls, kernel: FunctionType, file: str) -> KernelCacheLocator:
        """As Numba asks for it."""
        return cls(kernel)

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self.folder)

    def get_source_stamp(self) -> str:
        """What is kept is true as long as this is the same."""
        return self.key

    def get_disambiguator(self) -> str:
        """The folder tells kernels apart."""
        return ""


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes: list[Any] = [KernelCacheLocator]  # noqa: RUF012 (Numba declares it so)


class _KernelCache(FunctionCache):
    _impl_class = _KernelCacheImpl


def compiled(kernel: Any) -> Any:
    """Compile a function when it is first called, or take it from disk; it may call whatever is registered."""
    dispatcher: Any = numba.njit(nogil=True)(kernel)
    dispatcher._cache = _KernelCache(kernel)
    return dispatcher


def compiled_for_modules(*modules: ModuleType) -> Callable[[Any], Any]:
    """`compiled` for kernels that call functions of more modules: registers them."""
    for module in modules:
        register_module(module)
    return compiled


class GameKernels(NamedTuple):
    """The compiled functions of one game. Rows are states (`Game.dtype`); ``rng`` is a ``uint64`` array of one."""

    legal: Callable[..., int]
    step: Callable[..., None]
    deal: Callable[..., None]
    playouts: Callable[..., int]
    finish: Callable[..., int]
    step_many: Callable[..., int]
    perft: Callable[..., int]


@lru_cache(maxsize=8)
def game_kernels(game: Game) -> GameKernels:
    """The compiled functions of a game, made on first use.

    A kernel may call rules and the small functions above, but not another kernel: Numba keeps a kernel on disk by what it
    closes over, and would find a compiled function there different in every process.
    """
    rules = game.rules
    register_module(rules)
    legal_of, step_of, deal_of, pack_of, cards_dealt_of = (
        rules.legal,
        rules.step,
        rules.deal,
        rules.pack,
        rules.cards_dealt,
    )
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
        """Play random legal answers from one position, many times; adds up each seat's scores and returns the plies.

        A game is left after ``most`` answers.
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
        """Play every row's game on with random legal answers, to its end or for ``most`` of them; returns the plies."""
        config = random_playout_config(rules_functions, max_answers)
        deck = deck_of(rows[0], rules_functions, np.empty(60, np.int64))
        played = 0
        for k in range(len(rows)):
            played += run_playout(rows[k], config, None, deck, None, rng)
        return played

    @compiled
    def step_many(rows, starts, answers, rngs, done):
        """Step many tables at once: table k's lowest seat to act gives ``answers[k]``.

        Cards are dealt when wanted. A finished table sets ``done[k]`` and begins again from ``starts[k]``. An answer that
        is not legal changes nothing; the number of those is returned.
        """
        deck = np.empty(60, np.int64)
        illegal_count = 0
        for k in range(len(rows)):
            s = rows[k]
            done[k] = 0
            if s["to_act"] != 0:
                seat = cards.lowest(s["to_act"])
                answer = answers[k]
                if answer < 0 or answer > 60 or legal_of(s, seat) >> answer & 1 == 0:
                    illegal_count += 1
                    continue
                step_of(s, seat, answer, None)
            if s["over"] != 0:
                done[k] = 1
                rows[k] = starts[k]
            if rows[k]["to_act"] == 0:
                shuffle(deck, fill_deck(deck, pack_of(rows[k])), cards_dealt_of(rows[k]), rngs[k : k + 1])
                deal_of(rows[k], deck, None)
        return illegal_count

    @compiled
    def perft(start, depth):
        """Count the sequences of ``depth`` answers, shorter ones that end in a deal or the end of the game among them."""
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

    return GameKernels(legal, step, deal, playouts, finish, step_many, perft)


def as_row_array(state: np.void) -> np.ndarray[Any, Any]:
    """One state as an array of one row, as batch kernels take it."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)


def random_start(game: Game, seats: int, options: Mapping[str, Any] | None, rng: np.random.Generator) -> np.void:
    """A new game with a random cut, before its first deal: for simulations, where nothing has to be proved to anyone."""
    return game.start(seats, options, rng.permutation(game.pack_for(seats, options))[:seats].tolist())


def new_rng(seed: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """A kernel's random state from a seed."""
    return np.array([np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]], np.uint64)


def simulate_random(
    game: Game, seats: int, options: Mapping[str, Any] | None, games: int, seed: int
) -> tuple[int, list[int]]:
    """Play many random games compiled; returns the plies played and each seat's scores added up."""
    cut = np.random.default_rng(seed)
    rng, scores = new_rng(seed), np.zeros(fields.MAX_SEATS, np.int64)
    plies = game_kernels(game).playouts(
        as_row_array(random_start(game, seats, options, cut)), games, rng, 1_000_000, scores
    )
    return int(plies), scores[:seats].tolist()
