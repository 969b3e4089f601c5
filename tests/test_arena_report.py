"""Reports of the arena: lines of text, and charts."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from diamonds.lab import arena_report
from diamonds.lab.arena import ArenaResult, BotResult, Estimate, MatchSetup, check_match

pytestmark = pytest.mark.later


def make_result(*lines: tuple[str, float, float]) -> ArenaResult:
    made = [
        BotResult(bot, Estimate(mean, wide), Estimate(2, 0.1), Estimate(0.5, 0.05), 0.25, 1.0, 9.0, Estimate(0.5, 0.1))
        for bot, mean, wide in lines
    ]
    match = check_match(MatchSetup("crystals", ("5", "simple", "simple", "simple"), {"perfect": True}, 7))
    return ArenaResult(match, 10, 40, made, "0", 1, 1.0)


def test_result_names_everything_needed_to_repeat_it():
    first = arena_report.result_text(make_result(("5", 4.5, 0.5), ("simple", -1.5, 0.2))).splitlines()[0]
    assert first == "Crystals for 4, perfect on: 5 simple simple simple · 10 blocks, 40 games, seed 7"


def test_result_line_has_every_number_in_place():
    line = BotResult(
        "5", Estimate(4.5, 0.5), Estimate(1.25, 0.1), Estimate(0.5, 0.05), 0.25, 1.0, 9.0, Estimate(0.875, 0.125)
    )
    line_text = arena_report.result_text(replace(make_result(), lines=[line])).splitlines()[1]
    assert " ".join(line_text.split()) == (
        "5 margin +4.50 ± 0.50 place 1.25 ± 0.10 wins 50.0% ± 5.0% (fair 25.0%), blocks 87.5% ± 12.5% "
        "CPU 1.00 ms a decision, p95 9.00"
    )


def test_text_chart_spans_its_widest_interval_and_rounds():
    narrow, wide, axis = arena_report.chart([("5", Estimate(1.4, 0.1)), ("simple", Estimate(-3.0, 1.0))])
    assert axis.split() == ["-4.00", "0", "+4.00"]
    assert narrow[12:].index("●") == 27, "1.4 of 4 are 7 of 20 columns"
    assert wide[12:] == "─" * 5 + "●" + "─" * 5 + "·" * 9 + "│" + "·" * 20
    assert arena_report.chart([("5", Estimate(3.87, 0.13))])[0][12:].index("●") == 39, "19.35 of 20 columns"
    assert arena_report.chart([("5", Estimate(3.93, 0.07))])[0][12:].index("●") == 40, "19.65 of 20 columns"


def test_svg_chart_draws_every_interval_inside_on_its_own_line():
    root = ElementTree.fromstring(
        arena_report.svg(make_result(("5", 1.0, 0.5), ("simple", -1.5, 2.5), ("random", -3.0, 1.0)))
    )
    width, height = (float(size) for size in root.attrib["viewBox"].split()[2:])
    zero, *intervals = root.findall("{*}line")
    middle, circles = float(zero.attrib["x1"]), root.findall("{*}circle")
    ends = [[float(line.attrib[side]) - middle for side in ("x1", "x2")] for line in intervals]
    scale = ends[0][1] / 1.5
    assert ends == [pytest.approx([scale * end for end in both]) for both in ((0.5, 1.5), (-4.0, 1.0), (-4.0, -2.0))]
    assert [float(circle.attrib["cx"]) - middle for circle in circles] == pytest.approx(
        [scale, -1.5 * scale, -3 * scale]
    )
    heights = [line.attrib["y1"] for line in intervals]
    assert heights == [line.attrib["y2"] for line in intervals] == [circle.attrib["cy"] for circle in circles]
    assert len(set(heights)) == 3, "two intervals overlap"
    assert middle - 4 * scale >= 0, "an interval is outside the picture"
    assert middle + 4 * scale <= width
    assert max(map(float, heights)) < height
