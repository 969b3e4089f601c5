"""A fixed protocol to compare bots: the same opponents and deals for every bot, and one report.

The bot takes every second seat against each opponent in turn. Deals follow from the table's seed, so different bots get
the same cards within a version of the program. Block k is always the same deal, so more blocks only narrow the
intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from diamonds.lab import arena_report
from diamonds.lab.arena import ArenaResult, run_match
from diamonds.lab.arena_runs import versions_of
from diamonds.lab.experiments import alternating_seats, markdown_table
from diamonds.lab.pool import Pool

PROTOCOL = "diamonds benchmark 1"  # change this with anything below: results of one protocol must be comparable
OPPONENTS = ("random", "1", "simple", "3", "5")
COLUMNS = ("game", "against", "margin", "wins", "fair", "blocks won", "CPU ms, median / p95")


class BenchmarkTable(NamedTuple):
    """One kind of table: the game, its seats and the seed of its deals. Options are the defaults."""

    game: str
    seats: int
    seed: int


TABLES = (BenchmarkTable("crystals", 4, 901), BenchmarkTable("fourteen", 4, 902), BenchmarkTable("mines", 2, 903))


def run_benchmark(
    bot: str, blocks: int, pool: Pool, progress: Callable[[int, int], None] | None = None
) -> Iterator[ArenaResult]:
    """Yield the result of each match, except against the bot itself, where its margin would be 0."""
    for table in TABLES:
        for opponent in OPPONENTS:
            if opponent != bot:
                match = alternating_seats(bot, opponent, table.game, table.seats, table.seed)
                yield run_match(match, blocks, pool=pool, progress=progress)[0]


def benchmark_report(bot: str, results: Sequence[ArenaResult]) -> str:
    """Return the results as a table, with the protocol and version needed to repeat them."""
    rows = []
    for result in results:
        line = result.bot_result(bot)
        rows.append(
            [
                result.match.game,
                result.match.lineup[1],
                str(line.margin),
                arena_report.share_text(line.share),
                f"{line.expected_share:.1%}",
                arena_report.share_text(line.blocks_won),
                f"{line.cpu_median_ms:.2f} / {line.cpu_p95_ms:.2f}",
            ]
        )
    blocks, version = results[0].blocks, results[0].version
    return f"{bot} · {PROTOCOL}, {blocks} blocks, version {version}\n\n{markdown_table(COLUMNS, rows)}"


def benchmark_data(bot: str, results: Sequence[ArenaResult]) -> dict[str, Any]:
    """Return the results as data for JSON."""
    return {
        "format": PROTOCOL,
        "bot": bot,
        "blocks": results[0].blocks,
        "results": [{**result.to_data(), "versions": versions_of(result.match)} for result in results],
    }
