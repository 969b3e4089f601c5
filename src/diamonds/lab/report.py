"""Results of the arena as people read them: lines of text, a chart of intervals, and the tables of `docs/lab.md`."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from diamonds import __version__
from diamonds.game import RULES_VERSION, find_game, show_option
from diamonds.lab.arena import Estimate, Match, Result, check, plackett_luce, run

WIDTH = 41  # characters of a text chart, an odd number so that 0 has a place


def text(result: Result) -> str:
    """A result in a few lines, with a chart of the margins."""
    lines = [heading(result)]
    for line in result.lines:
        lines.append(
            f"{line.bot:>10}  margin {line.margin}  place {line.place.mean:.2f} ± {line.place.plus_minus:.2f}  "
            f"wins {share(line.share)} (fair {line.fair:.1%})  CPU {line.cpu_median_ms:.2f} ms a decision, p95 {line.cpu_p95_ms:.2f}"
        )
    return "\n".join([*lines, "", *chart([(line.bot, line.margin) for line in result.lines])])


def heading(result: Result) -> str:
    """What was played, so that it can be repeated."""
    match = result.match
    game = find_game(match.game)
    defaults = game.check_options(len(match.field))
    options = [f"{name} {show_option(value)}" for name, value in match.options.items() if defaults[name] != value]
    what = ", ".join([f"{game.title} for {len(match.field)}", *options])
    return f"{what}: {' '.join(match.field)} · {result.blocks} blocks, {result.games} games, seed {match.seed}"


def share(value: Estimate) -> str:
    """A share of wins in per cent."""
    return f"{value.mean:.1%} ± {value.plus_minus:.1%}"


def chart(rows: Sequence[tuple[str, Estimate]]) -> list[str]:
    """Means (●) and 95 % intervals (─) around 0 (│), one line each."""
    reach = max([abs(e.mean) + e.plus_minus for _, e in rows] + [1e-9])
    lines = []
    for name, e in rows:
        places = ["·"] * WIDTH

        def at(value: float) -> int:
            return round((value / reach + 1) / 2 * (WIDTH - 1))

        for k in range(at(e.mean - e.plus_minus), at(e.mean + e.plus_minus) + 1):
            places[k] = "─"
        places[WIDTH // 2] = "│"
        places[at(e.mean)] = "●"
        lines.append(f"{name:>10}  {''.join(places)}")
    return [*lines, f"{'':>10}  {-reach:<+{WIDTH // 2}.2f}0{reach:>+{WIDTH // 2}.2f}"]


def svg(result: Result) -> str:
    """The same chart as an SVG picture."""
    reach = max([abs(line.margin.mean) + line.margin.plus_minus for line in result.lines] + [1e-9])
    height = 40 + 32 * len(result.lines)

    def x(value: float) -> float:
        return 340 + 220 * value / reach

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 {height}" font-family="sans-serif" font-size="13">',
        f"<title>{heading(result)}</title>",
        f'<line x1="{x(0)}" x2="{x(0)}" y1="10" y2="{height - 24}" stroke="#999"/>',
        f'<text x="{x(0)}" y="{height - 8}" text-anchor="middle">margin in points, with 95 % intervals</text>',
    ]
    for k, line in enumerate(result.lines):
        y, m = 28 + 32 * k, line.margin
        parts += [
            f'<text x="8" y="{y + 4}">{line.bot}: {m}</text>',
            f'<line x1="{x(m.mean - m.plus_minus):.1f}" x2="{x(m.mean + m.plus_minus):.1f}" y1="{y}" y2="{y}" stroke="#1b6ca8" stroke-width="3"/>',
            f'<circle cx="{x(m.mean):.1f}" cy="{y}" r="5" fill="#1b6ca8"/>',
        ]
    return "\n".join([*parts, "</svg>", ""])


# The tables of docs/lab.md


class Row(NamedTuple):
    """One match of a table: what it is called, the match, and its blocks."""

    name: str
    match: Match
    blocks: int


def alone(bot: str, game: str, seats: int, seed: int, **options: object) -> Match:
    """A bot in one seat (and its partner's) against the simple policy in the others."""
    mates = seats // 2 if options.get("partnership") else seats
    return Match(game, tuple(bot if seat % mates == 0 else "simple" for seat in range(seats)), dict(options), seed)


def strength_rows() -> list[Row]:
    """Level 5 against the simple policy, everywhere."""
    rows = [Row(f"crystals, {n} players", alone("5", "crystals", n, 100 + n), blocks) for n, blocks in
            ((2, 60), (3, 30), (4, 60), (5, 20), (6, 12))]  # fmt: skip
    rows += [
        Row("crystals, 4, partnership", alone("5", "crystals", 4, 111, partnership=True), 20),
        Row("crystals, 6, partnership", alone("5", "crystals", 6, 112, partnership=True), 8),
        Row("crystals, 4, perfect", alone("5", "crystals", 4, 113, perfect=True), 20),
        Row("crystals, 4, thief", alone("5", "crystals", 4, 114, thief=True), 20),
        *(Row(f"fourteen, {n} players", alone("5", "fourteen", n, 120 + n), 20) for n in (3, 4, 5, 6)),
        Row("fourteen, 4, bids", alone("5", "fourteen", 4, 131, scoring="bid"), 20),
        Row("fourteen, 4, tricks", alone("5", "fourteen", 4, 132, scoring="tricks"), 20),
        Row("fourteen, 4, last two", alone("5", "fourteen", 4, 133, match="last_two"), 20),
        Row("mines", alone("5", "mines", 2, 140), 80),
    ]
    return rows


def ladder_rows() -> list[Row]:
    """Every level against the one below, in alternate seats; level 1 against random players and the simple policy."""
    rows = []
    for game, seats, blocks in (("crystals", 2, 50), ("crystals", 4, 20), ("fourteen", 4, 16), ("mines", 2, 60)):
        for upper, lower in (("1", "random"), ("2", "1"), ("3", "2"), ("4", "3"), ("5", "4")):
            field = tuple((upper, lower)[seat % 2] for seat in range(seats))
            rows.append(Row(f"{game}, {seats} players", Match(game, field, {}, 200), blocks))
    return rows


def tables(path: Path, scale: float, say: Callable[[str], None]) -> None:
    """Play all the matches and write their tables into the page, between its marks; and the numbers as JSON beside it.

    ``scale`` multiplies the number of blocks. Takes many minutes; every row is written as soon as it is known.
    """
    strength: list[str] = []
    ladder: list[str] = []
    data = []
    games: list[tuple[Sequence[str], Sequence[int]]] = []
    for row in [*strength_rows(), *ladder_rows()]:
        result, blocks = run(check(row.match), max(4, round(row.blocks * scale)))
        say(text(result))
        data.append(result.data())
        best = result.lines[0]
        cells = [
            row.name, " ".join(row.match.field), str(result.blocks), str(best.margin), share(best.share), f"{best.fair:.1%}",
            f"{best.cpu_median_ms:.1f} / {best.cpu_p95_ms:.1f}", str(row.match.seed),
        ]  # fmt: skip
        if len(strength) < len(strength_rows()):
            strength.append("| " + " | ".join(cells) + " |")
        else:
            ladder.append("| " + " | ".join(cells) + " |")
            if row.match.game == "crystals":
                games += [(row.match.field, order) for block in blocks for order in block.orders]
        _write(path, strength, ladder, plackett_luce(games) if games else {}, scale)
        path.with_suffix(".json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


HEAD = "| game | field | blocks | margin | wins | fair | CPU ms, median / p95 | seed |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n"


def _write(path: Path, strength: list[str], ladder: list[str], ratings: dict[str, float], scale: float) -> None:
    """Put the tables into the page, between its marks."""
    page = path.read_text(encoding="utf-8")
    rated = "\n".join(f"| {name} | {rating:+.0f} |" for name, rating in sorted(ratings.items(), key=lambda r: r[1]))
    made = f"Made by `diamonds arena --tables --scale {scale:g}` with version {__version__}, rules version {RULES_VERSION}, Python {platform.python_version()}."
    for mark, content in (
        ("strength", f"{made}\n\n{HEAD}" + "\n".join(strength)),
        ("ladder", HEAD + "\n".join(ladder)),
        ("rating", "| bot | rating |\n| --- | --- |\n" + rated),
    ):
        begin, end = f"<!-- {mark} -->\n", f"<!-- end {mark} -->"
        before, rest = page.split(begin)
        page = before + begin + content + "\n" + end + rest.split(end)[1]
    path.write_text(page, encoding="utf-8")
