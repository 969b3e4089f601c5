"""Many games among bots: who wins how often, with how many points, and how fast."""

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
from diamonds.bots.bot import see
from diamonds.bots.levels import find_bot
from diamonds.deals import seeded_secret
from diamonds.game import Game
from diamonds.records import start
from diamonds.terminal.screen import Screen
from diamonds.words import say

MOST_PLIES = 1_000_000  # of one game; none comes near
WORTH_COMPILING = 200  # games; fewer are done before Numba has woken
Outcome = tuple[dict[str, Any], int]  # a result, and how many answers led to it

Z95 = 1.959964  # the normal distribution's 97.5 % point


@dataclass
class Tally:
    """What came of the games so far. A shared victory counts 1 / winners for each."""

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
        """One game more."""
        self.games += 1
        self.plies += plies
        for seat, score in enumerate(result["scores"]):
            self.scores[seat] += score
        for seat in result["winners"]:
            self.wins[seat] += 1 / len(result["winners"])


def interval(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of wins (Wilson 1927)."""
    share, spread = wins / games, Z95**2 / games
    middle = (share + spread / 2) / (1 + spread)
    reach = Z95 / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / games / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def one_by_one(
    game: Game, seats: int, options: dict[str, Any], bots: list[str], games: int, seed: int
) -> Iterator[Outcome]:
    """Games among any bots: each one's result and plies. Game ``g`` is dealt from seed ``seed + g``."""
    players = [find_bot(name) for name in bots]
    if any(isinstance(player, levels.LevelBot) for player in players):
        kernels.load(game)  # before time is taken
    for g in range(games):
        match = start(game, seats, options, seeded_secret(seed + g))
        rng = np.random.default_rng([abs(seed), int(seed < 0), g])
        while not match.over:
            seat = game.to_act(match.state)[0]
            question = game.question(match.state)
            number = players[seat].choose(see(game, match.state, seat), question.name, rng)
            match.answer(seat, question.answers[number])
        yield game.result(match.state), match.n


def compiled(game: Game, seats: int, options: dict[str, Any], games: int, seed: int) -> Iterator[Outcome]:
    """Games among random bots, played by the compiled rules: hundreds of times faster, with other random numbers."""
    from diamonds import jit  # wakes Numba

    finish = jit.kernels(game).finish
    cuts, rng = np.random.default_rng([abs(seed), int(seed < 0)]), jit.new_rng(seed % 2**63)
    for _ in range(games):
        rows = jit.as_rows(jit.random_start(game, seats, options, cuts))
        plies = int(finish(rows, rng, MOST_PLIES))
        yield game.result(rows[0]), plies


def run(
    game: Game, seats: int, options: dict[str, Any], bots: list[str], games: int, seed: int, watched: bool
) -> dict[str, Any]:
    """Play the games, with a progress bar on stderr if someone watches; returns the summary as data."""
    fast = set(bots) == {"random"} and games >= WORTH_COMPILING and find_spec("numba") is not None
    play = compiled(game, seats, options, games, seed) if fast else one_by_one(game, seats, options, bots, games, seed)
    tally, began, pause = Tally(seats), time.perf_counter(), 0.0
    with Progress(console=Console(stderr=True), transient=True, disable=not watched) as progress:
        task = progress.add_task(f"{game.title}, {games:,} games", total=games)
        for result, plies in play:
            if fast and not tally.games:
                pause = time.perf_counter() - began  # the first game had to load or make the kernel
            tally.add(result, plies)
            if tally.games % 64 == 0:
                progress.update(task, completed=tally.games)
    tally.seconds = time.perf_counter() - began - pause
    return summary(game, options, bots, seed, fast, tally)


def summary(
    game: Game, options: dict[str, Any], bots: list[str], seed: int, fast: bool, tally: Tally
) -> dict[str, Any]:
    """The counts as data: a row a seat."""
    rows = []
    for seat in range(tally.seats):
        low, high = interval(tally.wins[seat], tally.games)
        rows.append(
            {
                "seat": seat,
                "bot": bots[seat],
                "mean_score": round(tally.scores[seat] / tally.games, 4),
                "win_share": round(tally.wins[seat] / tally.games, 4),
                "win_share_95": [round(low, 4), round(high, 4)],
            }
        )
    return {
        "game": game.name,
        "seats": tally.seats,
        "options": options,
        "seed": seed,
        "games": tally.games,
        "compiled": fast,
        "rows": rows,
        "plies_per_game": round(tally.plies / tally.games, 2),
        "games_per_second": round(tally.games / tally.seconds, 1),
    }


def show(result: dict[str, Any], screen: Screen) -> None:
    """The summary as a table, or in plain lines."""
    id = "terminal-sim-compiled" if result["compiled"] else "terminal-sim"
    what = {"number": result["games"], "name": result["game"], "seats": result["seats"], "seed": str(result["seed"])}
    screen.say(say(id, what), "bold")
    columns = [say(f"terminal-sim-{column}") for column in ("seat", "bot", "score", "wins", "interval")]
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
    if screen.plain:
        for row in rows:
            screen.say(", ".join(f"{name} {value}" for name, value in zip(columns, row, strict=True)) + ".")
    else:
        grid = Grid(*columns, box=None, padding=(0, 2), header_style="dim")
        for row in rows:
            grid.add_row(*row)
        screen.console.print(grid)
    speed = {"answers": str(result["plies_per_game"]), "games": result["games_per_second"]}
    screen.say(say("terminal-sim-speed", speed))
