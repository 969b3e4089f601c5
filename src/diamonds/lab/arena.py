"""Matches between bots over duplicate deals, and what can be said of the result.

A *field* names a bot for each seat. A *block* is one cut and one sequence of decks, played once for every rotation of the
field, so that each bot has every seat's cards. Blocks are independent, games within a block are not: every mean and every
interval is over blocks. Equal bots that decide alike get a margin of exactly 0.

Every deck follows from (seed, block), and a bot's random numbers from (seed, block, its place in the field, decisions so
far): results do not depend on the number of processes, and a match can be repeated with one bot exchanged.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from dataclasses import field as default
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

import numpy as np

from diamonds import __version__, cards, fields, machine
from diamonds.bots import kernels, levels
from diamonds.bots.bot import Bot, Seen, see
from diamonds.bots.levels import BOTS, find_bot
from diamonds.game import Game, Malformed, Refused, find_game
from diamonds.rules import mines

CONFIDENCE = 1.96  # standard errors: a 95 % interval
LONGEST = 100_000  # answers in one game


@dataclass(frozen=True)
class Match:
    """What is played: a game, a bot for each seat, options, and a seed."""

    game: str
    field: tuple[str, ...]
    options: dict[str, Any] = default(default_factory=dict)
    seed: int = 1


@dataclass(frozen=True)
class Block:
    """One block: for each place of the field its margin, place and win share, means over the rotations; and CPU seconds."""

    margin: tuple[float, ...]
    place: tuple[float, ...]
    share: tuple[float, ...]
    orders: tuple[tuple[int, ...], ...]  # for every game, each place of the field's number of betters
    times: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Estimate:
    """A mean over blocks with half the width of its 95 % interval."""

    mean: float
    plus_minus: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.plus_minus:.2f}"


@dataclass(frozen=True)
class Line:
    """How one bot did: points above the others' mean, place (1 is best), share of wins, and CPU milliseconds a decision.

    ``blocks_won`` is the share of blocks in which the bot had more, over all rotations, than its rivals; equal blocks count
    half. With two players a block is a pair of games, and this the share of pairs won.
    """

    bot: str
    margin: Estimate
    place: Estimate
    share: Estimate
    fair: float
    cpu_median_ms: float
    cpu_p95_ms: float
    blocks_won: Estimate


@dataclass(frozen=True)
class Result:
    """A match played: its lines, and everything needed to play it again."""

    match: Match
    blocks: int
    games: int
    lines: list[Line]
    version: str
    rules_version: int
    seconds: float

    def data(self) -> dict[str, Any]:
        """As JSON takes it."""
        return asdict(self)

    def line(self, bot: str) -> Line:
        """The line of a bot."""
        return next(line for line in self.lines if line.bot == bot)


def margins(game: Game, state: np.void) -> list[Fraction]:
    """Each seat's score less the mean of its rivals' (in mines: 1 for a win, −1 for a loss)."""
    seats = range(int(state["seats"]))
    if game.name == mines.NAME:
        winner = int(state["winner"])
        return [Fraction(0 if winner < 0 else 1 if winner == seat else -1) for seat in seats]
    rules = game.rules
    scores = [int(rules.score(state, seat)) for seat in seats]
    found = []
    for seat in seats:
        rivals = [scores[other] for other in seats if rules.team(state, other) != rules.team(state, seat)]
        found.append(scores[seat] - Fraction(sum(rivals), len(rivals)))
    return found


def play_game(
    game: Game, start: np.void, deck: Callable[[int], Any], seated: Sequence[int], match: Match, block: int
) -> tuple[np.void, list[list[float]]]:
    """Play one game. ``seated[seat]`` is the place in the field that has the seat, ``deck(n)`` the n-th deck."""
    state, rules = fields.copy_state(start), game.rules
    bots = [find_player(name) for name in match.field]
    times: list[list[float]] = [[] for _ in bots]
    given = 0
    while not state["over"]:
        if game.wants_cards(state):
            rules.deal(state, deck(int(state["deals"])), None)
            continue
        seat = cards.lowest(state["to_act"])
        place = seated[seat]
        rng = np.random.default_rng([match.seed, block, place, given])
        view = see(game, state, seat)
        before = time.thread_time()
        answer = bots[place].choose(view, game.question(state).name, rng)
        times[place].append(time.thread_time() - before)
        if not int(rules.legal(state, seat)) >> answer & 1:
            raise RuntimeError(f"The bot {match.field[place]} gave an illegal answer, number {answer}.")
        rules.step(state, seat, answer, None)
        given += 1
        if given == LONGEST:
            raise RuntimeError(f"A game was not over after {LONGEST:,} answers.")
    return state, times


def play_block(match: Match, block: int) -> Block:
    """Play one block: the same cards in every rotation of the field."""
    game, seats = find_game(match.game), len(match.field)
    rng = np.random.default_rng([match.seed, block])
    start = game.start(seats, match.options, rng.permutation(game.pack_at(seats, match.options))[:seats].tolist())
    decks: list[Any] = []

    def deck(n: int) -> Any:
        while len(decks) <= n:
            decks.append(rng.permutation(game.pack(start)))
        return decks[n]

    margin, betters, share = [Fraction(0)] * seats, [Fraction(0)] * seats, [Fraction(0)] * seats
    times: list[list[float]] = [[] for _ in range(seats)]
    orders = []
    for rotation in range(seats):
        seated = [(seat + rotation) % seats for seat in range(seats)]
        state, taken = play_game(game, start, deck, seated, match, block)
        places = [int(game.rules.place(state, seat)) for seat in range(seats)]
        won = len({int(game.rules.team(state, seat)) for seat in range(seats) if places[seat] == 0})
        for seat, (points, place) in enumerate(zip(margins(game, state), places, strict=True)):
            margin[seated[seat]] += points
            betters[seated[seat]] += place + Fraction(places.count(place) - 1, 2)
            share[seated[seat]] += Fraction(place == 0, won)
        orders.append(tuple(places[seated.index(entry)] for entry in range(seats)))
        for entry in range(seats):
            times[entry] += taken[entry]
    return Block(
        tuple(float(value / seats) for value in margin),
        tuple(float(1 + value / seats) for value in betters),
        tuple(float(value / seats) for value in share),
        tuple(orders),
        tuple(map(tuple, times)),
    )


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent blocks and half its 95 % interval."""
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else float("inf")
    return Estimate(float(np.mean(values)), CONFIDENCE * spread / len(values) ** 0.5)


def decided(values: Sequence[float], gain: float) -> bool:
    """Whether a sequential test has an answer: is the mean 0, or ``gain``? Both errors at 5 % (log-likelihood ratio ±2.94)."""
    if len(values) < 16:
        return False
    variance = float(np.var(values, ddof=1))
    if variance == 0:
        return True
    ratio = gain / variance * (float(np.sum(values)) - len(values) * gain / 2)
    return abs(ratio) >= 2.94


def block_won(block: Block, entries: Sequence[int]) -> float:
    """Whether these places of the field had a larger margin in a block than the others on average: 1, 0, or ½ for equal ones."""
    own = [block.margin[k] for k in entries]
    others = [margin for k, margin in enumerate(block.margin) if k not in entries]
    ahead = float(np.mean(own) - np.mean(others)) if others else 0.0
    return 0.5 if abs(ahead) < 1e-9 else float(ahead > 0)  # margins of more than two seats are thirds, fourths, …


def summary(match: Match, blocks: Sequence[Block], seconds: float) -> Result:
    """Blocks as lines, one for each bot named in the field."""
    lines = []
    game = find_game(match.game)
    seats = len(match.field)
    blank = game.blank(seats, match.options)
    teams = len({int(game.rules.team(blank, seat)) for seat in range(seats)})
    for bot in dict.fromkeys(match.field):
        entries = [k for k, name in enumerate(match.field) if name == bot]

        def over_blocks(what: str, entries: list[int] = entries) -> Estimate:
            return estimate([sum(getattr(block, what)[k] for k in entries) / len(entries) for block in blocks])

        spent = [1000 * t for block in blocks for k in entries for t in block.times[k]]
        lines.append(
            Line(
                bot, over_blocks("margin"), over_blocks("place"), over_blocks("share"), 1 / teams,
                float(np.median(spent)), float(np.percentile(spent, 95)),
                estimate([block_won(block, entries) for block in blocks]),
            )
        )  # fmt: skip
    return Result(match, len(blocks), len(blocks) * seats, lines, __version__, find_game(match.game).version, seconds)


def check(match: Match) -> Match:
    """The match with all options and names written out, or a sentence about what is wrong with it."""
    game = find_game(match.game)
    for name in match.field:
        find_player(name)
    options = game.check_options(len(match.field), match.options)
    full = {name: name for name in match.field}
    for name in full:
        if foreign(name):
            from diamonds.lab import ismcts

            full[name] = ismcts.settle(name, game, len(match.field), options)
    return Match(match.game, tuple(full[name] for name in match.field), options, match.seed)


def foreign(name: object) -> bool:
    """Whether this is a name of OpenSpiel's bot (`diamonds.lab.ismcts`), which only the arena knows."""
    return isinstance(name, str) and name.startswith("ismcts")


class CarelessBot:
    """Rules of thumb, but of its answers so many in a hundred are drawn at random: what the lowest level has to beat."""

    astray = 30

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        return BOTS["random" if rng.integers(100) < self.astray else "simple"].choose(view, question, rng)


OF_THE_ARENA: dict[object, Bot] = {"careless": CarelessBot()}


def find_player(name: object) -> Bot:
    """The bot of this name, the arena's own and OpenSpiel's among them. `Unknown`, or `Refused` where what it needs is not installed."""
    if name in OF_THE_ARENA:
        return OF_THE_ARENA[name]
    if not foreign(name):
        return find_bot(name)
    if find_spec("open_spiel") is None or find_spec("numba") is None:
        raise Refused(f"The bot {name} is OpenSpiel's. Install Diamonds with the extras 'envs' and 'lab'.")
    from diamonds.lab import ismcts

    return ismcts.find(str(name))


def run(
    match: Match,
    blocks: int = 100,
    *,
    gain: float | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    first_block: int = 0,
) -> tuple[Result, list[Block]]:
    """Play a match of so many blocks on all cores; with ``gain``, stop as soon as the first bot's margin is decided.

    Raises `diamonds.game.Refused` for a match that cannot be. ``progress(done, of)`` is called after every block.
    """
    match = check(match)
    if blocks < 2:
        raise Malformed("An interval needs at least two blocks.")
    began = time.monotonic()
    played: list[Block] = []
    for block in _blocks(match, range(first_block, first_block + blocks), processes):
        played.append(block)
        if progress:
            progress(len(played), blocks)
        if gain is not None and decided([one.margin[0] for one in played], gain):
            break
    return summary(match, played, time.monotonic() - began), played


def _blocks(match: Match, numbers: Sequence[int], processes: int | None) -> Iterator[Block]:
    """The blocks in order, played in several processes (one: in this one)."""
    workers = processes or machine.processors()
    if workers == 1:
        _get_ready(match)
        for number in numbers:
            yield play_block(match, number)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _get_ready, (match,)) as pool:
        waiting: list[Future[Block]] = []
        todo = iter(numbers)
        try:
            for number in todo:
                waiting.append(pool.submit(play_block, match, number))
                if len(waiting) == 2 * workers:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        except BrokenProcessPool:
            raise Refused("A process of the match was ended from outside; play it again.") from None
        finally:
            for future in waiting:
                future.cancel()


def _get_ready(match: Match) -> None:
    """Compile or load what the bots need before their time is taken."""
    game = find_game(match.game)
    if any(isinstance(BOTS.get(name), levels.LevelBot) for name in match.field):
        kernels.load(game)
    for name in filter(foreign, set(match.field)):
        from diamonds.lab import ismcts

        ismcts.prepare(name, game, len(match.field), match.options)
