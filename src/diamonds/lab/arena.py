"""The arena: matches between bots over duplicate deals, and their statistics.

A *lineup* names a bot for each seat. A *block* is one cut and one sequence of decks, played once for every rotation of
the lineup, so that each bot gets every seat's cards. Blocks are independent, but games within a block are not, so every
mean and every interval is over blocks. Bots that make the same decisions get a margin of exactly 0.

Every deck follows from (seed, block), and a bot's random numbers from (seed, block, its place in the lineup, decisions
so far). So results do not depend on the number of processes, and a match can be repeated with one bot exchanged.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from dataclasses import field as default
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

import numpy as np

from diamonds import __version__, cards, fields
from diamonds.bots import kernels, levels
from diamonds.bots.bot import Bot, BotView, bot_view, choose_legal, fault_text
from diamonds.bots.games.fourteen import policy_network
from diamonds.bots.games.mines import policy_network as mines_network
from diamonds.bots.levels import BOTS, find_available_bot, find_bot
from diamonds.errors import DiamondsError, InvalidInputError
from diamonds.game import Game, find_game
from diamonds.lab.pool import Pool, open_pool
from diamonds.rules import fourteen, mines

CONFIDENCE_STD_ERRORS = 1.96  # for a 95 % interval
MAX_ANSWERS = 100_000  # limit in one game


@dataclass(frozen=True)
class MatchSetup:
    """A match: a game, a bot for each seat, options, and a seed."""

    game: str
    lineup: tuple[str, ...]
    options: dict[str, Any] = default(default_factory=dict)
    seed: int = 1

    def to_data(self) -> dict[str, Any]:
        """Return the match as data for JSON."""
        return {"game": self.game, "field": list(self.lineup), "options": dict(self.options), "seed": self.seed}


@dataclass(frozen=True)
class BlockResult:
    """One block: each lineup entry's margin, place and share of wins, averaged over the rotations, and CPU seconds."""

    margin: tuple[float, ...]
    place: tuple[float, ...]
    share: tuple[float, ...]
    orders: tuple[tuple[int, ...], ...]  # for every game, how many entries did better than each entry
    times: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Estimate:
    """A mean over blocks with half the width of its 95 % interval."""

    mean: float
    plus_minus: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.plus_minus:.2f}"


@dataclass(frozen=True)
class BotResult:
    """One bot's results: points above the others' mean, place (1 is best), share of wins, and CPU ms per decision.

    ``blocks_won`` is the share of blocks in which the bot had more points, over all rotations, than its rivals; equal
    blocks count half. With two players a block is a pair of games, and this is the share of pairs won.
    """

    bot: str
    margin: Estimate
    place: Estimate
    share: Estimate
    expected_share: float
    cpu_median_ms: float
    cpu_p95_ms: float
    blocks_won: Estimate

    def to_data(self) -> dict[str, Any]:
        """Return the results as data for JSON."""
        return {"fair" if name == "expected_share" else name: value for name, value in asdict(self).items()}


@dataclass(frozen=True)
class ArenaResult:
    """The result of a match: a line for each bot, and everything needed to repeat it."""

    match: MatchSetup
    blocks: int
    games: int
    lines: list[BotResult]
    version: str
    rules_version: int
    seconds: float

    def to_data(self) -> dict[str, Any]:
        """Return the result as data for JSON."""
        return {**asdict(self), "match": self.match.to_data(), "lines": [line.to_data() for line in self.lines]}

    def bot_result(self, bot: str) -> BotResult:
        """Return the line of a bot."""
        return next(line for line in self.lines if line.bot == bot)


def score_margins(game: Game, state: np.void) -> list[Fraction]:
    """Return each seat's score minus the mean of its rivals' (in mines: 1 for a win, −1 for a loss)."""
    seats = range(int(state["seats"]))
    if game.name == mines.NAME:
        winner = int(state["winner"])
        return [Fraction(0 if winner < 0 else 1 if winner == seat else -1) for seat in seats]
    rules = game.rules
    scores = [int(rules.score(state, seat)) for seat in seats]
    margins = []
    for seat in seats:
        rivals = [scores[other] for other in seats if rules.team(state, other) != rules.team(state, seat)]
        margins.append(scores[seat] - Fraction(sum(rivals), len(rivals)))
    return margins


def play_game(
    game: Game,
    start: np.void,
    deck: Callable[[int], Any],
    entry_of_seat: Sequence[int],
    match: MatchSetup,
    block: int,
    own_bots: Mapping[str, Bot],
) -> tuple[np.void, list[list[float]]]:
    """Play one game. ``entry_of_seat[seat]`` is the lineup entry in the seat, ``deck(n)`` the n-th deck."""
    state, rules = fields.copy_state(start), game.rules
    bots = [_find_lineup_bot(name, own_bots) for name in match.lineup]
    times: list[list[float]] = [[] for _ in bots]
    answer_count = 0
    while not state["over"]:
        if game.needs_deal(state):
            rules.deal(state, deck(int(state["deals"])), None)
            continue
        seat = cards.lowest(state["to_act"])
        entry = entry_of_seat[seat]
        rng = np.random.default_rng([match.seed, block, entry, answer_count])
        view = bot_view(game, state, seat)
        started = time.thread_time()
        answer = choose_legal(bots[entry], match.lineup[entry], view, game.question(state).name, rng)
        times[entry].append(time.thread_time() - started)
        rules.step(state, seat, answer, None)
        answer_count += 1
        if answer_count == MAX_ANSWERS:
            raise RuntimeError(f"A game did not end within {MAX_ANSWERS:,} answers.")
    return state, times


def play_block(match: MatchSetup, block: int, own_bots: Mapping[str, Bot] = MappingProxyType({})) -> BlockResult:
    """Play one block: the same cards in every rotation of the lineup. The lineup refers to ``own_bots`` by name."""
    game, seats = find_game(match.game), len(match.lineup)
    rng = np.random.default_rng([match.seed, block])
    start = game.start(seats, match.options, rng.permutation(game.pack_for(seats, match.options))[:seats].tolist())
    decks: list[Any] = []

    def deck(n: int) -> Any:
        while len(decks) <= n:
            decks.append(rng.permutation(game.pack(start)))
        return decks[n]

    margin, placings, share = [Fraction(0)] * seats, [Fraction(0)] * seats, [Fraction(0)] * seats
    times: list[list[float]] = [[] for _ in range(seats)]
    orders = []
    for rotation in range(seats):
        entry_of_seat = [(seat + rotation) % seats for seat in range(seats)]
        state, game_times = play_game(game, start, deck, entry_of_seat, match, block, own_bots)
        places = [int(game.rules.seats_ahead(state, seat)) for seat in range(seats)]
        winning_teams = len({int(game.rules.team(state, seat)) for seat in range(seats) if places[seat] == 0})
        for seat, (points, place) in enumerate(zip(score_margins(game, state), places, strict=True)):
            margin[entry_of_seat[seat]] += points
            placings[entry_of_seat[seat]] += place + Fraction(places.count(place) - 1, 2)
            share[entry_of_seat[seat]] += Fraction(place == 0, winning_teams)
        orders.append(tuple(places[entry_of_seat.index(entry)] for entry in range(seats)))
        for entry in range(seats):
            times[entry] += game_times[entry]
    return BlockResult(
        tuple(float(value / seats) for value in margin),
        tuple(float(1 + value / seats) for value in placings),
        tuple(float(value / seats) for value in share),
        tuple(orders),
        tuple(map(tuple, times)),
    )


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent blocks with half its 95 % interval."""
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else float("inf")
    return Estimate(float(np.mean(values)), CONFIDENCE_STD_ERRORS * spread / len(values) ** 0.5)


def is_sprt_decided(values: Sequence[float], gain: float) -> bool:
    """Return whether a sequential test has decided between a mean of 0 and ``gain``.

    Each error is 5 % (log-likelihood ratio ±2.94).
    """
    if len(values) < 16:
        return False
    variance = float(np.var(values, ddof=1))
    if variance == 0:
        return True
    ratio = gain / variance * (float(np.sum(values)) - len(values) * gain / 2)
    return abs(ratio) >= 2.94


def block_win_share(block: BlockResult, entries: Sequence[int]) -> float:
    """Return 1 if these entries had a larger margin in a block than the others on average, ½ if equal, else 0."""
    own = [block.margin[k] for k in entries]
    others = [margin for k, margin in enumerate(block.margin) if k not in entries]
    ahead = float(np.mean(own) - np.mean(others)) if others else 0.0
    # With more than two seats, margins are fractions, so equal ones may differ by rounding.
    return 0.5 if abs(ahead) < 1e-9 else float(ahead > 0)


def summarize(match: MatchSetup, blocks: Sequence[BlockResult], seconds: float) -> ArenaResult:
    """Return the result of these blocks, with a line for each bot in the lineup."""
    lines = []
    game = find_game(match.game)
    seats = len(match.lineup)
    blank = game.empty_state(seats, match.options)
    teams = len({int(game.rules.team(blank, seat)) for seat in range(seats)})
    for bot in dict.fromkeys(match.lineup):
        entries = [k for k, name in enumerate(match.lineup) if name == bot]

        def over_blocks(what: str, entries: list[int] = entries) -> Estimate:
            return estimate([sum(getattr(block, what)[k] for k in entries) / len(entries) for block in blocks])

        cpu_ms = [1000 * t for block in blocks for k in entries for t in block.times[k]]
        lines.append(
            BotResult(
                bot, over_blocks("margin"), over_blocks("place"), over_blocks("share"), 1 / teams,
                float(np.median(cpu_ms)), float(np.percentile(cpu_ms, 95)),
                estimate([block_win_share(block, entries) for block in blocks]),
            )
        )  # fmt: skip
    return ArenaResult(
        match, len(blocks), len(blocks) * seats, lines, __version__, find_game(match.game).version, seconds
    )


def check_match(match: MatchSetup, own_bots: Mapping[str, Bot] = MappingProxyType({})) -> MatchSetup:
    """Return the match with all options and full names. Raise a `DiamondsError` if it cannot be played."""
    game = find_game(match.game)
    for name in match.lineup:
        if name not in own_bots:
            find_available_bot(name, game)
    options = game.check_options(len(match.lineup), match.options)
    full_names = {name: name for name in match.lineup}
    for name in full_names:
        if is_external_bot(name):
            from diamonds.lab import ismcts

            full_names[name] = ismcts.resolve_name(name, game, len(match.lineup), options)
    return MatchSetup(match.game, tuple(full_names[name] for name in match.lineup), options, match.seed)


def is_external_bot(name: object) -> bool:
    """Return whether this is the name of OpenSpiel's bot (`diamonds.lab.ismcts`), which only the arena knows."""
    return isinstance(name, str) and name.startswith("ismcts")


class CarelessBot:
    """Rules of thumb with some random answers: the opponent that the lowest level has to beat."""

    random_percent = 30

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        return BOTS["random" if rng.integers(100) < self.random_percent else "simple"].choose(view, question, rng)


class NetworkBot:
    """A player of fourteen or mines by the game's network alone (``policy_network``), with rule-of-thumb bids."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        if view.game.name == mines.NAME:
            return int(mines_network.network_answer(view.row, view.seat, mines_network_memory()))
        if view.game.name != fourteen.NAME:
            raise InvalidInputError(f"The network plays {fourteen.NAME} and {mines.NAME} only.")
        return int(policy_network.network_answer(view.row, view.seat, -1, network_memory()))


@cache
def network_memory() -> np.ndarray[Any, Any]:
    """Return the trained weights of fourteen, with space for sums."""
    return policy_network.new_memory(policy_network.load_weights())  # type: ignore[no-any-return]


@cache
def mines_network_memory() -> np.ndarray[Any, Any]:
    """Return the trained weights of mines, with space for sums."""
    return mines_network.new_memory(mines_network.load_weights())  # type: ignore[no-any-return]


def find_lab_bot(name: str) -> Bot:
    """Return a bot of the lab or of OpenSpiel (`diamonds.bots.plugins.LAB_BOT_PATTERN`).

    Raise `DiamondsError` if its libraries are not installed.
    """
    source = name.rpartition("=")[2]
    if source == "network":
        return NetworkBot()
    if not is_external_bot(name):
        return CarelessBot()
    if find_spec("open_spiel") is None or find_spec("numba") is None:
        raise DiamondsError(f"The bot {name} is OpenSpiel's. Install Diamonds with the extras 'envs' and 'lab'.")
    from diamonds.lab import ismcts

    return ismcts.find_ismcts_bot(name)


def _find_lineup_bot(name: str, own_bots: Mapping[str, Bot]) -> Bot:
    return own_bots[name] if name in own_bots else find_bot(name)


def run_match(
    match: MatchSetup,
    blocks: int = 100,
    *,
    gain: float | None = None,
    processes: int | None = None,
    pool: Pool | None = None,
    progress: Callable[[int, int], None] | None = None,
    first_block: int = 0,
    bots: Mapping[str, Bot] = MappingProxyType({}),
) -> tuple[ArenaResult, list[BlockResult]]:
    """Play a match of ``blocks`` blocks on all cores; with ``gain``, stop as soon as the first bot's margin is decided.

    ``pool`` plays instead of ``processes`` on this machine. ``bots`` are your own bots, by their names in the lineup.
    With several processes they are pickled. Raise `DiamondsError` if the match is not possible. ``progress(done,
    total)`` is called after every block.
    """
    match = check_match(match, bots)
    if blocks < 2:
        raise InvalidInputError("A match needs at least two blocks for its interval.")
    started = time.monotonic()
    played: list[BlockResult] = []
    with ExitStack() as stack:
        workers = pool or stack.enter_context(open_pool(processes))
        results = workers.run(MatchJob(match, bots), range(first_block, first_block + blocks))
        for block in results:
            played.append(block)
            if progress:
                progress(len(played), blocks)
            if gain is not None and is_sprt_decided([one.margin[0] for one in played], gain):
                break
    return summarize(match, played, time.monotonic() - started), played


class MatchJob:
    """The blocks of a match. The caller's bots are pickled separately, so that an error can name the bot."""

    def __init__(self, match: MatchSetup, own_bots: Mapping[str, Bot]) -> None:
        self.match, self.own_bots = match, own_bots

    def __getstate__(self) -> tuple[MatchSetup, dict[str, bytes]]:
        pickled = {}
        for name in self.own_bots.keys() & self.match.lineup:
            try:
                pickled[name] = pickle.dumps(self.own_bots[name])
            except Exception as error:  # pickling a bot can raise any error
                raise InvalidInputError("arena-bot-not-pickled", name=name, why=fault_text(error)) from None
        return self.match, pickled

    def __setstate__(self, state: tuple[MatchSetup, dict[str, bytes]]) -> None:
        self.match, pickled = state
        self.own_bots = {}
        for name, pickled_bot in pickled.items():
            try:
                self.own_bots[name] = pickle.loads(pickled_bot)
            except Exception as error:
                raise InvalidInputError("arena-bot-not-pickled", name=name, why=fault_text(error)) from None

    def open(self) -> Callable[[int], BlockResult]:
        _prepare_bots(self.match)
        return lambda block: play_block(self.match, block, self.own_bots)


def _prepare_bots(match: MatchSetup) -> None:
    """Compile or load the bots' kernels before the bots are timed."""
    game = find_game(match.game)
    if any(isinstance(BOTS.get(name), levels.LevelBot) for name in match.lineup):
        kernels.load(game)
    for name in filter(is_external_bot, set(match.lineup)):
        from diamonds.lab import ismcts

        ismcts.prepare_bot(name, game, len(match.lineup), match.options)
