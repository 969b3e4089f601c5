"""The arena on the command line: a match with a progress bar, and its result as text, JSON and SVG."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from diamonds.bots import kernels
from diamonds.bots.levels import find_available_bot
from diamonds.errors import InvalidInputError
from diamonds.game import find_game
from diamonds.i18n import Message
from diamonds.lab import arena, arena_report, arena_runs, benchmark
from diamonds.lab import experiments as lab_tables
from diamonds.lab.pool import Pool
from diamonds.terminal import arguments
from diamonds.terminal.screen import Screen, progress_bar


def play_match(
    game: str,
    bots: Sequence[str],
    options: dict[str, Any],
    blocks: int,
    seed: int,
    gain: float | None,
    pool: Pool,
    first_block: int,
) -> arena_runs.ArenaRun:
    """Play a match, with a progress bar if stderr is a terminal."""
    match = arena.check_match(arena.MatchSetup(game, tuple(bots), options, seed))
    with progress_bar("blocks", blocks) as progress:
        result, played = arena.run_match(
            match, blocks, gain=gain, pool=pool, progress=progress, first_block=first_block
        )
    return arena_runs.new_run(result, played, first_block, gain)


def merge_files(files: Sequence[str]) -> arena_runs.ArenaRun:
    """Merge the runs in several files written by `write_files` into one."""
    if not files:
        raise InvalidInputError("arena-no-files")
    return arena_runs.merge_runs(
        [
            (arguments.sanitize(file), arena_runs.parse_run(arguments.sanitize(file), arguments.read_text(Path(file))))
            for file in files
        ]
    )


def write_files(run: arena_runs.ArenaRun, json_file: Path | None, chart: Path | None) -> None:
    """Write a run with all its blocks, and its chart, to the given files."""
    if json_file:
        json_file.write_text(arena_runs.format_run(run), encoding="utf-8")
    if chart:
        chart.write_text(arena_report.svg(run.result()), encoding="utf-8")


def update_tables(names: Sequence[str], scale: float, pool: Pool, screen: Screen) -> None:
    """Play all or some of the matches missing from docs/measurements.md, and write their tables."""
    page = Path(__file__).parents[3] / "docs" / "measurements.md"
    if not page.is_file():
        raise InvalidInputError("terminal-no-experiments", name=page.name)
    kernels.require()
    lab_tables.run_missing(page, names, scale, screen.print_line, pool)


def play_benchmark(bots: Sequence[str], blocks: int, pool: Pool, json_file: Path | None) -> Iterator[str]:
    """Yield the report of each bot, with a progress bar if stderr is a terminal.

    Write all results to a file, if one is given.
    """
    if not bots:
        raise InvalidInputError("arena-no-benchmark-bots")
    for name in bots:
        for table in benchmark.TABLES:
            find_available_bot(name, find_game(table.game))
    all_data = []
    for name in bots:
        with progress_bar(name, blocks) as progress:
            results = list(benchmark.run_benchmark(name, blocks, pool, progress))
        all_data.append(benchmark.benchmark_data(name, results))
        yield benchmark.benchmark_report(name, results)
    if json_file:
        json_file.write_text(json.dumps(all_data, indent=1) + "\n", encoding="utf-8")


def parse_positive(text: str, subject: str) -> float:
    """Return a number above 0 from the command line, or raise `InvalidInputError`."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1000:
        raise InvalidInputError("terminal-above-0", what=Message(subject), given=text[:20])
    return value
