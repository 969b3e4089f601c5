"""Puzzle mining on the command line, with one line for every mined game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from diamonds import i18n, operating_system
from diamonds.bots import kernels
from diamonds.game import Game
from diamonds.i18n import Message
from diamonds.lab import puzzle_journal
from diamonds.lab.pool import open_pool
from diamonds.lab.puzzle_journal import JournalEntry

MINING_NICENESS = 19  # the lowest priority


def mine_puzzles(
    games: Sequence[Game], folder: Path, max_puzzles: int, minutes: int, seed: int, processes: int, ray: str | None
) -> None:
    """Mine until each game has ``max_puzzles`` puzzles, or for ``minutes``."""
    kernels.require(Message("terminal-no-mining"))
    operating_system.lower_priority(MINING_NICENESS)

    def say(game: Game, entry: JournalEntry, puzzles: int) -> None:
        values = {
            "game": game.name,
            "number": entry.mined.number,
            "found": len(entry.mined.puzzles),
            "puzzles": puzzles,
        }
        print(i18n.translate("terminal-mined", values), flush=True)

    with open_pool(processes, ray) as pool:
        puzzle_journal.mine_until(folder, games, seed, max_puzzles, 60 * minutes, say, pool)


def write_puzzle_files(games: Sequence[Game], folder: Path, out: Path) -> None:
    """Write the page's puzzle files."""
    for file, number in puzzle_journal.write_client_puzzles(folder, out, games):
        print(i18n.translate("terminal-puzzles-written", {"path": str(file), "number": number}))
