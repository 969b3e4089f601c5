"""Results of the arena as text and as charts of intervals."""

from __future__ import annotations

from collections.abc import Sequence

from diamonds.game import find_game, format_option
from diamonds.lab.arena import ArenaResult, Estimate

CHART_COLUMNS = 41  # odd, so that 0 is in the middle


def result_text(result: ArenaResult) -> str:
    """Return a result as a few lines, with a chart of the margins."""
    lines = [heading(result)]
    for line in result.lines:
        lines.append(
            f"{line.bot:>10}  margin {line.margin}  place {line.place.mean:.2f} ± {line.place.plus_minus:.2f}  "
            f"wins {share_text(line.share)} (fair {line.expected_share:.1%}), blocks {share_text(line.blocks_won)}  "
            f"CPU {line.cpu_median_ms:.2f} ms a decision, p95 {line.cpu_p95_ms:.2f}"
        )
    return "\n".join([*lines, "", *chart([(line.bot, line.margin) for line in result.lines])])


def heading(result: ArenaResult) -> str:
    """Return a description of the match, complete enough to repeat it."""
    match = result.match
    game = find_game(match.game)
    defaults = game.check_options(len(match.lineup))
    options = [f"{name} {format_option(value)}" for name, value in match.options.items() if defaults[name] != value]
    description = ", ".join([f"{game.title} for {len(match.lineup)}", *options])
    return f"{description}: {' '.join(match.lineup)} · {result.blocks} blocks, {result.games} games, seed {match.seed}"


def share_text(value: Estimate) -> str:
    """Return a share of wins as a percentage."""
    return f"{value.mean:.1%} ± {value.plus_minus:.1%}"


def chart(rows: Sequence[tuple[str, Estimate]]) -> list[str]:
    """Return means (●) and 95 % intervals (─) around 0 (│), one line each."""
    reach = max([abs(e.mean) + e.plus_minus for _, e in rows] + [1e-9])
    lines = []
    for name, e in rows:
        columns = ["·"] * CHART_COLUMNS

        def column_of(value: float) -> int:
            return round((value / reach + 1) / 2 * (CHART_COLUMNS - 1))

        for k in range(column_of(e.mean - e.plus_minus), column_of(e.mean + e.plus_minus) + 1):
            columns[k] = "─"
        columns[CHART_COLUMNS // 2] = "│"
        columns[column_of(e.mean)] = "●"
        lines.append(f"{name:>10}  {''.join(columns)}")
    return [*lines, f"{'':>10}  {-reach:<+{CHART_COLUMNS // 2}.2f}0{reach:>+{CHART_COLUMNS // 2}.2f}"]


def svg(result: ArenaResult) -> str:
    """Return the chart as SVG."""
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
