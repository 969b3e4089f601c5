"""Simulations: many games among bots, with shares of wins, points and speed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from diamonds.bots import kernels, levels
from diamonds.bots.bot import bot_view
from diamonds.bots.levels import find_bot
from diamonds.deals import seeded_secret
from diamonds.game import Game
from diamonds.i18n import translate
from diamonds.records import start_game
from diamonds.terminal.screen import Screen

MAX_PLIES = 1_000_000  # of one game; far more than any game has
MIN_GAMES_TO_COMPILE = 200  # below this, interpreted games finish before Numba has loaded
GameOutcome = tuple[dict[str, Any], int]  # a result, and the number of answers

Z_95 = 1.959964  # the normal distribution's 97.5 % point


@dataclass
class SimulationResult:
    """Totals of the games so far. A shared victory counts 1 / winners for each winner."""

    seats: int
    games: int = 0
    plies: int = 0
    seconds: float = 0.0
    scores: list[int] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scores = self.scores or [0] * self.seats
        self.wins = self.wins or [0.0] * self.seats

    def add(self, result: dict[str, Any], plies: int) -> None:
        """Add one game."""
        self.games += 1
        self.plies += plies
        for seat, score in enumerate(result["scores"]):
            self.scores[seat] += score
        for seat in result["winners"]:
            self.wins[seat] += 1 / len(result["winners"])


def interval(wins: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share of wins (Wilson 1927)."""
    share, spread = wins / games, Z_95**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half_width = Z_95 / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / games / 4)
    return max(0.0, middle - half_width), min(1.0, middle + half_width)


def bot_rng(seed: int, game_number: int) -> np.random.Generator:
    """Return the random numbers of the bots in one game."""
    return np.random.default_rng([abs(seed), int(seed < 0), game_number])


def simulate_bots(
    game: Game, seats: int, options: dict[str, Any], bots: list[str], games: int, seed: int
) -> Iterator[GameOutcome]:
    """Yield result and number of answers of each game among any bots. Game ``g`` is dealt from seed ``seed + g``."""
    players = [find_bot(name) for name in bots]
    if any(isinstance(player, levels.LevelBot) for player in players):
        kernels.load(game)  # before the clock starts
    for g in range(games):
        played = start_game(game, seats, options, seeded_secret(seed + g))
        rng = bot_rng(seed, g)
        while not played.over:
            seat = game.to_act(played.state)[0]
            question = game.question(played.state)
            number = players[seat].choose(bot_view(game, played.state, seat), question.name, rng)
            played.answer(seat, question.answers[number])
        yield game.result(played.state), played.n


def simulate_compiled(game: Game, seats: int, options: dict[str, Any], games: int, seed: int) -> Iterator[GameOutcome]:
    """Yield the outcomes of games among random bots, compiled: hundreds of times faster, with other random numbers."""
    from diamonds import jit  # loads Numba

    finish = jit.game_kernels(game).finish
    cuts, rng = np.random.default_rng([abs(seed), int(seed < 0)]), jit.new_rng(seed % 2**63)
    for _ in range(games):
        rows = jit.as_row_array(jit.random_start(game, seats, options, cuts))
        plies = int(finish(rows, rng, MAX_PLIES))
        yield game.result(rows[0]), plies


def simulate(
    game: Game, seats: int, options: dict[str, Any], bots: list[str], games: int, seed: int, show_progress: bool
) -> dict[str, Any]:
    """Play the games, with a progress bar if ``show_progress`` is set; return the summary as data."""
    is_compiled = set(bots) == {"random"} and games >= MIN_GAMES_TO_COMPILE and find_spec("numba") is not None
    outcomes = (
        simulate_compiled(game, seats, options, games, seed)
        if is_compiled
        else simulate_bots(game, seats, options, bots, games, seed)
    )
    totals, started, warmup_s = SimulationResult(seats), time.perf_counter(), 0.0
    with Progress(console=Console(stderr=True), transient=True, disable=not show_progress) as progress:
        task = progress.add_task(f"{game.title}, {games:,} games", total=games)
        for result, plies in outcomes:
            if is_compiled and not totals.games:
                warmup_s = time.perf_counter() - started  # the first game loads or compiles the kernel
            totals.add(result, plies)
            if totals.games % 64 == 0:
                progress.update(task, completed=totals.games)
    totals.seconds = time.perf_counter() - started - warmup_s
    return summarize(game, options, bots, seed, is_compiled, totals)


def summarize(
    game: Game, options: dict[str, Any], bots: list[str], seed: int, is_compiled: bool, totals: SimulationResult
) -> dict[str, Any]:
    """Return the totals as data, with a row for each seat."""
    rows = []
    for seat in range(totals.seats):
        low, high = interval(totals.wins[seat], totals.games)
        rows.append(
            {
                "seat": seat,
                "bot": bots[seat],
                "mean_score": round(totals.scores[seat] / totals.games, 4),
                "win_share": round(totals.wins[seat] / totals.games, 4),
                "win_share_95": [round(low, 4), round(high, 4)],
            }
        )
    return {
        "game": game.name,
        "seats": totals.seats,
        "options": options,
        "seed": seed,
        "games": totals.games,
        "compiled": is_compiled,
        "rows": rows,
        "plies_per_game": round(totals.plies / totals.games, 2),
        "games_per_second": round(totals.games / totals.seconds, 1),
    }


def show_summary(result: dict[str, Any], screen: Screen) -> None:
    """Print the summary as a table, or in plain lines."""
    id = "terminal-sim-compiled" if result["compiled"] else "terminal-sim"
    values = {"number": result["games"], "name": result["game"], "seats": result["seats"], "seed": str(result["seed"])}
    screen.print_line(translate(id, values), "bold")
    columns = [translate(f"terminal-sim-{column}") for column in ("seat", "bot", "score", "wins", "interval")]
    rows = [
        (
            str(row["seat"]),
            row["bot"],
            f"{row['mean_score']:.2f}",
            f"{row['win_share']:.1%}",
            f"{row['win_share_95'][0]:.1%} – {row['win_share_95'][1]:.1%}",
        )
        for row in result["rows"]
    ]
    if screen.is_plain:
        for row in rows:
            screen.print_line(", ".join(f"{name} {value}" for name, value in zip(columns, row, strict=True)) + ".")
    else:
        table = Grid(*columns, box=None, padding=(0, 2), header_style="dim")
        for row in rows:
            table.add_row(*row)
        screen.console.print(table)
    speed = {"answers": str(result["plies_per_game"]), "games": result["games_per_second"]}
    screen.print_line(translate("terminal-sim-speed", speed))
