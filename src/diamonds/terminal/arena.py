"""The arena at the command line: a match with a progress bar, its result in words, as JSON and as a picture."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from diamonds.bots import kernels
from diamonds.bots.levels import BOTS, find_able_bot
from diamonds.game import Malformed, find_game
from diamonds.lab import arena, report, runs
from diamonds.lab import tables as lab_tables
from diamonds.terminal import asked
from diamonds.terminal.screen import Screen
from diamonds.words import Message


def play(
    game: str,
    bots: Sequence[str],
    options: dict[str, Any],
    blocks: int,
    seed: int,
    gain: float | None,
    processes: int | None,
    first_block: int,
) -> runs.Run:
    """Play a match with a progress bar on stderr, where someone is there to see it."""
    match = arena.check(arena.Match(game, tuple(bots), options, seed))
    for name in bots:
        if name in BOTS:
            find_able_bot(name, find_game(match.game))
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task("blocks", total=blocks)
        result, played = arena.run(
            match,
            blocks,
            gain=gain,
            processes=processes,
            progress=lambda done, of: bar.update(task, completed=done, total=of),
            first_block=first_block,
        )
    return runs.new_run(result, played, first_block, gain)


def merge(files: Sequence[str]) -> runs.Run:
    """Return one run of the blocks in several files that `keep` has written."""
    if not files:
        raise Malformed("arena-no-files")
    return runs.merge([(asked.shown(file), runs.read(asked.shown(file), asked.text(Path(file)))) for file in files])


def keep(run: runs.Run, json_file: Path | None, chart: Path | None) -> None:
    """Write a run with all its blocks, and its chart, if files for them are named."""
    if json_file:
        json_file.write_text(runs.write(run), encoding="utf-8")
    if chart:
        chart.write_text(report.svg(run.result()), encoding="utf-8")


def tables(words: Sequence[str], scale: float, processes: int | None, screen: Screen) -> None:
    """Play the matches of docs/lab.md that are missing there, all or some, and write their tables."""
    page = Path(__file__).parents[3] / "docs" / "lab.md"
    if not page.is_file():
        raise Malformed("terminal-no-tables", name=page.name)
    kernels.require()
    lab_tables.play(page, words, scale, screen.say, processes)


def number(text: str, what: str) -> float:
    """A number above 0 from the command line, or a sentence."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1000:
        raise Malformed("terminal-above-0", what=Message(what), given=text[:20])
    return value
