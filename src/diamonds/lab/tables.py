"""The tables of `docs/lab.md`: every match that is played for them, the results as JSON, and the page written from those.

What has been played stays in ``lab.json`` beside the page, a row a line, with a hash of what the bots are made of.
A row is played again when those have changed, when its match has, or when more blocks are wanted; so the command can be
stopped and goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import diamonds
from diamonds import __version__
from diamonds.game import Malformed, find_game
from diamonds.lab import report
from diamonds.lab.arena import Block, Estimate, Match, Result, check, foreign, run
from diamonds.lab.rating import Finish, ratings

LADDER = ("random", "1", "2", "3", "4", "5")


class Row(NamedTuple):
    """One match of a table: the table, what the row is called, the match, and its blocks."""

    table: str
    name: str
    match: Match
    blocks: int


def alone(bot: str, game: str, seats: int, seed: int, **options: object) -> Match:
    """A bot in one seat (and its partner's) against the simple policy in the others."""
    mates = seats // 2 if options.get("partnership") else seats
    return Match(game, tuple(bot if seat % mates == 0 else "simple" for seat in range(seats)), dict(options), seed)


def alternate(upper: str, lower: str, game: str, seats: int, seed: int) -> Match:
    """Two bots in alternate seats."""
    return Match(game, tuple((upper, lower)[seat % 2] for seat in range(seats)), {}, seed)


def strength_rows() -> list[Row]:
    """Level 5 against the simple policy, everywhere."""
    rows = [
        *((f"crystals, {n} players", alone("5", "crystals", n, 100 + n), blocks)
          for n, blocks in ((2, 40), (3, 40), (4, 150), (5, 20), (6, 20))),
        ("crystals, 4, partnership", alone("5", "crystals", 4, 111, partnership=True), 40),
        ("crystals, 6, partnership", alone("5", "crystals", 6, 112, partnership=True), 20),
        ("crystals, 2, perfect", alone("5", "crystals", 2, 115, perfect=True), 40),
        ("crystals, 4, perfect", alone("5", "crystals", 4, 113, perfect=True), 20),
        ("crystals, 4, thief", alone("5", "crystals", 4, 114, thief=True), 20),
        *((f"fourteen, {n} players", alone("5", "fourteen", n, 120 + n), 20) for n in (3, 4, 5, 6)),
        ("fourteen, 4, bids", alone("5", "fourteen", 4, 131, scoring="bid"), 20),
        ("fourteen, 4, tricks", alone("5", "fourteen", 4, 132, scoring="tricks"), 20),
        ("fourteen, 4, last two", alone("5", "fourteen", 4, 133, match="last_two"), 20),
        ("mines", alone("5", "mines", 2, 140), 200),
    ]  # fmt: skip
    return [Row("strength", *row) for row in rows]


def ladder_rows() -> list[Row]:
    """Every level against the one below, in alternate seats; level 1 against random answers."""
    return [
        Row("ladder", f"{game}, {seats} players", alternate(upper, lower, game, seats, 200), blocks)
        for game, seats, blocks in (
            *(("crystals", seats, blocks) for seats, blocks in ((2, 80), (3, 50), (4, 50), (5, 40), (6, 30))),
            ("fourteen", 4, 50),
            ("mines", 2, 150),
        )
        for lower, upper in pairwise(LADDER)
    ]


def ismcts_rows() -> list[Row]:
    """Level 5 and OpenSpiel's IS-MCTS bot in alternate seats; so many simulations took it a second (`lab.ismcts.settle`)."""
    fourteen = {"target": 15}  # to 40 points a game takes nine hands, and as much time as three to 15
    return [
        Row("ismcts", name, Match(game, ("5", bot) * (seats // 2), options, seed), blocks)
        for name, game, seats, options, bot, seed, blocks in (
            ("crystals, 4 players", "crystals", 4, {}, "ismcts-quick:1100", 302, 16),
            ("crystals, 4 players", "crystals", 4, {}, "ismcts-tuned-quick:2100", 301, 60),
            ("fourteen, 4 players, to 15", "fourteen", 4, fourteen, "ismcts-quick:1100", 304, 8),
            ("fourteen, 4 players, to 15", "fourteen", 4, fourteen, "ismcts-tuned-quick:2300", 303, 8),
            ("mines", "mines", 2, {}, "ismcts-quick:880", 306, 40),
            ("mines", "mines", 2, {}, "ismcts-tuned-quick:910", 305, 40),
        )
    ]


TABLES: dict[str, Callable[[], list[Row]]] = {"strength": strength_rows, "ladder": ladder_rows, "ismcts": ismcts_rows}


def made_of() -> str:
    """A hash of the sources and numbers that decide how a bot plays, in whatever room of `bots/` they lie."""
    root = Path(diamonds.__file__).parent
    files = [path for room in ("rules", "bots") for path in (root / room).rglob("*") if path.suffix in (".py", ".npy")]
    files += [root / name for name in ("chance.py", "playout.py")]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()[:8]


def play(
    page: Path,
    words: Sequence[str],
    scale: float,
    say: Callable[[str], None],
    processes: int | None = None,
) -> None:
    """Play what is missing of the named tables (or of rows whose names begin so; all, if none is named) and write the page.

    ``scale`` multiplies the number of blocks. Every row is written as soon as it is known.
    """
    rows = [row for make in TABLES.values() for row in make()]
    wanted = [row for row in rows if not words or any(row.table == word or row.name.startswith(word) for word in words)]
    if not wanted:
        raise Malformed(f"No table or row begins with “{words[0][:40]}”; tables: {', '.join(TABLES)}.")
    sources, kept = made_of(), read(page)
    for row in wanted:
        match, blocks = check(row.match), max(4, round(row.blocks * scale))
        had = kept.get(key(row.table, row.name, row.match.field))
        same = had and had["sources"] == sources and had["match"] == json.loads(json.dumps(asdict(match)))
        if not (had and same and had["blocks"] >= blocks):
            result, played = run(match, blocks, processes=processes)
            say(report.text(result))
            kept[key(row.table, row.name, row.match.field)] = entry_of(row, result, played, sources)
            keys = [key(row.table, row.name, row.match.field) for row in rows]
            write(page, [kept[k] for k in keys if k in kept], sources)
    say(f"{len(wanted)} rows are in {page.name}.")


def key(table: str, name: str, field: Sequence[str]) -> tuple[str, str, str]:
    """What tells rows apart."""
    return table, name, " ".join(field)


def read(page: Path) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The rows played so far, from ``lab.json`` beside the page."""
    path = page.with_suffix(".json")
    entries = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return {key(entry["table"], entry["name"], entry["match"]["field"]): entry for entry in entries}


def entry_of(row: Row, result: Result, blocks: Sequence[Block], sources: str) -> dict[str, Any]:
    """A row as it is kept: the result, and the orders of finish in each block's games (a digit a seat: how many did better)."""
    orders = [" ".join("".join(map(str, order)) for order in block.orders) for block in blocks]
    entry = {"table": row.table, "name": row.name, "sources": sources, **result.data(), "orders": orders}
    match = result.match
    for name in filter(foreign, match.field[1:2]):
        from diamonds.lab import ismcts

        entry["openspiel"] = metadata.version("open_spiel")
        entry["clock"] = ismcts.clock(name, find_game(match.game), len(match.field), match.options)
    return entry


# The page

COLUMNS = ("game", "field", "blocks", "margin", "wins", "fair", "CPU ms, median / p95", "seed")
TIMES = ("game", "against", "blocks", "margin", "wins", "fair", "CPU ms of 5, median / p95", "OpenSpiel's", "seed")


def write(page: Path, entries: Sequence[dict[str, Any]], sources: str) -> None:
    """Keep the rows as JSON, a row a line, and put the tables into the page, between its marks."""
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    page.with_suffix(".json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    made = (
        f"Made by `diamonds arena --tables` with version {__version__}, "
        f"Python {platform.python_version()}, bots {sources}. Rows marked ° are from earlier bots."
    )
    for table in TABLES:
        rows = [cells(entry, sources) for entry in entries if entry["table"] == table]
        if rows:
            text = between(text, table, f"{made}\n\n{markdown(TIMES if table == 'ismcts' else COLUMNS, rows)}")
    ladder = [entry for entry in entries if entry["table"] == "ladder"]
    if ladder:
        text = between(text, "rating", rated(ladder))
    page.write_text(text, encoding="utf-8")


def cells(entry: dict[str, Any], sources: str) -> list[str]:
    """A row of a table: how the first bot of the field did."""
    line, field, times = entry["lines"][0], entry["match"]["field"], []
    if "clock" in entry:  # OpenSpiel's bot: its own time, not that of the quick one
        field, times = field[1:2], [f"{np.median(entry['clock']):.0f} / {np.percentile(entry['clock'], 95):.0f}"]
    return [
        entry["name"] + ("" if entry["sources"] == sources else " °"),
        " ".join(field),
        str(entry["blocks"]),
        str(Estimate(**line["margin"])),
        report.share(Estimate(**line["share"])),
        f"{line['fair']:.1%}",
        f"{line['cpu_median_ms']:.1f} / {line['cpu_p95_ms']:.1f}",
        *times,
        str(entry["match"]["seed"]),
    ]


def rated(entries: Sequence[dict[str, Any]]) -> str:
    """The ladder's matches of each game together, as ratings."""
    games = list(dict.fromkeys(entry["match"]["game"] for entry in entries))
    found = {game: ratings([finishes(e) for e in entries if e["match"]["game"] == game]) for game in games}
    rows = [[bot, *(str(found[game].get(bot, "–")) for game in games)] for bot in LADDER]
    return markdown(("bot", *games), rows)


def finishes(entry: dict[str, Any]) -> list[list[Finish]]:
    """The orders of finish of a row, block by block."""
    field = tuple(entry["match"]["field"])
    return [[(field, tuple(map(int, order))) for order in block.split()] for block in entry["orders"]]


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def between(text: str, mark: str, content: str) -> str:
    """The text with other content between a mark and its end."""
    begin, end = f"<!-- {mark} -->\n", f"\n<!-- end {mark} -->"
    before, rest = text.split(begin)
    return before + begin + content + end + rest.split(end)[1]
