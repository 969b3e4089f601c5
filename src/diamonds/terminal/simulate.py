"""Simulations: many games among bots, with shares of wins, points and speed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table as Grid

from diamonds.bots.games import has_adapter
from diamonds.bots.levels import level_name
from diamonds.game import Game
from diamonds.i18n import translate
from diamonds.lab.pool import open_pool
from diamonds.lab.simulation import GameOutcome, SimulationSetup, simulate_games
from diamonds.terminal.screen import Screen, progress_bar

MAX_PLIES = 1_000_000  # limit per game, which no game approaches
MIN_GAMES_TO_COMPILE = 100  # fewer interpreted games finish before Numba has loaded

Z_95 = 1.959964  # 97.5 % point of the normal distribution


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
    """Return the 95 % interval of a share of wins (Wilson 1927)."""
    share, spread = wins / games, Z_95**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half_width = Z_95 / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / games / 4)
    return max(0.0, middle - half_width), min(1.0, middle + half_width)


def simulate_random(game: Game, seats: int, options: dict[str, Any], games: int, seed: int) -> Iterator[GameOutcome]:
    """Yield the outcomes of games among random bots. Shuffles are also compiled, with random numbers of their own."""
    from diamonds import jit  # imported here, because it loads Numba

    finish = jit.game_kernels(game).finish
    cuts, rng = np.random.default_rng([abs(seed), int(seed < 0)]), jit.new_rng(seed % 2**63)
    for _ in range(games):
        rows = jit.as_row_array(jit.random_start(game, seats, options, cuts))
        plies = int(finish(rows, rng, MAX_PLIES))
        yield GameOutcome(game.result(rows[0]), plies, "")


def simulate(
    game: Game,
    seats: int,
    options: dict[str, Any],
    bots: list[str],
    games: int,
    seed: int,
    records: Path | None = None,
    processes: int | None = None,
    ray: str | None = None,
) -> dict[str, Any]:
    """Play the games, with a progress bar if stderr is a terminal; return the summary as data.

    ``records`` is a file for the games' records, one per line. By default each core gets a process if there are many
    games.
    """
    if records is not None:
        for name in bots:
            level_name(name)  # so that the records can name the bot
    is_compiled = games >= MIN_GAMES_TO_COMPILE and find_spec("numba") is not None
    is_random = is_compiled and set(bots) == {"random"} and records is None
    is_compiled = is_random or (is_compiled and has_adapter(game))
    simulation = SimulationSetup(game.name, seats, options, tuple(bots), seed, records is not None, is_compiled)
    default_processes = 1 if is_random or games < MIN_GAMES_TO_COMPILE else None
    totals, started, warmup_s = SimulationResult(seats), time.perf_counter(), 0.0
    with (
        open_pool(processes or default_processes, ray) as pool,
        nullcontext() if records is None else records.open("w", encoding="utf-8") as file,
        progress_bar(f"{game.title}, {games:,} games", games) as progress,
    ):
        outcomes = (
            simulate_random(game, seats, options, games, seed) if is_random else simulate_games(simulation, games, pool)
        )
        for result, plies, record in outcomes:
            if is_compiled and not totals.games:
                warmup_s = time.perf_counter() - started  # the first game loads or compiles the kernel
            totals.add(result, plies)
            if file is not None:
                file.write(f"{record}\n")
            if totals.games % 64 == 0:
                progress(totals.games, games)
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
