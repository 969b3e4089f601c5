"""The tables of `docs/measurements.md`: this module plays their matches, stores the results, and writes the page.

Results are in ``measurements.json`` beside the page, one row per line, with a hash of the bots' sources. A row is
played again when these sources or its match have changed, or when more blocks are requested, so the command can be
stopped and resumed.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Sequence
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from diamonds import __version__
from diamonds.code_fingerprint import source_hash
from diamonds.errors import InvalidInputError
from diamonds.game import find_game
from diamonds.lab import arena_report
from diamonds.lab.arena import ArenaResult, BlockResult, Estimate, MatchSetup, check_match, is_external_bot, run_match
from diamonds.lab.pool import Pool
from diamonds.lab.rating import FinishOrder, ratings

LADDER = ("random", "1", "2", "3", "4", "5")


class MatchRow(NamedTuple):
    """One match of a table: the table, the name of the row, the match, and its blocks."""

    table: str
    name: str
    match: MatchSetup
    blocks: int


def one_against_simple(bot: str, game: str, seats: int, seed: int, **options: object) -> MatchSetup:
    """Return a match of one bot (and its partners) against the simple policy in the other seats."""
    team_count = seats // 2 if options.get("partnership") else seats
    return MatchSetup(
        game, tuple(bot if seat % team_count == 0 else "simple" for seat in range(seats)), dict(options), seed
    )


def alternating_seats(upper: str, lower: str, game: str, seats: int, seed: int) -> MatchSetup:
    """Return a match of two bots in alternate seats."""
    return MatchSetup(game, tuple((upper, lower)[seat % 2] for seat in range(seats)), {}, seed)


def strength_rows() -> list[MatchRow]:
    """Return the matches of level 5 against the simple policy, in all variants."""
    rows = [
        *((f"crystals, {n} players", one_against_simple("5", "crystals", n, 100 + n), blocks)
          for n, blocks in ((2, 40), (3, 40), (4, 150), (5, 20), (6, 20))),
        ("crystals, 4, partnership", one_against_simple("5", "crystals", 4, 111, partnership=True), 40),
        ("crystals, 6, partnership", one_against_simple("5", "crystals", 6, 112, partnership=True), 20),
        ("crystals, 2, perfect", one_against_simple("5", "crystals", 2, 115, perfect=True), 40),
        ("crystals, 4, perfect", one_against_simple("5", "crystals", 4, 113, perfect=True), 20),
        ("crystals, 4, thief", one_against_simple("5", "crystals", 4, 114, thief=True), 20),
        *((f"fourteen, {n} players", one_against_simple("5", "fourteen", n, 120 + n), 20) for n in (3, 4, 5, 6)),
        ("fourteen, 4, bids", one_against_simple("5", "fourteen", 4, 131, scoring="bid"), 20),
        ("fourteen, 4, tricks", one_against_simple("5", "fourteen", 4, 132, scoring="tricks"), 20),
        ("fourteen, 4, last two", one_against_simple("5", "fourteen", 4, 133, match="last_two"), 20),
        ("mines", one_against_simple("5", "mines", 2, 140), 200),
    ]  # fmt: skip
    return [MatchRow("strength", *row) for row in rows]


def ladder_rows() -> list[MatchRow]:
    """Return the matches of every level against the one below, in alternate seats; level 1 plays random answers."""
    return [
        MatchRow("ladder", f"{game}, {seats} players", alternating_seats(upper, lower, game, seats, 200), blocks)
        for game, seats, blocks in (
            *(("crystals", seats, blocks) for seats, blocks in ((2, 80), (3, 50), (4, 50), (5, 40), (6, 30))),
            ("fourteen", 4, 50),
            ("mines", 2, 150),
        )
        for lower, upper in pairwise(LADDER)
    ]


def ismcts_rows() -> list[MatchRow]:
    """Return the matches of level 5 against OpenSpiel's IS-MCTS bot, in alternate seats.

    That bot gets as many simulations as it manages in a second (`lab.ismcts.resolve_name`).
    """
    fourteen = {"target": 15}  # a game to 40 points takes nine hands, one to 15 takes three
    return [
        MatchRow("ismcts", name, MatchSetup(game, ("5", bot) * (seats // 2), options, seed), blocks)
        for name, game, seats, options, bot, seed, blocks in (
            ("crystals, 4 players", "crystals", 4, {}, "ismcts-quick:1100", 302, 16),
            ("crystals, 4 players", "crystals", 4, {}, "ismcts-tuned-quick:2100", 301, 60),
            ("fourteen, 4 players, to 15", "fourteen", 4, fourteen, "ismcts-quick:1100", 304, 8),
            ("fourteen, 4 players, to 15", "fourteen", 4, fourteen, "ismcts-tuned-quick:2300", 303, 8),
            ("mines", "mines", 2, {}, "ismcts-quick:880", 306, 40),
            ("mines", "mines", 2, {}, "ismcts-tuned-quick:910", 305, 40),
        )
    ]


EXPERIMENTS: dict[str, Callable[[], list[MatchRow]]] = {
    "strength": strength_rows,
    "ladder": ladder_rows,
    "ismcts": ismcts_rows,
}


def run_missing(page: Path, names: Sequence[str], scale: float, show: Callable[[str], None], pool: Pool) -> None:
    """Play the missing matches of these tables and write the page.

    ``names`` are tables, or beginnings of row names; the default is all. ``scale`` multiplies the number of blocks.
    Each row is written as soon as its match ends.
    """
    rows = [row for make in EXPERIMENTS.values() for row in make()]
    selected = [
        row for row in rows if not names or any(row.table == name or row.name.startswith(name) for name in names)
    ]
    if not selected:
        raise InvalidInputError(f"No table or row begins with “{names[0][:40]}”; tables: {', '.join(EXPERIMENTS)}.")
    sources, results = source_hash(), read_results(page)
    for row in selected:
        match, blocks = check_match(row.match), max(4, round(row.blocks * scale))
        earlier = results.get(experiment_key(row.table, row.name, row.match.lineup))
        is_current = (
            earlier and earlier["sources"] == sources and earlier["match"] == json.loads(json.dumps(match.to_data()))
        )
        if not (earlier and is_current and earlier["blocks"] >= blocks):
            result, played = run_match(match, blocks, pool=pool)
            show(arena_report.result_text(result))
            results[experiment_key(row.table, row.name, row.match.lineup)] = result_entry(row, result, played, sources)
            keys = [experiment_key(row.table, row.name, row.match.lineup) for row in rows]
            write_results(page, [results[k] for k in keys if k in results], sources)
    show(f"{len(selected)} rows are in {page.name}.")


def experiment_key(table: str, name: str, field: Sequence[str]) -> tuple[str, str, str]:
    """Return the key of a row."""
    return table, name, " ".join(field)


def read_results(page: Path) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Return the rows played so far, from ``measurements.json`` beside the page."""
    path = page.with_suffix(".json")
    entries = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return {experiment_key(entry["table"], entry["name"], entry["match"]["field"]): entry for entry in entries}


def result_entry(row: MatchRow, result: ArenaResult, blocks: Sequence[BlockResult], sources: str) -> dict[str, Any]:
    """Return a row for the JSON file: the result, and the order of finish in each block's games, one digit per seat.

    A digit is the number of seats that did better.
    """
    orders = [" ".join("".join(map(str, order)) for order in block.orders) for block in blocks]
    entry = {"table": row.table, "name": row.name, "sources": sources, **result.to_data(), "orders": orders}
    match = result.match
    for name in filter(is_external_bot, match.lineup[1:2]):
        from diamonds.lab import ismcts

        entry["openspiel"] = metadata.version("open_spiel")
        entry["clock"] = ismcts.measure_decisions(name, find_game(match.game), len(match.lineup), match.options)
    return entry


# The page

STRENGTH_COLUMNS = ("game", "blocks", "margin", "wins")
ISMCTS_COLUMNS = ("game", "against", "blocks", "margin", "wins", "CPU ms of 5, median / p95", "OpenSpiel's")


def write_results(page: Path, entries: Sequence[dict[str, Any]], sources: str) -> None:
    """Write the rows as JSON, one row per line, and put the tables into the page, between its markers."""
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    page.with_suffix(".json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    note = (
        f"`diamonds arena --tables` made this table and the next three: version {__version__}, "
        f"Python {platform.python_version()}, bots {sources}."
    )
    text = replace_section(text, "made", note)
    for table, columns in (("strength", STRENGTH_COLUMNS), ("ismcts", ISMCTS_COLUMNS)):
        rows = [table_cells(entry, sources) for entry in entries if entry["table"] == table]
        if rows:
            text = replace_section(text, table, markdown_table(columns, rows))
    ladder = [entry for entry in entries if entry["table"] == "ladder"]
    if ladder:
        text = replace_section(text, "ladder", ladder_table(ladder, sources))
        text = replace_section(text, "rating", rating_table(ladder))
    page.write_text(text, encoding="utf-8")


def table_cells(entry: dict[str, Any], sources: str) -> list[str]:
    """Return the cells of a row, with the results of the first bot in the lineup."""
    line, against, times = entry["lines"][0], [], []
    if "clock" in entry:  # for OpenSpiel's bot, show the times of the slow version, not of the quick one
        against = [entry["match"]["field"][1]]
        times = [
            f"{line['cpu_median_ms']:.1f} / {line['cpu_p95_ms']:.1f}",
            f"{np.median(entry['clock']):.0f} / {np.percentile(entry['clock'], 95):.0f}",
        ]
    return [
        row_name([entry], sources),
        *against,
        str(entry["blocks"]),
        str(Estimate(**line["margin"])),
        arena_report.share_text(Estimate(**line["share"])),
        *times,
    ]


def row_name(entries: Sequence[dict[str, Any]], sources: str) -> str:
    """Return the name of a row, marked if earlier bots played any of its matches."""
    mark = "" if all(entry["sources"] == sources for entry in entries) else " °"
    return f"{entries[0]['name']}{mark}"


def ladder_table(entries: Sequence[dict[str, Any]], sources: str) -> str:
    """Return a table of margins: one row per game and number of seats, one column per pair of bots."""
    pairs = list(dict.fromkeys(tuple(entry["match"]["field"][:2]) for entry in entries))
    rows = []
    for name in dict.fromkeys(entry["name"] for entry in entries):
        played = {tuple(entry["match"]["field"][:2]): entry for entry in entries if entry["name"] == name}
        margins = [str(Estimate(**played[pair]["lines"][0]["margin"])) if pair in played else "–" for pair in pairs]
        rows.append([row_name([*played.values()], sources), str(max(e["blocks"] for e in played.values())), *margins])
    return markdown_table(("game", "blocks", *(" – ".join(pair) for pair in pairs)), rows)


def rating_table(entries: Sequence[dict[str, Any]]) -> str:
    """Return the table of ratings, computed from the ladder's matches of each game."""
    games = list(dict.fromkeys(entry["match"]["game"] for entry in entries))
    game_ratings = {game: ratings([finish_orders(e) for e in entries if e["match"]["game"] == game]) for game in games}
    rows = [[bot, *(str(game_ratings[game].get(bot, "–")) for game in games)] for bot in LADDER]
    return markdown_table(("bot", *games), rows)


def finish_orders(entry: dict[str, Any]) -> list[list[FinishOrder]]:
    """Return the orders of finish in a row, block by block."""
    field = tuple(entry["match"]["field"])
    return [[(field, tuple(map(int, order))) for order in block.split()] for block in entry["orders"]]


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def replace_section(text: str, mark: str, content: str) -> str:
    """Return the text with new content between a start marker and its end."""
    begin, end = f"<!-- {mark} -->\n", f"\n<!-- end {mark} -->"
    before, rest = text.split(begin)
    return before + begin + content + end + rest.split(end)[1]
