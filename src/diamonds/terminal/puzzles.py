"""Puzzles at the command line: a line for every game that was mined."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from diamonds import machine, words
from diamonds.bots import kernels
from diamonds.game import Game
from diamonds.lab import puzzles
from diamonds.lab.puzzles import Line
from diamonds.words import Message

NICE = 19  # everybody else comes first


def mine(games: Sequence[Game], folder: Path, most: int, minutes: int, seed: int) -> None:
    """Mine in this process until there are so many puzzles of each game, or for so many minutes."""
    kernels.require(Message("terminal-no-mining"))
    machine.make_way(NICE)
    for game in games:
        kernels.load(game)

    def say(game: Game, line: Line, puzzles: int) -> None:
        values = {"game": game.name, "number": line.mined.number, "found": len(line.mined.puzzles), "puzzles": puzzles}
        print(words.say("terminal-mined", values), flush=True)

    puzzles.go_on(folder, games, seed, most, 60 * minutes, say)


def write(games: Sequence[Game], folder: Path, out: Path) -> None:
    """Write the page's files."""
    for file, number in puzzles.write(folder, out, games):
        print(words.say("terminal-puzzles-written", {"path": str(file), "number": number}))
